#include <slabwise/plan/list_axis.hpp>
#include <slabwise/plan/plan.hpp>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;
using sw::slice;

// One column of 1000 rows in chunks of 100 x 20: ten chunks of 2000 elements for 1000 elements, each a run of its own.
constexpr sw::chunk_grid<2> table{{1000, 50}, {100, 20}};
constexpr auto column = sw::make_plan(table, slice{0, 1000}, slice{7, 8}).cost(4);
static_assert(column.chunks == 10 && column.elements == 1000 && column.contiguous_runs == 1000);
static_assert(column.bytes_chunks == 80000 && column.bytes_used == 4000 && column.read_amplification() == 20.0);

// Everything: the edge chunks, clipped on the last axis, are stored whole but are no single run.
constexpr auto everything = sw::make_plan(table, slice{0, 1000}, slice{0, 50}).cost(4);
static_assert(everything.chunks == 30 && everything.elements == 50000);
static_assert(everything.contiguous_runs == 20 + 10 * 100);
static_assert(everything.bytes_chunks == 240000 && everything.bytes_used == 200000);
static_assert(everything.read_amplification() == 1.2);

// Backwards lie the same elements; a stride on the first axis parts the rows, one on the last every element.
constexpr index_t runs_of(slice const& rows, slice const& columns) {
    return sw::make_plan(table, rows, columns).contiguous_runs();
}
static_assert(runs_of(slice{999, -1, -1}, slice{49, -1, -1}) == 20 + 10 * 100);
static_assert(runs_of(slice{0, 200}, slice{0, 20}) == 2);
static_assert(runs_of(slice{1, 200}, slice{0, 20}) == 2);
static_assert(runs_of(slice{0, 200, 2}, slice{0, 20}) == 100);
static_assert(runs_of(slice{0, 200}, slice{0, 20, 2}) == 2000);
static_assert(runs_of(slice{0, 200}, slice{0, 19}) == 200);
static_assert(runs_of(slice{0, 200}, slice{10, 30}) == 400);
static_assert(runs_of(slice{}, slice{10, 30}) == 0);
static_assert(sw::make_plan(sw::chunk_grid<3>{{8, 6, 1}, {2, 3, 1}}, slice{0, 8}, 4, slice{0, 1}).contiguous_runs() ==
              8);
static_assert(sw::make_plan(sw::chunk_grid<3>{{8, 6, 9}, {4, 1, 9}}, slice{0, 8}, 4, slice{0, 9}).contiguous_runs() ==
                  2,
              "a chunk of one row is taken whole by an index");

constexpr auto none = sw::make_plan(table, slice{}, slice{0, 50}).cost(8);
static_assert(none.chunks == 0 && none.bytes_chunks == 0 && none.bytes_used == 0 && none.read_amplification() == 0.0);
static_assert(sw::make_plan(sw::chunk_grid<0>{}, sw::hyperslab<0>{}).cost(8).bytes_chunks == 8);

TEST(cost, more_than_63_bits_of_bytes_throws) {
    index_t const large = index_t{1} << 61;
    auto const first_of = [](index_t extent, index_t length, index_t count) {
        return sw::make_plan(sw::chunk_grid<1>{{extent}, {length}}, slice{0, count});
    };
    EXPECT_EQ(first_of(large, large, 5).cost(3).bytes_chunks, 3 * large);
    expect_selection_error([&] { return first_of(large, large, 5).cost(4); }, no_axis, sw::max_index, sw::max_index,
                           "the bytes of a chunk exceed 2^63 - 1");
    expect_selection_error([&] { return first_of(3 * large, 2 * large, 3 * large).cost(2); }, no_axis, sw::max_index,
                           sw::max_index, "the bytes of a chunk exceed 2^63 - 1");
    expect_selection_error([&] { return first_of(large, large / 2 + 1, large).cost(4); }, no_axis, sw::max_index,
                           sw::max_index, "the bytes of the touched chunks exceed 2^63 - 1");
    EXPECT_EQ(first_of(large, large / 2 + 1, large / 2).cost(4).bytes_used, 2 * large);
    expect_selection_error([&] { return first_of(large, 1, large).cost(4); }, no_axis, sw::max_index, sw::max_index,
                           "the bytes of the touched chunks exceed 2^63 - 1");
    auto const twice = sw::make_plan(sw::chunk_grid<1>{{1}, {1}}, sw::index_list{0, 0});
    EXPECT_EQ(twice.cost(large).bytes_chunks, large) << "read once, used twice";
    EXPECT_EQ(twice.cost(large).bytes_used, 2 * large);
    expect_selection_error([&] { return twice.cost(2 * large); }, no_axis, sw::max_index, sw::max_index,
                           "the bytes of the selected elements exceed 2^63 - 1");
}

TEST(cost, of_elements_without_bytes_is_refused) {
    auto const whole = sw::make_plan(table, slice{0, 1000}, slice{0, 50});
    expect_selection_error([&] { return whole.cost(0); }, no_axis, 0, 1, "cost: element size 0 is below 1");
    expect_selection_error([&] { return whole.cost(-8); }, no_axis, -8, 1, "cost: element size -8 is below 1");
}
