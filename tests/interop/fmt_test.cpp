#include <slabwise/interop/fmt.hpp>

#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;

TEST(fmt, slices_shapes_hyperslabs_and_projections) {
    constexpr sw::chunk_grid<2> grid{{7, 9}, {4, 5}};
    constexpr sw::hyperslab<2> slab{sw::slice{5, -1, -2}, sw::slice{0, 9}};
    EXPECT_EQ(fmt::format("{} {} {}", slab[0], slab[1], sw::slice()), "5:0:-2 0:9 0:0");
    EXPECT_EQ(fmt::format("{} in chunks of {}", grid.shape(), grid.chunk_shape()), "(7, 9) in chunks of (4, 5)");
    EXPECT_EQ(fmt::format("{:>20}", slab), "       [5:0:-2, 0:9]");
    EXPECT_EQ(fmt::format("{}", sw::make_plan(grid, slab)[3]), "chunk (0, 1): [3:0:-2, 0:4] -> [1:3, 5:9]");
    EXPECT_EQ(fmt::format("{}", sw::shape<0>{}), "()");
}
