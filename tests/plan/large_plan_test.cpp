// A plan over 10^18 chunks. The values were computed with Python's integers, each axis' pieces by walking its indices.
#include <slabwise/plan/plan.hpp>

#include <gtest/gtest.h>

namespace sw = slabwise;
using sw::index_t;
using sw::piece;
using sw::slice;

constexpr index_t million = 1'000'000;
constexpr auto large = sw::make_plan(sw::chunk_grid<3>{{3 * million, 2 * million, 10 * million}, {3, 2, 10}},
                                     slice{0, 3 * million}, slice{2 * million - 1, -1, -1}, slice{3, 10 * million, 7});
using pieces = std::array<piece, 3>;

static_assert(large.size() == 1'000'000'000'000'000'000 && large.element_count() == 8'571'426'000'000'000'000);
static_assert(large[0].pieces() == pieces{piece{0, 0, 0, 3, 3}, {999999, 1, 0, 2, 2}, {0, 3, 0, 1, 10}});
static_assert(large[123456789012345678].pieces() ==
              pieces{piece{123456, 0, 370368, 3, 3}, {210987, 1, 1578024, 2, 2}, {345678, 5, 493826, 1, 10}});
static_assert(large[999999999999999999].pieces() ==
              pieces{piece{999999, 0, 2999997, 3, 3}, {0, 1, 1999998, 2, 2}, {999999, 3, 1428570, 1, 10}});
static_assert(large.find({123456, 210987, 345678}) == 123456789012345678);
static_assert(large.find({999999, 0, 999999}) == large.size() - 1 && large.find({0, 0, 1000000}) == large.size());
static_assert(large.elements_before(123456789012345678) == 1058200731216934068);
static_assert(large.projection_of_element(1058200731216934068) == 123456789012345678);
static_assert(large.projection_of_element(1058200731216934067) == 123456789012345677);

static_assert(large.part(1, 64).first() == 15625000000000000 && large.part(1, 64).size() == 15625000000000000);
static_assert(large.part(63, 64).first() == 984375000000000000 && large.part(63, 64).size() == 15625000000000000);
static_assert(large.split(7)[0].size() == 142857142857142858 && large.split(7)[1].first() == 142857142857142858);
static_assert(large.split(7)[6].size() == 142857142857142857, "one share of seven is larger");
static_assert(large.split_by_elements(64)[1].first() == 15625000000000000);
static_assert(large.split_by_elements(64)[63].first() == 984375000000000000);
static_assert(large.split_by_elements(7)[1].first() == 142857142857142857);
static_assert(large.split_by_elements(7)[6].first() == 857142857142857142);
static_assert(large.split_by_elements(7)[6].element_count() == 8571426000000000000 - 7346936571428571426);

TEST(large_plan, is_walked_from_anywhere) {
    index_t k = 123456789012345678;
    for (auto at = large.begin() + k; k < 123456789013000000; k += 1, ++at) ASSERT_EQ(*at, large[k]) << k;
    auto const last = large.part(63, 64);
    EXPECT_EQ(last[last.size() - 1], large[large.size() - 1]);
    EXPECT_EQ(*--last.end(), large[large.size() - 1]);
}

// The largest that fits: 2^63 - 1 = 649657 * 92737 * 153092023 projections, so many elements too.
constexpr auto fullest = sw::make_plan(sw::chunk_grid<3>{{649657, 92737, 153092023}, {1, 1, 1}}, slice{649656, -1, -1},
                                       slice{0, 92737}, slice{0, 153092023});
static_assert(fullest.size() == sw::max_index && fullest.element_count() == sw::max_index);
static_assert(fullest.find({0, 92736, 153092022}) == sw::max_index - 1);
static_assert(fullest[sw::max_index - 1].coord() == sw::coord_t<3>{0, 92736, 153092022});
static_assert(fullest.elements_before(sw::max_index) == sw::max_index);
static_assert(fullest.projection_of_element(sw::max_index - 1) == sw::max_index - 1);
static_assert(fullest.part(63, 64).size() == 144115188075855871 && fullest.part(0, 64).size() == 144115188075855872);
static_assert(fullest.split(sw::max_index)[sw::max_index - 1].size() == 1);
static_assert(fullest.contiguous_runs() == sw::max_index);
