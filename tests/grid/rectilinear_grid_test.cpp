#include <slabwise/grid/rectilinear_grid.hpp>

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;

TEST(chunk_edges, equal_neighbours_are_one_run) {
    sw::chunk_edges const edges{{3, 2}, {3, 1}, {1, 4}, {3, 1}};
    ASSERT_EQ(edges.runs().size(), 3U);
    EXPECT_EQ(edges.runs()[0].count, 3);
    EXPECT_EQ(edges, (sw::chunk_edges{{3, 1}, {3, 2}, {1, 2}, {1, 2}, {3, 1}}));
    EXPECT_EQ(edges.chunk_count(), 8);
    EXPECT_EQ(edges.reach(), 16);
}

TEST(chunk_edges, chunks_and_indices_find_one_another) {
    sw::chunk_edges const edges{{3, 2}, {1, 3}, {5, 2}};
    std::vector<index_t> const lengths{3, 3, 1, 1, 1, 5, 5};
    index_t begin = 0;
    for (std::size_t chunk = 0; chunk < lengths.size(); ++chunk) {
        auto const at = static_cast<index_t>(chunk);
        EXPECT_EQ(edges.begin(at), begin);
        EXPECT_EQ(edges.length(at), lengths[chunk]);
        for (index_t i = 0; i < lengths[chunk]; ++i) EXPECT_EQ(edges.chunk_of(begin + i), at);
        begin += lengths[chunk];
    }
    EXPECT_EQ(edges.reach(), begin);
}

TEST(chunk_edges, what_is_no_edge_throws) {
    expect_selection_error([] { (void)sw::chunk_edges{{0, 1}}; }, no_axis, 0, 1,
                           "chunk edges: length 0 is below 1");
    expect_selection_error([] { (void)sw::chunk_edges{{2, 1}, {2, -1}}; }, no_axis, -1, 1,
                           "chunk edges: count -1 is below 1");
    constexpr index_t most = sw::max_index;
    EXPECT_EQ((sw::chunk_edges{{most, 1}}).reach(), most);
    expect_selection_error([] { (void)sw::chunk_edges{{most, 1}, {1, 1}}; }, no_axis, 1, most - 1,
                           "chunk edges: a chunk of length 1 begins past the last index, 2^63 - 2");
    expect_selection_error([] { (void)sw::chunk_edges{{1 << 20, (index_t{1} << 43) + 1}}; }, no_axis, 1 << 20, most - 1,
                           "chunk edges: a chunk of length 1048576 begins past the last index, 2^63 - 2");
}

TEST(chunk_edges, the_last_chunk_may_reach_past_all_indices) {
    constexpr index_t most = sw::max_index;
    sw::chunk_edges const edges{{1 << 20, index_t{1} << 43}};
    EXPECT_EQ(edges.reach(), most);
    EXPECT_EQ(edges.chunk_of(most - 1), (index_t{1} << 43) - 1);
    EXPECT_EQ(edges.begin((index_t{1} << 43) - 1), most - (1 << 20) + 1);
    sw::chunk_edges const two{{7, 1}, {most - 7, 1}};
    EXPECT_EQ(two.reach(), most);
    EXPECT_EQ(two.runs()[1].end(), most);
    sw::chunk_edges const further{{7, 1}, {most, 1}};
    EXPECT_EQ(further.reach(), most);
    EXPECT_EQ(further.length(1), most);
    EXPECT_EQ(further.chunk_of(most - 1), 1);
}

TEST(rectilinear_grid, chunks_past_the_end_are_not_counted) {
    sw::rectilinear_grid<2> const grid({7, 0}, {sw::chunk_edges{{2, 1}, {4, 5}}, sw::chunk_edges{{3, 1}}});
    EXPECT_EQ(grid.chunk_counts(), (sw::shape<2>{3, 0}));
    EXPECT_FALSE(grid.contains({0, 0}));
    sw::rectilinear_grid<1> const one({7}, {sw::chunk_edges{{2, 1}, {4, 5}}});
    EXPECT_TRUE(one.contains({2}));
    EXPECT_FALSE(one.contains({3}));
    EXPECT_FALSE(one.contains({-1}));
    EXPECT_EQ(one.stored_shape({2}), (sw::shape<1>{4}));
    EXPECT_EQ(one.valid_extent({2}), (sw::shape<1>{1}));
    EXPECT_EQ(one.valid_extent({1}), (sw::shape<1>{4}));
}

TEST(rectilinear_grid, chunks_that_end_before_the_array_throw) {
    expect_selection_error(
        [] { (void)sw::rectilinear_grid<2>({4, 8}, {sw::chunk_edges{{4, 1}}, sw::chunk_edges{{3, 2}, {1, 1}}}); },
        1, 7, 8,
                           "chunk grid: the chunks of axis 1 reach to 7, but its extent is 8");
}

static_assert(sw::rectilinear_grid<0>({}, {}).contains({}));
static_assert(sw::chunk_edges{{3, 2}, {5, 1}}.chunk_of(6) == 2);
