#include <slabwise/copy/fill_program.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>

namespace sw = slabwise;
using copy_test::copy_axis;
using copy_test::index_t;

namespace {

copy_test::bytes bytes_of(std::string const& text) {
    copy_test::bytes result;
    for (char const each : text) result.push_back(static_cast<std::byte>(each));
    return result;
}

// The source of the axes is a trap: a fill reads one element whatever they say.
void expect_filled(std::size_t element_size, std::vector<copy_axis> axes, copy_test::random& numbers) {
    std::vector<copy_axis> from_one = axes;
    for (copy_axis& axis : from_one) {
        axis.source_byte_stride = 0;
        axis.source_offsets = nullptr;
    }
    for (copy_axis& axis : axes) axis.source_byte_stride = 1 << 30;
    sw::fill_program const program(element_size, axes);
    copy_test::expect_like_brute_force(element_size, 1, from_one, numbers, program);
}

}  // namespace

TEST(fill_program, every_element_and_nothing_else) {
    copy_test::random numbers(20);
    for (index_t const size : {1, 2, 3, 4, 6, 8, 12, 16, 24, 300}) {
        auto const element_size = static_cast<std::size_t>(size);
        expect_filled(element_size, {}, numbers);
        expect_filled(element_size, {{0, 0, 5}}, numbers);
        for (index_t count = 1; count < 70; ++count) {
            expect_filled(element_size, {{count, 0, size}}, numbers);
            expect_filled(element_size, {{3, 0, (count + 1) * size}, {count, 0, size}}, numbers);
            expect_filled(element_size, {{count, 0, -size - 1}}, numbers);
        }
        expect_filled(element_size, {{3, 0, 3001 * size}, {3000, 0, size}}, numbers);
        expect_filled(element_size, {{3, 0, 20 * size}, {4, 0, 5 * size}, {5, 0, -size}}, numbers);
        expect_filled(element_size, {{3, 0, size}, {4, 0, 3 * size + 2}, {5, 0, 20 * size}, {2, 0, -101 * size}},
                      numbers);
    }
}

// Rows that repeat one element each, of which no two are equal.
TEST(fill_program, a_copy_may_repeat_another_element_in_each_row) {
    copy_test::random numbers(22);
    for (index_t const row : {2, 3, 70, 3000}) {
        copy_axis const axes[] = {{3, 5, 8 * row}, {row, 0, 8}};
        copy_test::expect_like_brute_force(8, 1, axes, numbers, sw::copy_program(8, 1, axes));
    }
}

TEST(fill_program, listed_places) {
    copy_test::random numbers(21);
    index_t const places[] = {96, 0, 48};
    expect_filled(8, {{3, 0, 0, nullptr, places}, {4, 0, 8}}, numbers);
    expect_filled(8, {{2, 0, 1000}, {3, 0, 0, places, places}}, numbers);
}

TEST(fill_program, shape_and_byte_strides) {
    std::vector<short> values(12, -1);
    short const seven = 7;
    sw::fill_program const program(2, sw::shape{3, 2}, std::array<index_t, 2>{8, 2});
    program(reinterpret_cast<std::byte const*>(&seven), reinterpret_cast<std::byte*>(values.data()));
    EXPECT_EQ(values, (std::vector<short>{7, 7, -1, -1, 7, 7, -1, -1, 7, 7, -1, -1}));
}

TEST(fill_program, more_than_sixteen_axes_throws) {
    std::vector<copy_axis> const axes(17, copy_axis(1, 0, 0));
    EXPECT_THROW(sw::fill_program(4, axes), sw::selection_error);
}

TEST(reverse_words, each_word_by_itself) {
    auto const reversed = [](std::string const& text, std::size_t swap_size) {
        auto element = bytes_of(text);
        sw::reverse_words(element, swap_size);
        return element;
    };
    EXPECT_EQ(reversed("abcdef", 1), bytes_of("abcdef"));
    EXPECT_EQ(reversed("abcdef", 2), bytes_of("badcfe"));
    EXPECT_EQ(reversed("abcdef", 3), bytes_of("cbafed"));
    EXPECT_EQ(reversed("abcdef", 6), bytes_of("fedcba"));
    EXPECT_EQ(reversed("", 4), bytes_of(""));
}
