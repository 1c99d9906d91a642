// Plans against numpy: the elements that it selects, in its order, and the chunks in which they lie.
#include <slabwise/plan/list_axis.hpp>
#include <slabwise/plan/plan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "plan/brute_force.hpp"
#include "python_lines.hpp"
#include "seeded_random.hpp"

namespace sw = slabwise;
using slabwise_test::offset_in;
using slabwise_test::places_of;
using slabwise_test::walk_box;
using sw::index_t;

namespace {

index_t read_number(std::istream& in) {
    index_t number = 0;
    in >> number;
    return number;
}
template <std::size_t R>
std::array<index_t, R> read_numbers(std::istream& in) {
    std::array<index_t, R> numbers{};
    for (index_t& number : numbers) number = read_number(in);
    return numbers;
}
std::vector<index_t> read_numbers(std::istream& in, index_t count) {
    std::vector<index_t> numbers(static_cast<std::size_t>(count));
    for (index_t& number : numbers) number = read_number(in);
    return numbers;
}
std::optional<index_t> read_bound(std::istream& in) {
    std::string word;
    in >> word;
    return word == "None" ? std::nullopt : std::optional<index_t>(std::stoll(word));
}

// The selector of the axis with the first of the extents, by its letter.
template <char Kind>
auto read_selector(std::istream& in, std::span<index_t const>& extents) {
    index_t const extent = extents.front();
    extents = extents.subspan(1);
    if constexpr (Kind == 's') {
        auto const first = read_bound(in), stop = read_bound(in), step = read_bound(in);
        return sw::slice::python(first, stop, step, extent);
    } else if constexpr (Kind == 'i') {
        return read_number(in);
    } else {
        return sw::index_list(std::span<index_t const>(read_numbers(in, read_number(in))));
    }
}

// What the plan moves to each place of the selection's array, when every element's value is its place in the array.
template <class Plan>
std::vector<index_t> moved_by(Plan const& plan) {
    auto const grid = plan.grid();
    std::vector<index_t> result(static_cast<std::size_t>(plan.element_count()), -1);
    for (auto const p : plan) {
        std::array<index_t, Plan::rank> counts{}, array_counts{};
        [&]<std::size_t... D>(std::index_sequence<D...>) {
            ((counts[D] = p.pieces()[D].count, array_counts[D] = plan.template axis<D>().count()), ...);
        }
        (std::make_index_sequence<Plan::rank>());
        (void)walk_box(counts, [&](auto const& t) -> char const* {
            auto const places = places_of(plan, p, t, std::make_index_sequence<Plan::rank>());
            std::array<index_t, Plan::rank> in_whole{}, in_array{};
            for (std::size_t axis = 0; axis < Plan::rank; ++axis) {
                in_whole[axis] = p.coord()[axis] * grid.chunk_shape()[axis] + places[axis].in_chunk;
                in_array[axis] = places[axis].in_array;
            }
            result[offset_in(array_counts, in_array)] =
                static_cast<index_t>(offset_in(grid.shape().extents(), in_whole));
            return nullptr;
        });
    }
    return result;
}

template <char... Kinds>
void expect_like_numpy(int cases) {
    constexpr std::size_t R = sizeof...(Kinds);
    std::string const letters{Kinds...};
    std::string const seed = std::to_string(slabwise_test::seed());
    int compared = 0;
    slabwise_test::for_each_line_of(
        "plan/numpy_selections.py " + seed + " " + std::to_string(cases) + " " + letters, [&](std::string const& line) {
            std::istringstream in(line);
            auto const extents = read_numbers<R>(in);
            sw::chunk_grid<R> const grid(extents, read_numbers<R>(in));
            std::span<index_t const> next_extents(extents);  // braces evaluate from left to right
            std::tuple const selectors{read_selector<Kinds>(in, next_extents)...};
            auto const plan = std::apply([&](auto const&... each) { return sw::make_plan(grid, each...); }, selectors);

            auto const kept = read_numbers(in, read_number(in));
            ASSERT_TRUE(std::ranges::equal(plan.shape(), kept)) << line;
            ASSERT_EQ(moved_by(plan), read_numbers(in, plan.element_count())) << line;
            std::vector<index_t> chunks;
            for (auto const p : plan) {
                chunks.push_back(static_cast<index_t>(offset_in(grid.chunk_counts().extents(), p.coord())));
            }
            std::sort(chunks.begin(), chunks.end());
            ASSERT_EQ(chunks, read_numbers(in, read_number(in))) << line;
            ASSERT_TRUE(in) << "too short: " << line;
            ++compared;
        });
    EXPECT_EQ(compared, cases);
}

}  // namespace

TEST(numpy, slices_of_rank_1) { expect_like_numpy<'s'>(1000); }
TEST(numpy, slices_of_rank_2) { expect_like_numpy<'s', 's'>(1000); }
TEST(numpy, slices_of_rank_3) { expect_like_numpy<'s', 's', 's'>(500); }
TEST(numpy, slices_of_rank_4) { expect_like_numpy<'s', 's', 's', 's'>(300); }
TEST(numpy, slices_of_rank_5) { expect_like_numpy<'s', 's', 's', 's', 's'>(300); }
TEST(numpy, a_list_an_index_and_a_slice) { expect_like_numpy<'l', 'i', 's'>(500); }
TEST(numpy, an_index_a_slice_and_two_lists) { expect_like_numpy<'i', 's', 'l', 'l'>(300); }
TEST(numpy, an_index_alone) { expect_like_numpy<'i'>(50); }
