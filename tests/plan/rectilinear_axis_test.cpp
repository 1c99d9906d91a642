// Plans on rectilinear grids against a walk over the selected indices, one by one.
#include <slabwise/plan/rectilinear_axis.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "expect_error.hpp"
#include "seeded_random.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;
using sw::piece;
using sw::slice;

namespace {

/// The lengths of all chunks, one by one.
std::vector<index_t> lengths_of(std::vector<sw::edge_run> const& runs) {
    std::vector<index_t> lengths;
    for (auto const& run : runs) lengths.insert(lengths.end(), static_cast<std::size_t>(run.count), run.length);
    return lengths;
}

/// The pieces of a slice, and for each the length at which its chunk is stored.
struct walked {
    std::vector<piece> pieces;
    std::vector<index_t> stored;
};
walked walk(slice const& selected, index_t extent, std::vector<index_t> const& lengths) {
    walked found;
    for (index_t i = 0; i < selected.count(); ++i) {
        index_t begin = 0;
        std::size_t chunk = 0;
        while (begin + lengths[chunk] <= selected[i]) begin += lengths[chunk++];
        if (found.pieces.empty() || found.pieces.back().chunk != static_cast<index_t>(chunk)) {
            index_t const valid = std::min(lengths[chunk], extent - begin);
            found.pieces.push_back({static_cast<index_t>(chunk), selected[i] - begin, i, 0, valid});
            found.stored.push_back(lengths[chunk]);
        }
        ++found.pieces.back().count;
    }
    return found;
}

void expect_like_the_walk(slice const& selected, index_t extent, std::vector<sw::edge_run> const& runs) {
    auto const lengths = lengths_of(runs);
    auto const expected = walk(selected, extent, lengths);
    sw::rectilinear_axis const axis(selected, extent, sw::chunk_edges(runs), 0);
    auto const size = static_cast<index_t>(expected.pieces.size());
    ASSERT_EQ(axis.size(), size);
    ASSERT_EQ(axis.count(), selected.count());
    index_t full = 0;
    index_t stored = 0;
    std::vector<index_t> piece_of_chunk(lengths.size(), size);
    std::vector<index_t> piece_of_index(static_cast<std::size_t>(extent), size);
    auto at = axis.begin();
    for (index_t k = 0; k < size; ++k) {
        auto const place = static_cast<std::size_t>(k);
        piece const& wanted = expected.pieces[place];
        ASSERT_EQ(static_cast<piece const&>(at), wanted);
        ASSERT_EQ(static_cast<piece const&>(axis[k]), wanted);
        ASSERT_EQ(axis.stored_length(at), expected.stored[place]);
        ASSERT_EQ(axis.is_last(at), k + 1 == size);
        full += wanted.count == expected.stored[place] ? 1 : 0;
        stored += expected.stored[place];
        piece_of_chunk[static_cast<std::size_t>(wanted.chunk)] = k;
        for (index_t i = wanted.first_in_array; i < wanted.first_in_array + wanted.count; ++i) {
            ASSERT_EQ(axis.piece_of(i), k);
            piece_of_index[static_cast<std::size_t>(selected[i])] = k;
        }
        if (k + 1 < size) axis.advance(at);
    }
    ASSERT_EQ(axis.full_pieces(), full);
    ASSERT_EQ(axis.stored_lengths(), stored);
    for (index_t chunk = -2; chunk < static_cast<index_t>(lengths.size()) + 2; ++chunk) {
        bool const exists = chunk >= 0 && chunk < static_cast<index_t>(lengths.size());
        ASSERT_EQ(axis.find(chunk), exists ? piece_of_chunk[static_cast<std::size_t>(chunk)] : size) << chunk;
    }
    for (index_t index = -2; index < extent + 2; ++index) {
        bool const exists = index >= 0 && index < extent;
        ASSERT_EQ(axis.find_index(index), exists ? piece_of_index[static_cast<std::size_t>(index)] : size) << index;
    }
    if (size == 0) return;
    auto const [low, high] = std::minmax(expected.pieces.front().chunk, expected.pieces.back().chunk);
    ASSERT_EQ(axis.lowest_chunk(), low);
    ASSERT_EQ(axis.highest_chunk(), high);
}

}  // namespace

TEST(rectilinear_axis, every_slice_of_some_edges) {
    std::vector<std::vector<sw::edge_run>> const all{
        {{4, 3}}, {{1, 1}, {5, 2}, {2, 1}}, {{3, 1}, {3, 1}, {1, 4}, {6, 1}}, {{7, 1}, {1, 3}, {40, 2}},
        {{20, 1}}, {{1, 12}}, {{2, 2}, {3, 2}, {2, 2}}};
    for (auto const& runs : all) {
        for (index_t const extent : {index_t{0}, index_t{1}, index_t{9}, index_t{12}}) {
            for (index_t stride = -8; stride <= 8; ++stride) {
                if (stride == 0) continue;
                for (index_t first = 0; first < extent; ++first) {
                    index_t last = first;
                    for (index_t count = 0; count == 0 || (last >= 0 && last < extent); ++count) {
                        expect_like_the_walk(slice::counted(first, count, stride), extent, runs);
                        if (HasFatalFailure()) {
                            FAIL() << first << " count " << count << " stride " << stride << " extent " << extent;
                        }
                        last = first + count * stride;
                    }
                }
            }
        }
    }
}

TEST(rectilinear_axis, random_slices_of_random_edges) {
    slabwise_test::random_numbers numbers(401);
    for (int round = 0; round < 3000; ++round) {
        std::vector<sw::edge_run> runs;
        index_t reach = 0;
        for (index_t left = numbers.number(1, 8); left > 0; --left) {
            runs.push_back({numbers.number(1, numbers.number(1, 30)), numbers.number(1, 6)});
            reach += runs.back().length * runs.back().count;
        }
        index_t const extent = numbers.number(1, reach);
        index_t const stride = numbers.number(1, numbers.number(1, extent + 1)) * (numbers.number(0, 1) == 0 ? 1 : -1);
        index_t const first = numbers.number(0, extent - 1);
        index_t const room = (stride > 0 ? extent - 1 - first : first) / std::abs(stride) + 1;
        expect_like_the_walk(slice::counted(first, numbers.number(0, room), stride), extent, runs);
        if (HasFatalFailure()) FAIL() << "round " << round;
    }
}

// A plan of two axes: its projections, cost and look-ups follow from those of the axes.
TEST(rectilinear_axis, makes_plans_of_any_rank) {
    sw::rectilinear_grid<2> const grid({11, 7}, {sw::chunk_edges{{2, 1}, {5, 2}}, sw::chunk_edges{{4, 1}, {1, 9}}});
    auto const plan = sw::make_plan(grid, sw::hyperslab<2>{slice{10, -1, -3}, slice{2, 6}});
    static_assert(!plan.is_regular);
    // Rows 10, 7, 4, 1 lie in chunks 2 | 2 (from 7 on) | 1 | 0; columns 2, 3 | 4 | 5 in chunks 0, 1, 2.
    ASSERT_EQ(plan.size(), 3 * 3);
    EXPECT_EQ(plan.shape(), (sw::shape<2>{4, 4}));
    EXPECT_EQ(plan[0].coord(), (sw::coord_t<2>{2, 0}));
    EXPECT_EQ(plan[0].in_chunk(), (sw::hyperslab<2>{slice{3, -1, -3}, slice{2, 4}}));
    EXPECT_EQ(plan[0].in_array(), (sw::hyperslab<2>{slice{0, 2}, slice{0, 2}}));
    EXPECT_EQ(plan[0].chunk_lengths(), (std::array<index_t, 2>{5, 4}));
    EXPECT_EQ(plan[8].coord(), (sw::coord_t<2>{0, 2}));
    EXPECT_EQ(plan[8].chunk_lengths(), (std::array<index_t, 2>{2, 1}));
    EXPECT_EQ(plan.find({1, 1}), 4);
    EXPECT_EQ(plan.find_element({4, 5}), 5);
    EXPECT_EQ(plan.find_element({5, 5}), 9);
    // (5 + 5 + 2) x (4 + 1 + 1) elements of 8 bytes lie in the chunks touched.
    EXPECT_EQ(plan.cost(8).bytes_chunks, 12 * 6 * 8);
    EXPECT_EQ(plan.cost(8).bytes_used, 16 * 8);
    index_t elements = 0;
    index_t k = 0;
    for (auto const projection : plan) {
        EXPECT_EQ(plan.elements_before(k), elements);
        EXPECT_EQ(projection, plan[k++]);
        elements += projection.element_count();
    }
    EXPECT_EQ(elements, 16);
}

// Of chunks of one length it is the regular plan.
TEST(rectilinear_axis, of_one_run_is_regular) {
    sw::chunk_grid<1> const regular({1000}, {7});
    sw::rectilinear_grid<1> const same({1000}, {sw::chunk_edges{{7, 200}}});
    for (index_t const stride : {index_t{1}, index_t{3}, index_t{50}, index_t{-2}}) {
        sw::hyperslab<1> const slab{slice::counted(stride > 0 ? 5 : 990, 15, stride)};
        auto const a = sw::make_plan(regular, slab);
        auto const b = sw::make_plan(same, slab);
        ASSERT_EQ(a.size(), b.size());
        for (index_t k = 0; k < a.size(); ++k) EXPECT_EQ(a[k], b[k]);
        EXPECT_EQ(a.cost(4).bytes_chunks, b.cost(4).bytes_chunks);
        EXPECT_EQ(a.contiguous_runs(), b.contiguous_runs());
    }
}

// 10^9 equal edges are one run.
TEST(rectilinear_axis, costs_runs_not_chunks) {
    constexpr index_t many = 1'000'000'000;
    sw::rectilinear_grid<1> const grid({3 * many + 10}, {sw::chunk_edges{{3, many}, {100, many}}});
    EXPECT_EQ(grid.edges()[0].runs().size(), 2U);
    EXPECT_EQ(grid.chunk_counts(), (sw::shape<1>{many + 1}));
    auto const plan = sw::make_plan(grid, sw::hyperslab<1>::all(grid.shape()));
    EXPECT_EQ(plan.size(), many + 1);
    EXPECT_EQ(plan[many].coord(), (sw::coord_t<1>{many}));
    EXPECT_EQ(plan[many].in_chunk(), (sw::hyperslab<1>{slice{0, 10}}));
    EXPECT_FALSE(plan[many].copies_chunk_in_order());
    EXPECT_TRUE(plan[many].covers_chunk());
    EXPECT_EQ(plan.find_element({3 * many - 1}), many - 1);
}

TEST(rectilinear_axis, a_chunk_that_reaches_past_all_indices_counts_whole) {
    constexpr index_t most = sw::max_index;
    sw::rectilinear_grid<1> const grid({most}, {sw::chunk_edges{{8, 1}, {most, 1}}});
    auto const plan = sw::make_plan(grid, sw::hyperslab<1>{slice{most - 1, 4, -2}});
    EXPECT_EQ(plan.size(), 2);
    EXPECT_EQ(plan[0].in_chunk(), (sw::hyperslab<1>{slice{most - 9, -1, -2}}));
    EXPECT_EQ(plan.axis(0).stored_lengths(), std::uint64_t{8} + static_cast<std::uint64_t>(most));
    expect_selection_error([&] { (void)plan.cost(1); }, no_axis, most, most,
                           "the bytes of the touched chunks exceed 2^63 - 1");
    EXPECT_EQ(sw::make_plan(grid, sw::hyperslab<1>{slice{0, 8}}).cost(1).bytes_chunks, 8);
    EXPECT_EQ(sw::make_plan(grid, sw::hyperslab<1>{slice{8, 8}}).cost(1).bytes_chunks, 0);
}

TEST(rectilinear_axis, an_index_outside_throws_the_bound) {
    sw::rectilinear_grid<2> const grid({4, 5}, {sw::chunk_edges{{4, 2}}, sw::chunk_edges{{2, 1}, {3, 5}}});
    expect_selection_error([&] { (void)sw::make_plan(grid, sw::hyperslab<2>{slice{0, 4}, slice{0, 6}}); },
                           1, 5, 5,
                           "axis 1: index 5 is out of bounds for extent 5");
    expect_selection_error([&] { (void)sw::make_plan(grid, sw::hyperslab<2>{slice{2, -2, -1}, slice{0, 5}}); },
                           0, -1, 4,
                           "axis 0: index -1 is out of bounds for extent 4");
}
