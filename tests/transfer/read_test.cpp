// Reading in one call, into every kind of destination.
#include <slabwise/transfer/read.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <expect_error.hpp>
#include <slabwise/plan/list_axis.hpp>
#include <slabwise/source/memory_source.hpp>
#include <transfer/computed_source.hpp>

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;

namespace {

// element (i, j) is 100 i + j; chunks in the other byte order, in Fortran order
struct swapped_source {
    static constexpr sw::chunk_grid<2> the_grid{{5, 7}, {2, 3}};

    sw::chunk_grid<2> grid() const { return the_grid; }
    sw::chunk_layout<2> layout() const {
        sw::chunk_layout<2> layout{sw::element_type_of<std::uint16_t>, other, {2, 4}, {std::byte{1}, std::byte{2}}};
        return layout;
    }
    sw::chunk_state read_chunk(sw::coord_t<2> const& coord, std::span<std::byte> out) const {
        if (coord == sw::coord_t<2>{2, 2}) return sw::chunk_state::absent;
        for (index_t i = 0; i < 2; ++i) {
            for (index_t j = 0; j < 3; ++j) {
                index_t const value = 100 * (2 * coord[0] + i) + 3 * coord[1] + j;
                auto const at = static_cast<std::size_t>(2 * i + 4 * j);
                bool const is_big = other == std::endian::big;
                out[at + (is_big ? 0 : 1)] = static_cast<std::byte>(value >> 8);
                out[at + (is_big ? 1 : 0)] = static_cast<std::byte>(value & 0xff);
            }
        }
        return sw::chunk_state::present;
    }
    static constexpr std::endian other =
        std::endian::native == std::endian::little ? std::endian::big : std::endian::little;
};
static_assert(sw::ChunkSource<swapped_source>);

// The absent chunk (2, 2) covers (4, 6), where the fill, whose bytes are 1 and 2 in the other order, is.
constexpr std::uint16_t fill = std::endian::native == std::endian::little ? 0x0102 : 0x0201;
std::uint16_t value_at(index_t i, index_t j) {
    return i == 4 && j == 6 ? fill : static_cast<std::uint16_t>(100 * i + j);
}

// element (i, j) is 4096 i + j; rows of a chunk are 1200 bytes
struct large_source {
    sw::chunk_grid<2> grid() const { return {{2100, 2051}, {700, 300}}; }
    sw::chunk_layout<2> layout() const {
        return {sw::element_type_of<std::uint32_t>, std::endian::native, {1200, 4}, std::vector<std::byte>(4)};
    }
    sw::chunk_state read_chunk(sw::coord_t<2> const& coord, std::span<std::byte> out) const {
        for (std::size_t at = 0; at < out.size(); at += 4) {
            auto const element = static_cast<index_t>(at / 4);
            auto const value = static_cast<std::uint32_t>(4096 * (700 * coord[0] + element / 300) + 300 * coord[1] +
                                                          element % 300);
            std::memcpy(out.data() + at, &value, 4);
        }
        return sw::chunk_state::present;
    }
};

constexpr sw::hyperslab<2> slab{sw::slice{4, -1, -2}, sw::slice{1, 7, 5}};  // rows 4, 2, 0; columns 1, 6
std::vector<std::uint16_t> const wanted{401, fill, 201, 206, 1, 6};

}  // namespace

// More than the caches hold is stored past them: every row begins and ends at another place of a cache line.
TEST(read, of_more_than_the_caches_hold) {
    sw::hyperslab<2> const most{sw::slice{0, 2100}, sw::slice{1, 2050}};
    auto const found = sw::read<std::vector<std::uint32_t>>(large_source(), most);
    ASSERT_EQ(found.size(), 2100U * 2049U);
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < 2100; ++i) {
        for (std::uint32_t j = 1; j < 2050; ++j, ++at) ASSERT_EQ(found[at], 4096 * i + j) << i << ", " << j;
    }
}

TEST(read, into_a_new_vector) {
    swapped_source const source;
    EXPECT_EQ(sw::read<std::vector<std::uint16_t>>(source, slab), wanted);
    EXPECT_EQ(sw::read<std::vector<std::uint16_t>>(source, sw::make_plan(source.grid(), 3, sw::slice{2, -1, -1})),
              (std::vector<std::uint16_t>{302, 301, 300}));
    EXPECT_EQ(sw::read<std::vector<std::uint16_t>>(source, sw::make_plan(source.grid(), 4, 6)),
              (std::vector<std::uint16_t>{fill}));
    EXPECT_EQ(sw::read<std::vector<std::uint16_t>>(
                  source, sw::make_plan(source.grid(), sw::index_list{3, 0, 3}, sw::index_list{6, 0})),
              (std::vector<std::uint16_t>{306, 300, 6, 0, 306, 300}));
}

TEST(read, into_spans_vectors_and_views) {
    swapped_source const source;
    std::vector<std::uint16_t> to(6);
    auto const report = sw::read_into(source, slab, to);
    EXPECT_EQ(to, wanted);
    EXPECT_EQ(report.chunks, 6);
    EXPECT_EQ(report.absent, 1);
    EXPECT_EQ(report.bytes_decoded, 5 * 12);

    std::array<std::uint16_t, 6> array{};
    sw::read_into(source, slab, std::span(array));
    EXPECT_TRUE(std::equal(array.begin(), array.end(), wanted.begin()));
    array = {};
    std::span<std::uint16_t, 6> const constant_span(array);
    sw::read_into(source, sw::make_plan(source.grid(), slab), constant_span);
    EXPECT_TRUE(std::equal(array.begin(), array.end(), wanted.begin()));

    to.assign(6, 0);
    sw::strided_view<std::uint16_t, 2> const constant_view(to.data(), {3, 2});
    sw::read_into(source, slab, constant_view);
    EXPECT_EQ(to, wanted);
}

TEST(read, into_memory_backwards_and_with_gaps) {
    swapped_source const source;
    std::vector<std::uint16_t> to(30, 9999);
    // Rows upwards in memory, columns two apart.
    sw::read_into(source, slab, sw::strided_view<std::uint16_t, 2>(to.data() + 20, {3, 2}, {-16, 4}));
    std::vector<std::uint16_t> expected(30, 9999);
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 2; ++j) expected[20 - 8 * i + 2 * j] = wanted[2 * i + j];
    }
    EXPECT_EQ(to, expected);
}

TEST(read, into_memory_that_is_not_aligned) {
    swapped_source const source;
    std::vector<std::byte> to(13);
    sw::read_into(source, slab,
                  sw::strided_view<std::uint16_t, 2>(reinterpret_cast<std::uint16_t*>(to.data() + 1), {3, 2}));
    EXPECT_EQ(std::memcmp(to.data() + 1, wanted.data(), 12), 0);
    EXPECT_EQ(to[0], std::byte{0});
}

TEST(read, every_element) {
    swapped_source const source;
    auto const all = sw::read<std::vector<std::uint16_t>>(source, sw::hyperslab<2>::all(source.grid().shape()));
    for (index_t i = 0; i < 5; ++i) {
        for (index_t j = 0; j < 7; ++j)
            EXPECT_EQ(all[static_cast<std::size_t>(7 * i + j)], value_at(i, j)) << i << ' ' << j;
    }
}

TEST(read, halves_of_complex_numbers_are_turned_one_by_one) {
    sw::chunk_grid<1> const grid{{3}, {2}};
    std::vector<std::complex<float>> const values{{1.5F, -2.0F}, {3.0F, 4.25F}, {-5.0F, 0.5F}};
    struct complex_source {
        sw::chunk_grid<1> the_grid;
        std::vector<std::complex<float>> const& values;
        sw::chunk_grid<1> grid() const { return the_grid; }
        sw::chunk_layout<1> layout() const {
            auto layout =
                sw::chunk_layout<1>::c_order(sw::element_type_of<std::complex<float>>, the_grid.chunk_shape());
            layout.byte_order = swapped_source::other;
            return layout;
        }
        sw::chunk_state read_chunk(sw::coord_t<1> const& coord, std::span<std::byte> out) const {
            for (std::size_t i = 0; i < 2; ++i) {
                std::size_t const k = 2 * static_cast<std::size_t>(coord[0]) + i;
                if (k == values.size()) break;
                std::memcpy(&out[8 * i], &values[k], 8);
                std::reverse(&out[8 * i], &out[8 * i] + 4);
                std::reverse(&out[8 * i] + 4, &out[8 * i] + 8);
            }
            return sw::chunk_state::present;
        }
    };
    complex_source const source{grid, values};
    EXPECT_EQ(sw::read<std::vector<std::complex<float>>>(source, sw::hyperslab<1>{sw::slice{0, 3}}), values);
}

TEST(read, a_scalar) {
    double const value = 2.5;
    sw::memory_source const source(sw::strided_view<double const, 0>(&value, {}), sw::shape<0>{});
    EXPECT_EQ(sw::read<std::vector<double>>(source, sw::hyperslab<0>{}), std::vector<double>{2.5});
}

TEST(read_bytes, in_native_byte_order) {
    swapped_source const source;
    std::vector<std::byte> to(12);
    auto const plan = sw::make_plan(source.grid(), slab);
    sw::read_bytes_into(source, plan, to);
    EXPECT_EQ(std::memcmp(to.data(), wanted.data(), 12), 0);
    expect_selection_error([&] { return sw::read_bytes_into(source, plan, std::span(to).first(11)); }, no_axis, 11, 12,
                           "read: the destination has 11 bytes, but the result has 12");
}
