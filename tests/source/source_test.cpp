// The two forms of a source, the least that each must have, and the array in memory.
#include <slabwise/source/memory_source.hpp>
#include <slabwise/source/typed_source.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <expect_error.hpp>

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;

namespace {

// The least that a ChunkSource has. It cannot be copied.
struct chunk_archetype {
    chunk_archetype() = default;
    chunk_archetype(chunk_archetype const&) = delete;
    chunk_archetype& operator=(chunk_archetype const&) = delete;
    sw::chunk_grid<1> grid() const { return {{5}, {2}}; }
    sw::chunk_layout<1> layout() const { return sw::chunk_layout<1>::c_order({sw::element_kind::opaque, 1}, {2}); }
    sw::chunk_state read_chunk(sw::coord_t<1> const&, std::span<std::byte>) const { return sw::chunk_state::absent; }
};
static_assert(sw::ChunkSource<chunk_archetype> && !sw::TypedSource<chunk_archetype>);
static_assert(sw::source_rank<chunk_archetype> == 1);

// The least that a TypedSource has. Chunk k holds 10 k, 10 k + 1, ...; chunk 1 is absent.
struct typed_archetype {
    typed_archetype() = default;
    typed_archetype(typed_archetype const&) = delete;
    typed_archetype& operator=(typed_archetype const&) = delete;
    using value_type = double;
    sw::chunk_grid<1> grid() const { return {{5}, {2}}; }
    bool read(sw::coord_t<1> const& coord, std::span<double> values) const {
        given = values;
        if (coord[0] == 1) return false;
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<double>(10 * coord[0]) + static_cast<double>(i);
        return true;
    }
    mutable std::span<double> given;
};
static_assert(sw::TypedSource<typed_archetype> && !sw::ChunkSource<typed_archetype>);

static_assert(sw::ChunkSource<sw::memory_source<float, 3>> && sw::ChunkSource<sw::typed_source<typed_archetype>>);

}  // namespace

TEST(element_type, of_cpp_types) {
    using enum sw::element_kind;
    static_assert(sw::element_type_of<bool> == sw::element_type{boolean, 1});
    static_assert(sw::element_type_of<char const> ==
                  sw::element_type{std::is_signed_v<char> ? signed_integer : unsigned_integer, 1});
    static_assert(sw::element_type_of<std::uint16_t> == sw::element_type{unsigned_integer, 2});
    static_assert(sw::element_type_of<std::int64_t> == sw::element_type{signed_integer, 8});
    static_assert(sw::element_type_of<float> == sw::element_type{floating, 4});
    static_assert(sw::element_type_of<std::complex<double>> == sw::element_type{complex_floating, 16});
    static_assert(sw::element_type_of<std::byte> == sw::element_type{opaque, 1});
    static_assert(sw::element_type_of<std::complex<float>>.swap_size() == 4);
    static_assert(sw::element_type_of<double>.swap_size() == 8 && sw::element_type{opaque, 12}.swap_size() == 1);
    EXPECT_STREQ(sw::name_of(sw::element_type_of<bool>).c_str(), "bool");
    EXPECT_STREQ(sw::name_of(sw::element_type_of<std::uint16_t>).c_str(), "uint16");
    EXPECT_STREQ(sw::name_of(sw::element_type_of<std::int8_t>).c_str(), "int8");
    EXPECT_STREQ(sw::name_of(sw::element_type_of<std::complex<float>>).c_str(), "complex64");
    EXPECT_STREQ(sw::name_of({opaque, 12}).c_str(), "opaque12");
}

TEST(chunk_layout, in_c_order) {
    auto const layout = sw::chunk_layout<3>::c_order(sw::element_type_of<float>, {2, 3, 5});
    EXPECT_EQ(layout.byte_strides, (std::array<index_t, 3>{60, 20, 4}));
    EXPECT_EQ(layout.fill, std::vector<std::byte>(4));
    EXPECT_EQ(layout.byte_order, std::endian::native);
    expect_selection_error(
        [] { return sw::chunk_layout<1>::c_order(sw::element_type_of<double>, {sw::max_index / 4}); }, no_axis, 8,
        sw::max_index, "shape: with elements of 8 bytes the array exceeds 2^63 - 1 bytes");
}

TEST(as_chunk_source, takes_a_chunk_source_as_it_is) {
    chunk_archetype const source;
    EXPECT_EQ(&sw::as_chunk_source(source), &source);
}

TEST(typed_source, reads_straight_into_aligned_bytes) {
    typed_archetype const source;
    auto const chunks = sw::as_chunk_source(source);
    EXPECT_EQ(chunks.grid(), source.grid());
    EXPECT_EQ(chunks.layout().type, sw::element_type_of<double>);
    EXPECT_EQ(chunks.layout().byte_strides, (std::array<index_t, 1>{8}));
    std::vector<double> to(2);
    EXPECT_EQ(chunks.read_chunk({2}, std::as_writable_bytes(std::span(to))), sw::chunk_state::present);
    EXPECT_EQ(source.given.data(), to.data());
    EXPECT_EQ(to, (std::vector<double>{20, 21}));
}

TEST(typed_source, reads_into_bytes_that_are_not_aligned) {
    typed_archetype const source;
    sw::typed_source const chunks(source);
    std::vector<double> memory(3, -1);
    auto const bytes = std::as_writable_bytes(std::span(memory)).subspan(3, 16);
    EXPECT_EQ(chunks.read_chunk({2}, bytes), sw::chunk_state::present);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(source.given.data()) % alignof(double), 0U);
    double values[2];
    std::memcpy(values, bytes.data(), 16);
    EXPECT_EQ(values[0], 20);
    EXPECT_EQ(values[1], 21);
    std::fill(memory.begin(), memory.end(), -1);
    EXPECT_EQ(chunks.read_chunk({1}, bytes), sw::chunk_state::absent);
    EXPECT_EQ(memory, (std::vector<double>(3, -1)));
}

// Each chunk of an array is the part of the array that it should be; what lies outside stays as it was.
template <class T>
void expect_chunks_of(sw::strided_view<T const, 2> const& array, sw::shape<2> const& chunk_shape) {
    sw::memory_source const source(array, chunk_shape);
    auto const& grid = source.grid();
    EXPECT_EQ(grid, sw::chunk_grid(array.shape(), chunk_shape));
    EXPECT_EQ(source.layout().type, sw::element_type_of<T>);
    EXPECT_EQ(source.layout().byte_strides, sw::c_order_byte_strides(chunk_shape, sizeof(T)));
    for (index_t a = 0; a < grid.chunk_counts()[0]; ++a) {
        for (index_t b = 0; b < grid.chunk_counts()[1]; ++b) {
            std::vector<T> chunk(static_cast<std::size_t>(grid.chunk_elements()), T{99});
            EXPECT_EQ(source.read_chunk({a, b}, std::as_writable_bytes(std::span(chunk))), sw::chunk_state::present);
            for (std::size_t k = 0; k < chunk.size(); ++k) {
                index_t const i = a * chunk_shape[0] + static_cast<index_t>(k) / chunk_shape[1];
                index_t const j = b * chunk_shape[1] + static_cast<index_t>(k) % chunk_shape[1];
                bool const inside = i < array.shape()[0] && j < array.shape()[1];
                EXPECT_EQ(chunk[k], inside ? array(i, j) : T{99}) << i << ' ' << j;
            }
        }
    }
}

TEST(memory_source, chunks_of_arrays_of_any_byte_strides) {
    std::vector<std::int16_t> values(5 * 7);
    std::iota(values.begin(), values.end(), std::int16_t{100});
    using view = sw::strided_view<std::int16_t const, 2>;
    for (auto const& chunk_shape :
         {sw::shape{2, 3}, sw::shape{1, 7}, sw::shape{9, 1}, sw::shape{5, 7}, sw::shape{8, 9}}) {
        expect_chunks_of(view(values, {5, 7}), chunk_shape);
        expect_chunks_of(view(values, {5, 7}, {2, 10}), chunk_shape);
        expect_chunks_of(view(values, {5, 7}, {-14, -2}, 68), chunk_shape);
        expect_chunks_of(view(values, {3, 2}, {28, 8}, 2), chunk_shape);
        expect_chunks_of(view(values, {3, 4}, {0, 2}), chunk_shape);
        expect_chunks_of(view(values.data(), {0, 4}), chunk_shape);
    }
}

TEST(memory_source, of_a_scalar_and_of_a_mutable_view) {
    double value = 2.5;
    sw::memory_source const source(sw::strided_view<double, 0>(&value, {}), sw::shape<0>{});
    static_assert(std::is_same_v<decltype(source), sw::memory_source<double, 0> const>);
    double to = 0;
    source.read_chunk({}, std::as_writable_bytes(std::span(&to, 1)));
    EXPECT_EQ(to, 2.5);
}

TEST(memory_source, refuses_chunks_that_cannot_be) {
    std::vector<float> values(6);
    sw::strided_view<float const, 2> const array(values, {2, 3});
    expect_selection_error(
        [&] {
            return sw::memory_source(array, sw::shape{2, 0});
        },
        1, 0, 1, "chunk grid: axis 1 has chunk extent 0; it is at least 1");
    expect_selection_error(
        [&] {
            return sw::memory_source(array, sw::shape{index_t{1}, sw::max_index / 2});
        },
        no_axis, 4, sw::max_index, "shape: with elements of 4 bytes the array exceeds 2^63 - 1 bytes");
}
