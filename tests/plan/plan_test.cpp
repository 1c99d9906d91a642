#include <slabwise/plan/plan.hpp>
#include <slabwise/plan/print.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "plan/brute_force.hpp"
#include "seeded_random.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using slabwise_test::plan_fault;
using sw::index_t;
using sw::slice;

// Three axes of one kind each, values by hand.
constexpr sw::chunk_grid<3> model_grid{{1560, 128, 256}, {256, 64, 128}};
constexpr sw::hyperslab<3> model_slab{slice{0, 1560, 3}, slice{5, 100}, slice{255, -1, -2}};
constexpr auto model = sw::make_plan(model_grid, model_slab);
static_assert(std::is_same_v<decltype(model), sw::plan<3> const>);
static_assert(model.size() == 28 && model.shape() == sw::shape{520, 95, 128} && model.element_count() == 6323200);
static_assert(model.grid() == model_grid &&
              model == sw::make_plan(model_grid, model_slab[0], model_slab[1], model_slab[2]));
static_assert(model[0].coord() == sw::coord_t<3>{0, 0, 1} && model[1].coord() == sw::coord_t<3>{0, 0, 0});
static_assert(model[0].in_chunk() == sw::hyperslab{slice{0, 256, 3}, slice{5, 64}, slice{127, -1, -2}});
static_assert(model[0].in_array() == sw::hyperslab{slice{0, 86}, slice{0, 59}, slice{0, 64}});
static_assert(model[27].coord() == sw::coord_t<3>{6, 1, 0});
static_assert(model[27].in_chunk() == sw::hyperslab{slice{0, 22, 3}, slice{0, 36}, slice{127, -1, -2}});
static_assert(model[27].in_array() == sw::hyperslab{slice{512, 520}, slice{59, 95}, slice{64, 128}});
static_assert(model.find({6, 1, 0}) == 27 && model.find({7, 0, 0}) == 28);
static_assert(model.find_element({1557, 99, 1}) == 27 && model.find_element({1557, 99, 2}) == 28);
static_assert(model.chunk_box() == sw::hyperslab{slice{0, 7}, slice{0, 2}, slice{0, 2}});

static_assert(plan_fault<64, 1>({{13}, {4}}, {slice{12, -1, -1}}) == nullptr);
static_assert(plan_fault<64, 1>({{13}, {4}}, {slice{1, 13, 5}}) == nullptr);
static_assert(plan_fault<64, 2>({{5, 7}, {2, 3}}, {slice{0, 5}, slice{6, -1, -2}}) == nullptr);
static_assert(plan_fault<64, 2>({{4, 6}, {9, 1}}, {slice{0, 4}, slice{0, 6, 5}}) == nullptr);
static_assert(plan_fault<64, 3>({{3, 1, 4}, {2, 1, 2}}, {slice{2, -1, -1}, slice{0, 1}, slice{0, 4}}) == nullptr);
static_assert(plan_fault<64, 3>({{3, 0, 4}, {2, 1, 2}}, {slice{0, 3}, slice{}, slice{0, 4}}) == nullptr);
static_assert(plan_fault<64, 4>({{2, 3, 1, 2}, {1, 2, 2, 2}},
                                {slice{0, 2}, slice{1, 3}, slice{0, 1}, slice{1, -1, -1}}) == nullptr);

// A random grid and hyperslab, neither of more than 2048 elements.
template <std::size_t R>
std::pair<sw::chunk_grid<R>, sw::hyperslab<R>> random_case(slabwise_test::random_numbers& random) {
    index_t const longest = std::array<index_t, 6>{1, 24, 24, 12, 7, 6}[R];
    while (true) {
        std::array<index_t, R> extents{}, lengths{};
        std::array<slice, R> slices{};
        for (std::size_t axis = 0; axis < R; ++axis) {
            index_t const extent = random.number(random.number(0, 39) == 0 ? 0 : 1, longest);
            extents[axis] = extent;
            lengths[axis] = random.number(1, random.number(0, 2) == 0 ? longest + 2 : 4);
            if (extent == 0) continue;
            index_t const stride = random.number(0, 1) == 0 ? 1 : random.number(1, longest + 1);
            bool const is_long = random.number(0, 2) != 0;
            index_t const first = random.number(0, is_long ? extent / 4 : extent - 1);
            index_t const stop = random.number(is_long ? extent : first + (random.number(0, 19) == 0 ? 0 : 1), extent);
            bool const rises = random.number(0, 2) != 0;
            slices[axis] = rises ? slice(first, stop, stride) : slice(extent - 1 - first, extent - 1 - stop, -stride);
        }
        if (slabwise_test::product_of(extents) <= 2048 && slabwise_test::product_of(lengths) <= 2048) {
            return {sw::chunk_grid<R>(extents, lengths), sw::hyperslab<R>(slices)};
        }
    }
}

template <std::size_t R>
void expect_random_plans(int cases) {
    slabwise_test::random_numbers random(R);
    for (int i = 0; i < cases; ++i) {
        auto const [some_grid, some_slab] = random_case<R>(random);
        ASSERT_STREQ((plan_fault<2048>(some_grid, some_slab)), nullptr)
            << "shape " << some_grid.shape() << ", chunks " << some_grid.chunk_shape() << ", selection " << some_slab;
    }
}
TEST(plan, random_rank_1_is_like_brute_force) { expect_random_plans<1>(5000); }
TEST(plan, random_rank_2_is_like_brute_force) { expect_random_plans<2>(5000); }
TEST(plan, random_rank_3_is_like_brute_force) { expect_random_plans<3>(4000); }
TEST(plan, random_rank_4_is_like_brute_force) { expect_random_plans<4>(2000); }
TEST(plan, random_rank_5_is_like_brute_force) { expect_random_plans<5>(1000); }

// Rank 0: one chunk of one element.
constexpr auto scalar = sw::make_plan(sw::chunk_grid<0>{}, sw::hyperslab<0>{});
static_assert(scalar.size() == 1 && scalar.element_count() == 1 && scalar.shape() == sw::shape<0>{});
static_assert(scalar.find({}) == 0 && scalar.find_element({}) == 0 && scalar[0].coord() == sw::coord_t<0>{});
static_assert(scalar[0].covers_chunk() && scalar[0].copies_chunk_in_order() && scalar[0].element_count() == 1);
static_assert(scalar[0].in_chunk() == sw::hyperslab<0>{} && scalar.contiguous_runs() == 1);
static_assert(scalar.elements_before(0) == 0 && scalar.elements_before(1) == 1);
static_assert(plan_fault<1>(sw::chunk_grid<0>{}, sw::hyperslab<0>{}) == nullptr);

// A selection of nothing touches nothing, whatever the other axes are.
constexpr auto nothing =
    sw::make_plan(sw::chunk_grid<2>{{5, sw::max_index}, {2, 1}}, slice{3, 3}, slice{0, sw::max_index});
static_assert(nothing.size() == 0 && nothing.empty() && nothing.element_count() == 0);
static_assert(nothing.shape() == sw::shape{index_t{0}, sw::max_index} && nothing.find({0, 0}) == 0);
static_assert(nothing.begin() == nothing.end() && nothing.elements_before(0) == 0);
static_assert(nothing.chunk_box() == sw::hyperslab<2>{});
static_assert(sw::make_plan(sw::chunk_grid<1>{{0}, {3}}, slice{}).size() == 0, "an array without elements");

TEST(plan, reports_the_axis_whose_index_is_outside) {
    sw::chunk_grid<3> const small{{4, 5, 6}, {2, 2, 2}};
    expect_selection_error(
        [&] {
            return sw::make_plan(small, slice{0, 4}, slice{0, 6}, slice{0, 7});
        },
        1, 5, 5, "axis 1: index 5 is out of bounds for extent 5");
    expect_selection_error(
        [&] {
            return sw::make_plan(small, slice{0, 4}, slice{0, 5}, slice{-1, 6});
        },
        2, -1, 6, "axis 2: index -1 is out of bounds for extent 6");
}

TEST(plan, more_than_63_bits_of_projections_or_elements_throws) {
    index_t const half = index_t{1} << 32;
    auto const whole = [](sw::chunk_grid<2> const& all) {
        return sw::make_plan(all, sw::hyperslab<2>::all(all.shape()));
    };
    expect_selection_error(
        [&] {
            return whole({{half, half / 2}, {1, 1}});
        },
        no_axis, sw::max_index, sw::max_index, "plan: the number of projections exceeds 2^63 - 1");
    expect_selection_error(
        [&] {
            return whole({{half, half / 2}, {8, 8}});
        },
        no_axis, sw::max_index, sw::max_index, "plan: the number of elements exceeds 2^63 - 1");
    EXPECT_EQ(whole({{half, half / 2 - 1}, {1, 1}}).size(), 9223372032559808512);
}

// A projection is a value: it stays right when its plan is gone.
constexpr auto from_temporary_plan() { return sw::make_plan(model_grid, model_slab)[27]; }
static_assert(from_temporary_plan() == model[27]);
static_assert(sizeof(model[0]) == 3 * 56 && std::is_trivially_copyable_v<sw::plan<3>::value_type>);

// A projection covers its chunk in any direction; it is the chunk as stored only in order and unclipped.
constexpr sw::chunk_grid<1> line{{10}, {4}};
static_assert(sw::make_plan(line, slice{0, 10})[0].copies_chunk_in_order());
static_assert(sw::make_plan(line, slice{0, 10})[2].covers_chunk());
static_assert(!sw::make_plan(line, slice{0, 10})[2].copies_chunk_in_order(), "the edge clips it");
static_assert(sw::make_plan(line, slice{9, -1, -1})[1].covers_chunk());
static_assert(!sw::make_plan(line, slice{9, -1, -1})[1].copies_chunk_in_order(), "backwards");
static_assert(!sw::make_plan(line, slice{1, 10})[0].covers_chunk());
static_assert(sw::make_plan(sw::chunk_grid<1>{{10}, {1}}, slice{9, -1, -3})[1].copies_chunk_in_order(),
              "one element has no direction");
