#include <slabwise/plan/list_axis.hpp>
#include <slabwise/plan/plan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "plan/brute_force.hpp"
#include "seeded_random.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::listed;
using slabwise_test::plan_fault;
using sw::index_list;
using sw::index_t;
using sw::slice;

constexpr listed list_of(index_t index) {
    listed result;
    result.add(index);
    return result;
}
constexpr listed list_of(index_list const& list) {
    listed result;
    for (index_t const index : list.indices()) result.add(index);
    return result;
}
constexpr listed list_of(slice const& selected) { return slabwise_test::list_of(selected); }

template <std::size_t Capacity, std::size_t R, class... Selectors>
constexpr char const* mixed_fault(sw::chunk_grid<R> const& on, Selectors const&... selectors) {
    return plan_fault<Capacity>(sw::make_plan(on, selectors...), on, std::array<listed, R>{list_of(selectors)...});
}

// An index drops its axis from the array, not from the chunk.
constexpr sw::chunk_grid<3> box{{9, 8, 7}, {4, 3, 2}};
constexpr auto row = sw::make_plan(box, 5, slice{7, -1, -2}, 6u);
static_assert(row.rank == 3 && row.array_rank == 1 && row.shape() == sw::shape{4} && row.size() == 3);
static_assert(row[0].coord() == sw::coord_t<3>{1, 2, 3});
static_assert(row[0].in_chunk() == sw::hyperslab{slice{1, 2}, slice{1, 2}, slice{0, 1}});
static_assert(row[1].in_chunk() == sw::hyperslab{slice{1, 2}, slice{2, -1, -2}, slice{0, 1}});
static_assert(row[1].in_array() == sw::hyperslab{slice{1, 3}});
static_assert(row.find_element({5, 3, 6}) == 1 && row.find_element({5, 2, 6}) == 3 && row.find_element({4, 3, 6}) == 3);

constexpr auto element = sw::make_plan(box, 8, 7, 6);
static_assert(element.shape() == sw::shape<0>{} && element.size() == 1 && element.element_count() == 1);
static_assert(element[0].in_array() == sw::hyperslab<0>{} && element[0].coord() == sw::coord_t<3>{2, 2, 3});
static_assert(element[0].in_chunk() == sw::hyperslab{slice{0, 1}, slice{1, 2}, slice{0, 1}});

static_assert(mixed_fault<64>(sw::chunk_grid<2>{{5, 7}, {2, 3}}, 3, slice{6, -1, -2}) == nullptr);
static_assert(mixed_fault<64>(sw::chunk_grid<2>{{5, 7}, {2, 3}}, slice{0, 5}, std::uint8_t{6}) == nullptr);
static_assert(std::is_same_v<decltype(sw::make_plan(box, slice{}, slice{}, slice{})), sw::plan<3>>);
static_assert(!sw::AxisSelector<double> && !sw::AxisSelector<char const*> && sw::AxisSelector<short>);

TEST(mixed_plan, of_indices_and_slices) {
    EXPECT_STREQ(mixed_fault<2048>(box, slice{0, 9}, 0, slice{6, -1, -1}), nullptr);
    EXPECT_STREQ(mixed_fault<2048>(box, slice{8, -1, -3}, 7, slice{1, 7, 3}), nullptr);
    EXPECT_STREQ(mixed_fault<2048>(box, slice{}, 3, slice{1, 7, 3}), nullptr);
}

TEST(mixed_plan, of_an_index_outside_is_refused) {
    expect_selection_error([] { return sw::make_plan(box, 0, 8, slice{}); }, 1, 8, 8,
                           "axis 1: index 8 is out of bounds for extent 8");
    expect_selection_error([] { return sw::make_plan(box, -1, 0, slice{}); }, 0, -1, 9,
                           "axis 0: index -1 is out of bounds for extent 9");
    expect_selection_error([] { return sw::make_plan(box, 0, UINT64_MAX, slice{}); }, 1, sw::max_index, 8,
                           "axis 1: index 9223372036854775807 is out of bounds for extent 8");
    expect_selection_error(
        [] {
            return sw::make_plan(box, 0, 0, index_list{3, 7});
        },
        2, 7, 7, "axis 2: index 7 is out of bounds for extent 7");
    expect_selection_error(
        [] {
            return sw::make_plan(box, index_list{3, -2, 11}, 0, 0);
        },
        0, -2, 9, "axis 0: index -2 is out of bounds for extent 9");
}

// A list is grouped by chunk; each group keeps the order of the list and knows where its indices go.
TEST(index_list, is_grouped_by_chunk) {
    auto const plan = sw::make_plan(sw::chunk_grid<1>{{20}, {5}}, index_list{17, 3, 16, 3, 0, 15});
    ASSERT_EQ(plan.size(), 2);
    auto const& axis = plan.axis<0>();
    auto const values = [](std::span<index_t const> span) { return std::vector<index_t>(span.begin(), span.end()); };
    EXPECT_EQ(plan.shape(), sw::shape{6});
    EXPECT_EQ(plan[0].piece<0>(), (sw::piece{0, 3, 0, 3, 5}));
    EXPECT_EQ(values(axis.in_chunk(plan[0].piece<0>())), (std::vector<index_t>{3, 3, 0}));
    EXPECT_EQ(values(axis.in_array(plan[0].piece<0>())), (std::vector<index_t>{1, 3, 4}));
    EXPECT_EQ(plan[1].piece<0>(), (sw::piece{3, 2, 3, 3, 5}));
    EXPECT_EQ(values(axis.in_chunk(plan[1].piece<0>())), (std::vector<index_t>{2, 1, 0}));
    EXPECT_EQ(values(axis.in_array(plan[1].piece<0>())), (std::vector<index_t>{0, 2, 5}));
    EXPECT_EQ(plan.find({3}), 1);
    EXPECT_EQ(plan.find({1}), 2);
    EXPECT_EQ(plan.find_element({15}), 1);
    EXPECT_EQ(plan.find_element({18}), 2);
    EXPECT_EQ(plan.chunk_box()[0], slice(0, 4));
}

TEST(index_list, of_nothing_touches_nothing) {
    auto const plan = sw::make_plan(box, index_list(std::span<index_t const>()), slice{0, 8}, 3);
    EXPECT_TRUE(plan.empty());
    EXPECT_EQ(plan.shape(), (sw::shape{0, 8}));
    EXPECT_EQ(plan.begin(), plan.end());
    EXPECT_STREQ(mixed_fault<2048>(box, index_list(std::span<index_t const>()), slice{0, 8}, 3), nullptr);
}

TEST(mixed_plan, list_has_the_runs_of_the_slice_that_lists_the_same) {
    auto const indices_of = [](slice const& selected) {
        std::vector<index_t> indices;
        for (index_t i = 0; i < selected.count(); ++i) indices.push_back(selected[i]);
        return index_list(indices);
    };
    sw::chunk_grid<2> const grid({12, 10}, {4, 5});
    for (auto const& rows : {slice(0, 12), slice(11, -1, -1), slice(2, 9), slice(8, 1, -1), slice(1, 12, 3)}) {
        for (auto const& columns : {slice(0, 10), slice(9, -1, -1), slice(1, 9), slice(7, 2, -1), slice(9, -1, -2)}) {
            index_t const runs = sw::make_plan(grid, rows, columns).contiguous_runs();
            EXPECT_EQ(sw::make_plan(grid, indices_of(rows), columns).contiguous_runs(), runs);
            EXPECT_EQ(sw::make_plan(grid, rows, indices_of(columns)).contiguous_runs(), runs);
            EXPECT_EQ(sw::make_plan(grid, indices_of(rows), indices_of(columns)).contiguous_runs(), runs);
        }
    }
}

TEST(mixed_plan, random_lists_are_like_brute_force) {
    slabwise_test::random_numbers random(100);
    for (int i = 0; i < 3000; ++i) {
        sw::shape<3> const array(random.number(1, 12), random.number(1, 12), random.number(1, 12));
        sw::chunk_grid<3> const grid(
            array, sw::shape(random.number(1, 6), random.number(1, 6), random.number(1, random.number(1, 14))));
        auto const list_on = [&](std::size_t axis) {
            std::vector<index_t> indices(static_cast<std::size_t>(random.number(0, 9)));
            for (index_t& index : indices) index = random.number(0, array[axis] - 1);
            if (random.number(0, 1) == 0) std::sort(indices.begin(), indices.end());
            return index_list(indices);
        };
        auto const slice_on = [&](std::size_t axis) {
            index_t const first = random.number(0, array[axis] - 1);
            return random.number(0, 1) == 0 ? slice(first, array[axis], random.number(1, 5))
                                            : slice(first, -1, -random.number(1, 5));
        };
        auto const index_on = [&](std::size_t axis) { return random.number(0, array[axis] - 1); };
        ASSERT_STREQ(mixed_fault<2048>(grid, list_on(0), slice_on(1), index_on(2)), nullptr);
        ASSERT_STREQ(mixed_fault<2048>(grid, index_on(0), list_on(1), list_on(2)), nullptr);
        ASSERT_STREQ(mixed_fault<2048>(grid, slice_on(0), static_cast<int>(index_on(1)), slice_on(2)), nullptr);
    }
}
