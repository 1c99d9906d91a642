#include <slabwise/copy/copy_program.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>
#include <slabwise/copy/reference_copy.hpp>

namespace sw = slabwise;
using copy_test::copy_axis;
using copy_test::index_t;

namespace {

struct element {
    std::size_t size;
    std::size_t swap_size;
};
constexpr element elements[] = {{1, 1},   {2, 1},   {3, 1},   {4, 1}, {6, 1},  {8, 1},  {12, 1}, {16, 1},  {24, 1},
                                {40, 1},  {300, 1}, {600, 1}, {2, 2}, {4, 4},  {8, 8},  {4, 2},  {8, 4},   {16, 8},
                                {16, 16}, {32, 16}, {3, 3},   {6, 2}, {12, 4}, {12, 3}, {24, 8}, {300, 4}, {300, 150}};

void expect_right(element const& each, std::span<copy_axis const> axes, copy_test::random& numbers) {
    sw::copy_program const program(each.size, each.swap_size, axes);
    copy_test::expect_like_brute_force(each.size, each.swap_size, axes, numbers, program);
}

// Axes with places of their own for all elements of the destination, and the tables that they point to.
struct layout {
    std::vector<copy_axis> axes;
    std::vector<std::vector<index_t>> tables;
};

// Byte strides of a nest in a random order of the axes, with gaps or without, forwards or backwards.
std::vector<index_t> nested_strides(std::vector<index_t> const& counts, index_t element_size,
                                    copy_test::random& numbers, bool has_gaps) {
    std::vector<std::size_t> order(counts.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = order.size() - 1 - i;
    if (numbers.chance(50)) {
        for (std::size_t i = order.size(); i-- > 1;) {
            std::swap(order[i], order[numbers.number<std::size_t>(0, static_cast<index_t>(i))]);
        }
    }
    std::vector<index_t> strides(counts.size());
    index_t stride = element_size;
    for (std::size_t const axis : order) {
        if (has_gaps && numbers.chance(40)) stride += numbers.number(1, 9);
        strides[axis] = numbers.chance(25) ? -stride : stride;
        stride *= std::max<index_t>(counts[axis], 1);
    }
    return strides;
}

// Any byte strides whose elements happen not to overlap: axes may interleave.
std::vector<index_t> interleaved_strides(std::vector<index_t> const& counts, index_t element_size,
                                         copy_test::random& numbers) {
    for (int attempt = 0; attempt < 20; ++attempt) {
        std::vector<copy_axis> axes;
        std::vector<index_t> strides;
        for (index_t const count : counts) {
            strides.push_back(numbers.number(-12, 12) * element_size);
            axes.push_back({count, 0, strides.back()});
        }
        std::set<index_t> places;
        auto const all = copy_test::moves_of(axes);
        for (auto const& [source, destination] : all) places.insert(destination);
        if (places.size() == all.size()) return strides;
    }
    return nested_strides(counts, element_size, numbers, true);
}

layout random_layout(std::size_t rank, index_t element_size, copy_test::random& numbers) {
    std::vector<index_t> counts;
    std::size_t const longest = rank == 0 ? 0 : numbers.number<std::size_t>(0, 3 * static_cast<index_t>(rank));
    for (std::size_t axis = 0; axis < rank; ++axis) {
        counts.push_back(axis == longest ? numbers.number(6, 70) : numbers.number(1, 5));
        if (numbers.chance(2)) counts.back() = 0;
    }
    bool const interleaves = numbers.chance(20);
    auto const destination = interleaves ? interleaved_strides(counts, element_size, numbers)
                                         : nested_strides(counts, element_size, numbers, numbers.chance(60));
    auto source = numbers.chance(30) ? destination : nested_strides(counts, element_size, numbers, numbers.chance(60));
    layout result;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (numbers.chance(10)) source[axis] = 0;
        if (numbers.chance(10)) source[axis] = numbers.number(-70, 70);
        copy_axis made(counts[axis], source[axis], destination[axis]);
        auto const count = static_cast<std::size_t>(counts[axis]);
        if (numbers.chance(10)) {
            auto& table = result.tables.emplace_back(count);
            for (index_t& offset : table) offset = numbers.number(-500, 500);
            made.source_offsets = table.data();
        }
        if (numbers.chance(10)) {
            auto& table = result.tables.emplace_back(count);
            for (std::size_t i = 0; i < count; ++i) table[i] = 37 + static_cast<index_t>(i) * destination[axis];
            for (std::size_t i = count; i-- > 1;) {
                std::swap(table[i], table[numbers.number<std::size_t>(0, static_cast<index_t>(i))]);
            }
            made.destination_offsets = table.data();
        }
        result.axes.push_back(made);
    }
    return result;
}

}  // namespace

// C1, C2, C3
TEST(copy_program, random_layouts_like_brute_force) {
    copy_test::random numbers(1);
    for (int trial = 0; trial < 200; ++trial) {
        for (element const& each : elements) {
            layout const made =
                random_layout(numbers.number<std::size_t>(0, 5), static_cast<index_t>(each.size), numbers);
            expect_right(each, made.axes, numbers);
            if (HasFatalFailure()) return;
        }
    }
}

// C4
TEST(copy_program, nothing_to_copy_touches_nothing) {
    for (std::size_t const swap_size : {std::size_t{1}, std::size_t{4}}) {
        copy_axis const axes[] = {{3, sw::max_index, -sw::max_index}, {0, 4, 4}, {sw::max_index, 4, -9}};
        sw::copy_program const program(4, swap_size, axes);
        program(nullptr, nullptr);
        std::vector<index_t> const none;
        copy_axis const listed[] = {{0, 0, 0, none.data(), none.data()}};
        sw::copy_program(4, swap_size, listed)(nullptr, nullptr);
    }
}

TEST(copy_program, rank_0_copies_one_element) {
    copy_test::random numbers(2);
    for (element const& each : elements) expect_right(each, {}, numbers);
}

TEST(copy_program, every_axis_of_one_element_with_any_stride) {
    copy_test::random numbers(3);
    copy_axis const axes[] = {{1, sw::max_index, -5}, {1, -sw::max_index, 0}, {3, 8, 4}, {1, 0, -sw::max_index}};
    expect_right({4, 1}, axes, numbers);
    expect_right({4, 4}, axes, numbers);
}

TEST(copy_program, short_rows) {
    copy_test::random numbers(4);
    for (index_t const row : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31, 33, 64, 65, 128, 129, 300}) {
        for (element const& each : {element{1, 1}, element{2, 1}, element{4, 1}, element{4, 4}, element{8, 4}}) {
            auto const size = static_cast<index_t>(each.size);
            copy_axis const axes[] = {
                {3, size * (row + 2) * 7, size * row * 5}, {5, size * (row + 2), size * row}, {row, size, size}};
            expect_right(each, axes, numbers);
        }
    }
}

TEST(copy_program, transposes_of_three_axes) {
    copy_test::random numbers(5);
    std::array<index_t, 3> const counts{3, 4, 5};
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
        for (element const& each : elements) {
            std::array<index_t, 3> source{}, destination{};
            index_t source_stride = static_cast<index_t>(each.size);
            index_t destination_stride = source_stride;
            for (std::size_t axis = 3; axis-- > 0;) {
                source[axis] = source_stride;
                source_stride *= counts[axis];
                destination[order[axis]] = destination_stride;
                destination_stride *= counts[order[axis]];
            }
            std::vector<copy_axis> axes;
            for (std::size_t axis = 0; axis < 3; ++axis)
                axes.push_back({counts[axis], source[axis], destination[axis]});
            expect_right(each, axes, numbers);
        }
    } while (std::next_permutation(order.begin(), order.end()));
}

TEST(copy_program, listed_columns_rows_and_planes) {
    copy_test::random numbers(6);
    std::vector<index_t> const listed{96, 0, 48, 48, 12};
    for (element const& each : elements) {
        auto const size = static_cast<index_t>(each.size);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::vector<copy_axis> axes{{5, 1000, 25 * size}, {5, 200, 5 * size}, {5, size, size}};
            axes[axis].source_offsets = listed.data();
            expect_right(each, axes, numbers);
        }
    }
}

TEST(copy_program, a_table_of_one_offset_moves_the_whole_copy) {
    copy_test::random numbers(7);
    index_t const source_offset = 40;
    index_t const destination_offset = -12;
    copy_axis const axes[] = {{3, 8, 4}, {1, 0, 0, &source_offset, &destination_offset}};
    expect_right({4, 1}, axes, numbers);
    EXPECT_EQ(sw::copy_program(4, 1, axes).axis_count(), 1U);
}

// With the words of an element 17 loops, of which none can be spared.
TEST(copy_program, sixteen_axes) {
    copy_test::random numbers(8);
    std::vector<copy_axis> axes;
    index_t source_stride = 8, destination_stride = 8;
    for (int axis = 0; axis < 16; ++axis) {
        axes.push_back({2, source_stride, axis % 3 == 0 ? -destination_stride : destination_stride});
        source_stride = source_stride * 2 + 1;
        destination_stride = destination_stride * 2 + 3;
    }
    for (std::size_t const swap_size : {std::size_t{1}, std::size_t{4}, std::size_t{2}}) {
        // Two words are one unit; four are an axis.
        EXPECT_EQ(sw::copy_program(8, swap_size, axes).axis_count(), swap_size == 2 ? 17U : 16U);
        expect_right({8, swap_size}, axes, numbers);
    }
}

TEST(copy_program, more_than_sixteen_axes_throws_the_bound) {
    std::vector<copy_axis> const axes(17, copy_axis(1, 0, 0));
    try {
        sw::copy_program(4, 1, axes);
        FAIL() << "no error";
    } catch (sw::selection_error const& error) {
        EXPECT_EQ(error.value(), 17);
        EXPECT_EQ(error.bound(), 16);
        EXPECT_NE(std::string(error.what()).find("at most 16"), std::string::npos) << error.what();
    }
}

TEST(copy_program, fewest_loops) {
    struct {
        std::vector<copy_axis> axes;
        std::size_t swap_size, axis_count, unit_size;
    } const cases[] = {
        {{}, 1, 0, 4},
        {{{5, 48, 48}, {3, 16, 16}, {4, 4, 4}}, 1, 0, 240},
        {{{4, 4, 4}, {5, 48, 48}, {3, 16, 16}}, 1, 0, 240},
        {{{5, -48, -48}, {3, 16, 16}, {4, -4, -4}}, 1, 0, 240},
        {{{5, -48, 48}, {3, 16, 16}, {4, 4, 4}}, 1, 1, 48},
        {{{5, 60, 48}, {3, 20, 16}, {4, 4, 4}}, 1, 1, 16},
        {{{5, 100, 48}, {3, 20, 16}, {4, 4, 4}}, 1, 2, 16},
        {{{5, 60, 48}, {3, 20, 16}, {4, 4, 4}}, 4, 2, 4},
        {{{5, 48, 48}, {3, 16, 16}, {4, 4, 4}}, 4, 1, 4},
        {{{5, 48, 48}, {3, 16, 16}, {4, 4, 4}}, 2, 1, 2},
        {{{5, 0, 48}, {3, 0, 16}, {4, 0, 4}}, 1, 1, 4},
        {{{5, 4, 48}, {3, 20, 16}, {4, 60, 4}}, 1, 3, 4},
        {{{1, 7, 7}, {5, 4, 4}, {1, -9, 0}}, 1, 0, 20},
        {{{5, 4, 4}, {0, 4, 4}}, 1, 0, 4},
    };
    for (auto const& each : cases) {
        sw::copy_program const program(4, each.swap_size, each.axes);
        EXPECT_EQ(program.axis_count(), each.axis_count) << copy_test::describe(4, each.swap_size, each.axes);
        EXPECT_EQ(program.unit_size(), each.unit_size) << copy_test::describe(4, each.swap_size, each.axes);
    }
}

TEST(copy_program, copies_of_a_program_do_the_same) {
    copy_test::random numbers(9);
    copy_axis const axes[] = {{3, 400, 300}, {4, 80, -60}, {5, 8, 7}, {2, 4, 3}};
    sw::copy_program const first(3, 1, axes);
    sw::copy_program second(1, 1, std::span<copy_axis const>{});
    second = sw::copy_program(first);
    copy_test::expect_like_brute_force(3, 1, axes, numbers, second);
}

TEST(copy_program, like_the_reference_copy) {
    std::vector<double> source(6 * 7 * 8), expected(3 * 4 * 5, -1.0), actual(expected);
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<double>(i) + 0.5;
    sw::strided_view<double const, 3> const from =
        sw::strided_view<double const, 3>(source, {6, 7, 8})
            .subview({sw::slice{5, -1, -2}, sw::slice{1, 5}, sw::slice{7, 2, -1}});
    sw::strided_view<double, 3> const to(actual, {3, 4, 5}, {8, 24, 96});
    sw::reference_copy(from, sw::strided_view<double, 3>(expected, {3, 4, 5}, {8, 24, 96}));
    sw::copy_program const program(sizeof(double), 1, to.shape(), from.byte_strides(), to.byte_strides());
    program(reinterpret_cast<std::byte const*>(from.data()), reinterpret_cast<std::byte*>(to.data()));
    EXPECT_EQ(actual, expected);
}

#if !defined(NDEBUG) && GTEST_HAS_DEATH_TEST
TEST(copy_program_death, overlap_is_asserted) {
    std::vector<std::byte> memory(64);
    index_t const listed[] = {16, 0, 8};
    copy_axis const plain[] = {{4, 4, 4}};
    copy_axis const backwards[] = {{4, -4, -4}};
    copy_axis const table[] = {{3, 0, 4, listed, nullptr}};
    auto const run = [&](std::span<copy_axis const> axes, std::size_t source, std::size_t destination) {
        sw::copy_program(4, 1, axes)(memory.data() + source, memory.data() + destination);
    };
    run(plain, 0, 16);
    run(plain, 16, 0);
    run(backwards, 12, 28);
    run(table, 0, 20);
    EXPECT_DEATH(run(plain, 0, 15), "are_apart");
    EXPECT_DEATH(run(plain, 15, 0), "are_apart");
    EXPECT_DEATH(run(backwards, 12, 27), "are_apart");
    EXPECT_DEATH(run(table, 0, 19), "are_apart");
}
#endif
