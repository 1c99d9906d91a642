#include <slabwise/plan/nested_plan.hpp>
#include <slabwise/plan/print.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "seeded_random.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using sw::index_t;
using sw::slice;

// Shards of 4 x 6 in inner chunks of 2 x 3, values by hand.
constexpr sw::chunk_grid<2> shards{{10, 11}, {4, 6}};
constexpr sw::nested_plan nested(sw::make_plan(shards, slice{1, 10, 4}, slice{10, -1, -1}), sw::shape{2, 3});
static_assert(nested.shards().size() == 6 && nested.size() == 3 * 4);
static_assert(nested[0].shard.coord() == sw::coord_t<2>{0, 1} && nested[0].inner.coord() == sw::coord_t<2>{0, 1});
static_assert(nested[0].inner.in_chunk() == sw::hyperslab{slice{1, 2}, slice{1, -1, -1}});
static_assert(nested[0].inner.in_array() == sw::hyperslab{slice{0, 1}, slice{0, 2}});
static_assert(nested[11].shard.coord() == sw::coord_t<2>{2, 0} && nested[11].inner.coord() == sw::coord_t<2>{0, 0});
static_assert(nested[11].inner.in_array() == sw::hyperslab{slice{2, 3}, slice{8, 11}});
static_assert(nested.size_before(0) == 0 && nested.size_before(1) == 2 && nested.size_before(6) == 12);

// The inner chunks of every shard against a walk over the selected elements, one by one.
template <std::size_t R>
void expect_like_elements(sw::chunk_grid<R> const& grid, sw::shape<R> const& inner_shape,
                          sw::hyperslab<R> const& slab) {
    sw::nested_plan const plan(sw::make_plan(grid, slab), inner_shape);
    std::set<std::array<index_t, R>> inner_chunks;  // of the whole array
    std::set<std::array<index_t, R>> places;        // in the selection's own array
    index_t k = 0, j = 0;
    for (auto const shard : plan.shards()) {
        ASSERT_EQ(plan.size_before(j++), k);
        auto const in_shard = plan.in(shard);
        ASSERT_EQ(in_shard.shard(), shard);
        index_t of_shard = 0;
        for (auto const p : in_shard) {
            ASSERT_LT(k, plan.size());
            ASSERT_EQ(p.shard, shard);
            ASSERT_EQ(p.shard, plan[k].shard) << k;
            ASSERT_EQ(p.inner, plan[k].inner) << k;
            ASSERT_EQ(p.inner, in_shard[of_shard].inner);
            std::array<index_t, R> chunk{};
            bool covers = true;
            index_t elements = 1;
            for (std::size_t axis = 0; axis < R; ++axis) {
                index_t const origin =
                    p.shard.coord()[axis] * grid.chunk_shape()[axis] + p.inner.coord()[axis] * inner_shape[axis];
                ASSERT_LT(p.inner.coord()[axis] * inner_shape[axis], grid.chunk_shape()[axis]);
                chunk[axis] = origin;
                auto const in_chunk = p.inner.in_chunk()[axis];
                auto const in_array = p.inner.in_array()[axis];
                ASSERT_EQ(in_chunk.count(), in_array.count());
                for (index_t i = 0; i < in_chunk.count(); ++i) {
                    ASSERT_LT(in_chunk[i], inner_shape[axis]);
                    ASSERT_EQ(origin + in_chunk[i], slab[axis][in_array[i]]) << "the same element on both sides";
                }
                index_t valid = 0;
                index_t const shard_end = (p.shard.coord()[axis] + 1) * grid.chunk_shape()[axis];
                while (valid < inner_shape[axis] && origin + valid < std::min(shard_end, grid.shape()[axis])) ++valid;
                covers = covers && in_chunk.count() == valid;
                ASSERT_EQ(p.inner.pieces()[axis].valid, valid) << "clipped at the end of shard and array";
                elements *= in_chunk.count();
            }
            ASSERT_EQ(p.inner.covers_chunk(), covers);
            ASSERT_TRUE(inner_chunks.insert(chunk).second) << "each inner chunk once";
            auto const box = p.inner.in_array();
            std::array<index_t, R> t{};
            for (index_t e = 0; e < elements; ++e) {
                index_t rest = e;
                for (std::size_t axis = R; axis-- > 0; rest /= box[axis].count())
                    t[axis] = box[axis][rest % box[axis].count()];
                ASSERT_TRUE(places.insert(t).second) << "each element once";
            }
            ++k;
            ++of_shard;
        }
        ASSERT_EQ(in_shard.size(), of_shard);
    }
    ASSERT_EQ(k, plan.size());
    ASSERT_EQ(plan.size_before(j), k);
    ASSERT_EQ(static_cast<index_t>(places.size()), slab.element_count());
}

template <std::size_t R>
void expect_random_nested_plans(int cases) {
    slabwise_test::random_numbers random(200 + R);
    for (int i = 0; i < cases; ++i) {
        std::array<index_t, R> extents{}, outer{}, inner{};
        std::array<slice, R> slices{};
        for (std::size_t axis = 0; axis < R; ++axis) {
            extents[axis] = random.number(1, R == 1 ? 60 : 14);
            bool const divides = random.number(0, 2) == 0;
            inner[axis] = random.number(1, divides ? 4 : 9);
            outer[axis] = divides ? inner[axis] * random.number(1, 4) : random.number(1, 23);
            index_t const first = random.number(0, extents[axis] - 1);
            index_t const stride = random.number(1, random.number(1, 12));
            slices[axis] = random.number(0, 2) == 0 ? slice(first, -1, -stride) : slice(first, extents[axis], stride);
        }
        expect_like_elements<R>({extents, outer}, inner, slices);
        if (testing::Test::HasFatalFailure()) {
            FAIL() << "shape " << sw::shape(extents) << ", shards " << sw::shape(outer) << ", inner chunks "
                   << sw::shape(inner) << ", selection " << sw::hyperslab(slices);
        }
    }
}
TEST(nested_plan, random_rank_1_is_like_its_elements) { expect_random_nested_plans<1>(2000); }
TEST(nested_plan, random_rank_2_is_like_its_elements) { expect_random_nested_plans<2>(1000); }
TEST(nested_plan, random_rank_3_is_like_its_elements) { expect_random_nested_plans<3>(200); }

TEST(nested_plan, of_nothing_and_of_a_scalar) {
    sw::nested_plan const nothing(sw::make_plan(shards, slice{}, slice{0, 11}), sw::shape{2, 3});
    EXPECT_EQ(nothing.size(), 0);
    EXPECT_EQ(nothing.size_before(0), 0);
    sw::nested_plan const scalar(sw::make_plan(sw::chunk_grid<0>{}, sw::hyperslab<0>{}), sw::shape<0>{});
    EXPECT_EQ(scalar.size(), 1);
    EXPECT_EQ(scalar[0].inner.element_count(), 1);
}

TEST(nested_plan, sums_of_floors_are_those_of_a_loop) {
    slabwise_test::random_numbers random(207);
    for (int i = 0; i < 20000; ++i) {
        auto const number = [&](index_t highest) { return static_cast<std::uint64_t>(random.number(0, highest)); };
        std::uint64_t const count = number(30), step = number(50), start = number(70), divisor = 1 + number(20);
        std::uint64_t sum = 0;
        for (std::uint64_t k = 0; k < count; ++k) sum += (step * k + start) / divisor;
        ASSERT_EQ(sw::detail::sum_of_floors(count, step, start, divisor), sum)
            << count << ' ' << step << ' ' << start << ' ' << divisor;
    }
}

TEST(nested_plan, an_inner_chunk_of_nothing_is_refused_and_a_long_one_ends_with_its_shard) {
    auto const plan = sw::make_plan(shards, slice{0, 10}, slice{0, 11});
    EXPECT_EQ(sw::nested_plan(plan, (sw::shape{8, 6})).size(), plan.size());
    expect_selection_error(
        [&] {
            return sw::nested_plan(plan, sw::shape{2, 0});
        },
        1, 0, 1, "chunk grid: axis 1 has chunk extent 0; it is at least 1");
}

// Shards of 12 in inner chunks of 5, 5 and 2; every 4th index jumps over some of the short ones.
constexpr sw::nested_plan<1> ragged(sw::make_plan(sw::chunk_grid<1>{{1000}, {12}}, slice{3, 1000, 4}), sw::shape{5});
// Indices 3 7 11 | 15 19 23 | ...: the pattern repeats every 12, and always meets the short chunk: 3 a shard.
static_assert(ragged.size() == 84 * 3 - 2 && ragged.size_before(10) == 30);
constexpr sw::nested_plan<1> jumping(sw::make_plan(sw::chunk_grid<1>{{1000}, {12}}, slice{0, 1000, 4}), sw::shape{5});
// Indices 0 4 8 | 12 16 20 | ...: never the short chunk, 2 a shard.
static_assert(jumping.size() == 84 * 2 - 1 && jumping.size_before(10) == 20);
// 10^15 shards.
constexpr sw::nested_plan<1> endless(
    sw::make_plan(sw::chunk_grid<1>{{12 * (index_t{1} << 50)}, {12}}, slice{3, 12 * (index_t{1} << 50), 4}), sw::shape{5});
static_assert(endless.size() == 3 * (index_t{1} << 50));
static_assert(endless[3 * (index_t{1} << 49) + 2].inner.in_chunk() == sw::hyperslab{slice{1, 2}});

// 10^15 inner chunks in 10^9 shards: 1000 x 1000 in each.
constexpr index_t million = 1'000'000;
constexpr sw::nested_plan
    large(sw::make_plan(sw::chunk_grid<2>{{10 * million, 400000 * million}, {10000, 4000 * million}},
                        slice{0, 10 * million}, slice{0, 400000 * million, 4 * million}),
          sw::shape{10, 4 * million});
static_assert(large.shards().size() == 1000 * 100 && large.size() == million * 100000);
static_assert(large.size_before(54321) == 54321 * million);
static_assert(large[54321 * million + 987654].shard.coord() == sw::coord_t<2>{543, 21});
static_assert(large[54321 * million + 987654].inner.coord() == sw::coord_t<2>{987, 654});
static_assert(large[54321 * million + 987654].inner.in_array() ==
              sw::hyperslab{slice{5439870, 5439880}, slice{21654, 21655}});
