// Reading arrays whose chunks have shapes of their own.
#include <slabwise/transfer/cached_source.hpp>
#include <slabwise/transfer/read.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <expect_error.hpp>
#include <seeded_random.hpp>

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using sw::index_t;

namespace {

using element = std::uint32_t;
constexpr element fill = 7;

element value_at(sw::coord_t<3> const& index) {
    return static_cast<element>(1'000'000 * index[0] + 1000 * index[1] + index[2] + 10);
}

/// Chunks in any order of their axes; some are absent. Chunks of the array's edge are stored whole, what lies outside
/// the array as a value that must not be seen.
struct rectilinear_source {
    sw::rectilinear_grid<3> the_grid;
    std::array<std::size_t, 3> axis_order;
    index_t every_absent;

    sw::rectilinear_grid<3> grid() const { return the_grid; }
    sw::chunk_layout<3> layout() const {
        std::vector<std::byte> bytes(sizeof fill);
        std::memcpy(bytes.data(), &fill, sizeof fill);
        return {sw::element_type_of<element>, std::endian::native, strides_of(the_grid.chunk_shape()), bytes};
    }
    sw::shape<3> stored_shape(sw::coord_t<3> const& coord) const { return the_grid.stored_shape(coord); }
    std::array<index_t, 3> byte_strides(sw::coord_t<3> const& coord) const { return strides_of(stored_shape(coord)); }

    bool is_absent(sw::coord_t<3> const& coord) const {
        return (coord[0] * 5 + coord[1] * 3 + coord[2]) % every_absent == 1;
    }
    sw::chunk_state read_chunk(sw::coord_t<3> const& coord, std::span<std::byte> out) const {
        if (is_absent(coord)) return sw::chunk_state::absent;
        auto const lengths = stored_shape(coord);
        auto const strides = byte_strides(coord);
        EXPECT_EQ(out.size(), static_cast<std::size_t>(lengths.element_count()) * sizeof(element));
        for (index_t i = 0; i < lengths[0]; ++i) {
            for (index_t j = 0; j < lengths[1]; ++j) {
                for (index_t k = 0; k < lengths[2]; ++k) {
                    auto const& edges = the_grid.edges();
                    sw::coord_t<3> const index{edges[0].begin(coord[0]) + i, edges[1].begin(coord[1]) + j,
                                               edges[2].begin(coord[2]) + k};
                    bool is_inside = true;
                    for (std::size_t axis = 0; axis < 3; ++axis) is_inside = is_inside && index[axis] < the_grid.shape()[axis];
                    element const value = is_inside ? value_at(index) : 0xdeadbeef;
                    std::memcpy(out.data() + i * strides[0] + j * strides[1] + k * strides[2], &value, sizeof value);
                }
            }
        }
        return sw::chunk_state::present;
    }

private:
    std::array<index_t, 3> strides_of(sw::shape<3> const& lengths) const {
        std::array<index_t, 3> strides{};
        index_t stride = sizeof(element);
        for (std::size_t j = 3; j-- > 0;) {
            strides[axis_order[j]] = stride;
            stride *= lengths[axis_order[j]];
        }
        return strides;
    }
};
static_assert(sw::ChunkSource<rectilinear_source> && sw::VariesChunkShape<rectilinear_source>);

element expected_at(rectilinear_source const& source, sw::coord_t<3> const& index) {
    auto const& edges = source.the_grid.edges();
    sw::coord_t<3> const chunk{edges[0].chunk_of(index[0]), edges[1].chunk_of(index[1]), edges[2].chunk_of(index[2])};
    return source.is_absent(chunk) ? fill : value_at(index);
}

void expect_read(rectilinear_source const& source, sw::hyperslab<3> const& slab, std::vector<element> const& found) {
    std::size_t at = 0;
    ASSERT_EQ(found.size(), static_cast<std::size_t>(slab.shape().element_count()));
    for (index_t i = 0; i < slab[0].count(); ++i) {
        for (index_t j = 0; j < slab[1].count(); ++j) {
            for (index_t k = 0; k < slab[2].count(); ++k, ++at) {
                sw::coord_t<3> const index{slab[0][i], slab[1][j], slab[2][k]};
                ASSERT_EQ(found[at], expected_at(source, index)) << index[0] << ", " << index[1] << ", " << index[2];
            }
        }
    }
}

sw::chunk_edges random_edges(slabwise_test::random_numbers& numbers) {
    std::vector<sw::edge_run> runs;
    for (index_t left = numbers.number(1, 4); left > 0; --left) runs.push_back({numbers.number(1, 6), numbers.number(1, 3)});
    return sw::chunk_edges(runs);
}

}  // namespace

TEST(rectilinear_read, random_reads_like_brute_force) {
    slabwise_test::random_numbers numbers(402);
    for (int round = 0; round < 400; ++round) {
        std::array<sw::chunk_edges, 3> const edges{random_edges(numbers), random_edges(numbers), random_edges(numbers)};
        std::array<index_t, 3> extents{};
        for (std::size_t axis = 0; axis < 3; ++axis) extents[axis] = numbers.number(1, edges[axis].reach());
        std::array<std::size_t, 3> order{0, 1, 2};
        for (index_t left = numbers.number(0, 5); left > 0; --left) std::next_permutation(order.begin(), order.end());
        rectilinear_source const source{{sw::shape<3>(extents), edges}, order, numbers.number(2, 9)};
        sw::reader reader(source);
        sw::cached_source const cached(source, sw::chunk_cache(4000));
        for (int read = 0; read < 8; ++read) {
            std::array<sw::slice, 3> slices;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                index_t const first = numbers.number(0, extents[axis] - 1);
                index_t const stride = read == 0 ? 1 : numbers.number(1, 4) * (numbers.number(0, 1) == 0 ? 1 : -1);
                index_t const room = (stride > 0 ? extents[axis] - 1 - first : first) / std::abs(stride) + 1;
                slices[axis] = read == 0 ? sw::slice::all(extents[axis])
                                         : sw::slice::counted(first, numbers.number(1, room), stride);
            }
            sw::hyperslab<3> const slab(slices);
            std::vector<element> found(static_cast<std::size_t>(slab.shape().element_count()));
            reader.read_into(slab, found);
            expect_read(source, slab, found);
            expect_read(source, slab, sw::read<std::vector<element>>(cached, slab));
            if (HasFatalFailure()) FAIL() << "round " << round << ", read " << read;
        }
    }
}

// Chunks that are rows of the result are read straight into it.
TEST(rectilinear_read, whole_chunks_arrive_in_place) {
    rectilinear_source const source{
        {{6, 4, 5}, {sw::chunk_edges{{1, 2}, {3, 1}, {1, 1}}, sw::chunk_edges{{4, 1}}, sw::chunk_edges{{5, 1}}}},
        {0, 1, 2},
        1000};
    auto const slab = sw::hyperslab<3>::all(source.the_grid.shape());
    std::vector<element> found(120);
    sw::reader reader(source);
    auto const report = reader.read_into(slab, found);
    expect_read(source, slab, found);
    EXPECT_EQ(report.chunks, 4);
    EXPECT_EQ(report.bytes_decoded, 480);
}

TEST(rectilinear_read, a_plan_of_other_chunks_is_refused) {
    rectilinear_source const source{
        {{6, 4, 5}, {sw::chunk_edges{{1, 2}, {4, 1}}, sw::chunk_edges{{4, 1}}, sw::chunk_edges{{5, 1}}}}, {0, 1, 2}, 9};
    auto const read_with = [&](sw::shape<3> const& shape, sw::chunk_edges const& first) {
        sw::rectilinear_grid<3> const grid(shape, {first, sw::chunk_edges{{4, 1}}, sw::chunk_edges{{5, 1}}});
        (void)sw::read<std::vector<element>>(source, sw::make_plan(grid, sw::hyperslab<3>::all(shape)));
    };
    expect_selection_error([&] { read_with({5, 4, 5}, {{1, 2}, {4, 1}}); }, 0, 5, 6,
                           "read: axis 0 of the plan has extent 5, but the array has 6");
    expect_selection_error([&] { read_with({6, 4, 5}, {{1, 2}, {5, 1}}); }, 0, 5, 4,
                           "read: axis 0 of the plan has chunk length 5, but the array has 4");
    expect_selection_error([&] { read_with({6, 4, 5}, {{1, 3}, {4, 1}}); }, 0, 3, 2,
                           "read: axis 0 of the plan has this many equal chunks in a row: 3, but the array has 2");
    expect_selection_error([&] { read_with({6, 4, 5}, {{1, 2}, {4, 1}, {2, 1}}); }, 0, 4, 3,
                           "read: axis 0 of the plan has this many chunks: 4, but the array has 3");
}
