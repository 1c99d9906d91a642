#include <slabwise/grid/chunk_grid.hpp>

#include <type_traits>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;

static_assert(std::is_same_v<decltype(sw::chunk_grid{sw::shape{4, 5}, sw::shape{2, 2}}), sw::chunk_grid<2>>);

constexpr sw::chunk_grid<3> grid{{1560, 128, 7}, {256, 64, 9}};
static_assert(grid.rank == 3 && grid.shape() == sw::shape{1560, 128, 7} && grid.chunk_shape() == sw::shape{256, 64, 9});
static_assert(grid.chunk_counts() == sw::shape{7, 2, 1} && grid.chunk_count() == 14);
static_assert(grid.chunk_elements() == 147456);
static_assert(grid.valid_extent({0, 0, 0}) == sw::shape{256, 64, 7}, "a chunk longer than the array");
static_assert(grid.valid_extent({6, 1, 0}) == sw::shape{24, 64, 7}, "an edge chunk");
static_assert(grid == sw::chunk_grid<3>{{1560, 128, 7}, {256, 64, 9}} && grid != sw::chunk_grid<3>{});

static_assert(grid.contains({6, 1, 0}) && grid.contains({0, 0, 0}));
static_assert(!grid.contains({7, 1, 0}) && !grid.contains({6, 2, 0}) && !grid.contains({6, 1, 1}));
static_assert(!grid.contains({-1, 0, 0}) && !grid.contains({0, 0, INT64_MIN}) && !grid.contains({INT64_MAX, 0, 0}));

constexpr sw::chunk_grid<0> scalar{{}, {}};
static_assert(scalar.chunk_count() == 1 && scalar.chunk_elements() == 1 && scalar.contains({}));
static_assert(scalar.valid_extent({}) == sw::shape<0>{} && scalar == sw::chunk_grid<0>{});

constexpr sw::chunk_grid<2> empty{{5, 0}, {2, 3}};
static_assert(empty.chunk_counts() == sw::shape{3, 0} && empty.chunk_count() == 0 && !empty.contains({0, 0}));
static_assert(sw::chunk_grid<2>{}.chunk_count() == 0 && sw::chunk_grid<2>{}.chunk_shape() == sw::shape{1, 1});

// Every element of an array lies in one chunk, at the place that counting finds.
constexpr bool counts_by_hand(index_t extent, index_t length) {
    sw::chunk_grid<1> const line{{extent}, {length}};
    index_t chunk = -1, valid = length;
    for (index_t index = 0; index < extent; ++index) {
        if (valid == length) ++chunk, valid = 0;
        ++valid;
        if (!line.contains({chunk})) return false;
    }
    return line.chunk_count() == chunk + 1 && !line.contains({chunk + 1}) &&
           (extent == 0 || line.valid_extent({chunk}) == sw::shape{valid}) &&
           (chunk < 1 || line.valid_extent({chunk - 1}) == sw::shape{length});
}
constexpr bool lines_are_right(index_t longest_array, index_t longest_chunk) {
    for (index_t extent = 0; extent <= longest_array; ++extent) {
        for (index_t length = 1; length <= longest_chunk; ++length) {
            if (!counts_by_hand(extent, length)) return false;
        }
    }
    return true;
}
static_assert(lines_are_right(8, 9));

TEST(chunk_grid, counts_chunks_and_their_elements) { EXPECT_TRUE(lines_are_right(80, 90)); }

constexpr sw::chunk_grid<2> far{{INT64_MAX, INT64_MAX}, {INT64_MAX, 1}};
static_assert(far.chunk_counts() == sw::shape{index_t{1}, INT64_MAX} && far.chunk_count() == INT64_MAX);
static_assert(far.valid_extent({0, INT64_MAX - 1}) == sw::shape{INT64_MAX, index_t{1}});
static_assert(sw::chunk_grid<1>{{INT64_MAX}, {INT64_MAX - 1}}.valid_extent({1}) == sw::shape{1});
static_assert(sw::chunk_grid<1>{{INT64_MAX}, {649657}}.chunk_count() == 14197294936951);
static_assert(sw::chunk_grid<1>{{INT64_MAX}, {649658}}.valid_extent({14197273083460}) == sw::shape{319127});

sw::chunk_grid<2> grid_of(sw::shape<2> const& array, sw::shape<2> const& chunk) { return {array, chunk}; }

TEST(chunk_grid, errors_name_axis_value_and_bound) {
    expect_selection_error(
        [] {
            return grid_of({4, 5}, {2, 0});
        },
        1, 0, 1, "chunk grid: axis 1 has chunk extent 0; it is at least 1");
    expect_selection_error(
        [] {
            return grid_of({4, 0}, {0, 0});
        },
        0, 0, 1, "chunk grid: axis 0 has chunk extent 0; it is at least 1");
    expect_selection_error([] { return grid_of({4, 5}, {2, -1}); }, 1, -1, 0, "shape: axis 1 has extent -1, below 0");
}

TEST(chunk_grid, more_than_63_bits_of_chunks_or_of_elements_in_one_throws) {
    sw::chunk_grid<2> const fine{{INT64_MAX, 4}, {1, 2}};
    EXPECT_EQ(fine.chunk_elements(), 2);
    expect_selection_error([&] { return fine.chunk_count(); }, no_axis, sw::max_index, sw::max_index,
                           "shape: the number of elements exceeds 2^63 - 1");
    EXPECT_THROW((void)grid_of({1, 1}, {INT64_MAX, 2}), sw::selection_error);
}
