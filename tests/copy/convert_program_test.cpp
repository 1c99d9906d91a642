// Copies that convert, against the conversion of one element after another at places that the axes' definition gives.
#include <slabwise/copy/convert_program.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>
#include <expect_error.hpp>
#include <slabwise/copy/make_conversion.hpp>

namespace sw = slabwise;
using copy_test::bytes;
using copy_test::copy_axis;
using copy_test::index_t;
using sw::element_type_of;

namespace {

std::byte* bytes_of(auto& value) { return reinterpret_cast<std::byte*>(&value); }

// Compares all of the destination, the gaps between its elements and what lies around them.
void expect_like_one_by_one(sw::conversion const& convert, std::size_t swap_size, std::span<copy_axis const> axes,
                            copy_test::random& numbers) {
    std::size_t const from_size = convert.from().size;
    std::size_t const to_size = convert.to().size;
    copy_test::moves const all = copy_test::moves_of(axes);
    std::pair<index_t, index_t> source{0, 0}, destination{0, 0};
    for (auto const& [from, to] : all) {
        source = {std::min(source.first, from), std::max(source.second, from)};
        destination = {std::min(destination.first, to), std::max(destination.second, to)};
    }
    auto const shift = numbers.number<std::size_t>(0, 15);
    // The source ends with its last element, so that the address sanitizer sees a read past it.
    bytes const memory = numbers.some_bytes(shift + static_cast<std::size_t>(source.second - source.first) + from_size);
    bytes actual =
        numbers.some_bytes(128 + shift + static_cast<std::size_t>(destination.second - destination.first) + to_size);
    bytes expected = actual;
    index_t const before = static_cast<index_t>(shift) - source.first;
    index_t const begin = 64 + static_cast<index_t>(shift) - destination.first;
    for (auto const& [from, to] : all) {
        bytes element(memory.begin() + before + from, memory.begin() + before + from + static_cast<index_t>(from_size));
        for (auto at = element.begin(); at != element.end(); at += static_cast<index_t>(swap_size)) {
            std::reverse(at, at + static_cast<index_t>(swap_size));
        }
        ASSERT_EQ(convert(element.data(), expected.data() + begin + to, 1), 1u);
    }
    sw::convert_program const program(convert, swap_size, axes);
    program(memory.data() + before, actual.data() + begin);
    for (std::size_t i = 0; actual != expected && i < actual.size(); ++i) {
        ASSERT_EQ(std::to_integer<int>(actual[i]), std::to_integer<int>(expected[i]))
            << "byte " << static_cast<index_t>(i) - begin << " of " << copy_test::describe(from_size, swap_size, axes);
    }
}

std::vector<sw::conversion> some_conversions() {
    return {
        sw::make_conversion<float>(element_type_of<std::int16_t>),
        sw::make_conversion<float>(element_type_of<double>),
        sw::make_conversion<std::int8_t>(element_type_of<std::int64_t>),
        sw::make_conversion<double>(element_type_of<std::uint8_t>),
        sw::make_conversion<float>(element_type_of<std::int16_t>, {.scale = 0.25, .offset = -3}),
        sw::make_conversion<float>(
            element_type_of<std::uint8_t>,
            {.scale = 0.25, .offset = -3, .fill_replacement = -1.0F, .stored_fill = std::uint8_t{77}}),
        sw::make_conversion<float>(element_type_of<float>, {.fill_replacement = -1.0F, .stored_fill = 1.0F}),
    };
}

// Axes whose destinations lie apart: strides of a nest in a random order, with gaps or without, and sources anywhere.
std::vector<copy_axis> random_axes(std::size_t from_size, std::size_t to_size, copy_test::random& numbers,
                                   std::vector<std::vector<index_t>>& tables) {
    auto const rank = numbers.number<std::size_t>(0, 4);
    std::vector<std::size_t> order(rank), source_order(rank);
    for (std::size_t i = 0; i < rank; ++i) order[i] = source_order[i] = i;
    auto const shuffle = [&](auto& list) {
        for (std::size_t i = rank; i > 1; --i)
            std::swap(list[i - 1], list[numbers.number<std::size_t>(0, static_cast<index_t>(i) - 1)]);
    };
    if (numbers.chance(50)) shuffle(order);
    source_order = order;
    if (numbers.chance(50)) shuffle(source_order);
    std::vector<copy_axis> axes(rank);
    index_t longest = rank == 0 ? 1 : rank == 1 ? 700 : rank == 2 ? 60 : rank == 3 ? 20 : 7;
    for (auto& axis : axes) axis = {numbers.chance(15) ? 1 : numbers.number(numbers.chance(2) ? 0 : 1, longest), 0, 0};
    // One that is longer than a block.
    if (rank == 2 && numbers.chance(30)) axes[numbers.number<std::size_t>(0, 1)].count = numbers.number(250, 600);
    bool const has_gaps = numbers.chance(50);
    auto stride = static_cast<index_t>(to_size);
    for (std::size_t const i : order) {
        if (has_gaps && numbers.chance(50)) stride += numbers.number(1, 9);
        axes[i].destination_byte_stride = has_gaps && numbers.chance(30) ? -stride : stride;
        stride *= std::max<index_t>(axes[i].count, 1);
    }
    stride = static_cast<index_t>(from_size);
    bool const source_has_gaps = numbers.chance(50);
    for (std::size_t const i : source_order) {
        if (source_has_gaps && numbers.chance(50)) stride += numbers.number(1, 9);
        axes[i].source_byte_stride =
            source_has_gaps && numbers.chance(30) ? (numbers.chance(30) ? 0 : -stride) : stride;
        stride *= std::max<index_t>(axes[i].count, 1);
    }
    tables.clear();
    tables.reserve(2 * rank);
    for (auto& axis : axes) {
        if (!numbers.chance(20) || axis.count == 0) continue;
        auto& to = tables.emplace_back();
        for (index_t i = 0; i < axis.count; ++i) to.push_back(i * axis.destination_byte_stride);
        for (std::size_t i = to.size(); i > 1; --i)
            std::swap(to[i - 1], to[numbers.number<std::size_t>(0, static_cast<index_t>(i) - 1)]);
        if (numbers.chance(70)) axis.destination_offsets = to.data();
        auto& from = tables.emplace_back();
        for (index_t i = 0; i < axis.count; ++i)
            from.push_back(numbers.number(0, axis.count - 1) * axis.source_byte_stride);
        if (numbers.chance(70)) axis.source_offsets = from.data();
    }
    return axes;
}

}  // namespace

TEST(convert_program, random_axes) {
    copy_test::random numbers(1);
    auto const conversions = some_conversions();
    std::vector<std::vector<index_t>> tables;
    for (int round = 0; round < 3000; ++round) {
        auto const& convert = conversions[numbers.number<std::size_t>(0, static_cast<index_t>(conversions.size()) - 1)];
        auto const axes = random_axes(convert.from().size, convert.to().size, numbers, tables);
        std::size_t const swap_size = numbers.chance(50) ? 1 : convert.from().size;
        expect_like_one_by_one(convert, swap_size, axes, numbers);
        if (HasFatalFailure()) return;
    }
}

TEST(convert_program, complex_elements_in_the_other_byte_order) {
    copy_test::random numbers(2);
    auto const convert = sw::make_conversion<std::complex<double>>(element_type_of<std::complex<float>>);
    std::vector<std::vector<index_t>> tables;
    for (int round = 0; round < 300; ++round) {
        auto const axes = random_axes(8, 16, numbers, tables);
        expect_like_one_by_one(convert, 4, axes, numbers);
        if (HasFatalFailure()) return;
    }
}

// Rows and tiles about the lengths of blocks, contiguous on either side, both or none.
TEST(convert_program, rows_about_the_length_of_a_block) {
    copy_test::random numbers(3);
    auto const convert = sw::make_conversion<float>(element_type_of<std::int16_t>);
    for (index_t const columns : {1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 513}) {
        for (index_t const rows : {1, 2, 15, 16, 17, 33}) {
            for (index_t const source : {2, 4, -2, 6}) {
                for (index_t const destination : {4, 8}) {
                    copy_axis const axes[] = {
                        {rows, (source < 0 ? -source : source) * columns + 2, destination * columns + 4},
                        {columns, source, destination}};
                    for (std::size_t const swap_size : {1u, 2u})
                        expect_like_one_by_one(convert, swap_size, axes, numbers);
                }
            }
            copy_axis const transposed[] = {{rows, 2, 4 * columns}, {columns, 2 * rows, 4}};
            for (std::size_t const swap_size : {1u, 2u})
                expect_like_one_by_one(convert, swap_size, transposed, numbers);
            if (HasFatalFailure()) return;
        }
    }
}

TEST(convert_program, without_axes_and_without_elements) {
    auto const convert = sw::make_conversion<double>(element_type_of<std::int16_t>);
    std::int16_t const source = -5;
    double to = 0;
    sw::convert_program(convert, 1, {})(reinterpret_cast<std::byte const*>(&source), bytes_of(to));
    EXPECT_EQ(to, -5.0);
    copy_axis const axes[] = {{3, 2, 8}, {0, 2, 8}};
    sw::convert_program(convert, 1, axes)(nullptr, nullptr);
}

TEST(convert_program, too_many_axes) {
    std::vector<copy_axis> const axes(17, copy_axis(1, 0, 0));
    auto const convert = sw::make_conversion<double>(element_type_of<std::int16_t>);
    slabwise_test::expect_selection_error([&] { return sw::convert_program(convert, 1, axes); }, slabwise_test::no_axis,
                                          17, 16, "copy: 17 axes; it takes at most 16");
    EXPECT_NO_THROW((void)sw::convert_program(convert, 1, std::span(axes).first(16)));
}

// The position counts in C order of the axes as they are given, whatever the nest.
TEST(convert_program, position_of_a_misfit) {
    copy_test::random numbers(4);
    auto const convert =
        sw::make_conversion<std::uint8_t>(element_type_of<std::int16_t>, {.rule = sw::conversion_rule::check});
    std::vector<std::vector<index_t>> tables;
    int found = 0;
    for (int round = 0; round < 500; ++round) {
        auto axes = random_axes(2, 1, numbers, tables);
        for (auto& axis : axes) axis.source_byte_stride = 0, axis.source_offsets = nullptr;
        // Sources that no two elements share, in C order.
        index_t stride = 2;
        for (std::size_t i = axes.size(); i-- > 0;) axes[i].source_byte_stride = stride, stride *= axes[i].count;
        auto const all = copy_test::moves_of(axes);
        if (all.empty()) continue;
        bool const is_swapped = numbers.chance(50);
        std::vector<std::int16_t> source(all.size(), is_swapped ? std::int16_t{0x0700} : std::int16_t{7});
        auto const bad = numbers.number<std::size_t>(0, static_cast<index_t>(all.size()) - 1);
        source[bad] = is_swapped ? std::int16_t{0x0001} : std::int16_t{0x0100};
        index_t lowest = 0, highest = 0;
        for (auto const& [from, to] : all) lowest = std::min(lowest, to), highest = std::max(highest, to);
        bytes to(static_cast<std::size_t>(highest - lowest + 1));
        sw::convert_program const program(convert, is_swapped ? 2 : 1, axes);
        try {
            program(reinterpret_cast<std::byte const*>(source.data()), to.data() - lowest);
            ADD_FAILURE() << "nothing thrown";
        } catch (sw::conversion_error const& error) {
            ASSERT_EQ(error.position(), static_cast<index_t>(bad)) << copy_test::describe(2, 1, axes);
            ASSERT_EQ(error.what(),
                      "conversion: the value 256 of element " + std::to_string(bad) + " does not fit uint8");
            ++found;
        }
    }
    EXPECT_GT(found, 300);
}

#if !defined(NDEBUG) && GTEST_HAS_DEATH_TEST
TEST(convert_program_death, overlap_is_asserted) {
    bytes memory(64);
    copy_axis const axes[] = {{4, 2, 4}};
    sw::convert_program const program(sw::make_conversion<float>(element_type_of<std::int16_t>), 1, axes);
    auto const run = [&](std::size_t source, std::size_t destination) {
        program(memory.data() + source, memory.data() + destination);
    };
    run(0, 8);
    run(16, 0);
    EXPECT_DEATH(run(0, 7), "are_apart");
    EXPECT_DEATH(run(15, 0), "are_apart");
    EXPECT_DEATH(run(0, 0), "are_apart");
}
TEST(convert_program_death, words_of_another_size_are_asserted) {
    auto const convert = sw::make_conversion<double>(element_type_of<std::int32_t>);
    EXPECT_DEATH(sw::convert_program(convert, 2, {}), "swap_size");
}
TEST(copy_program_death, a_set_that_is_not_offered_is_asserted) {
    copy_axis const axes[] = {{64, 8, 4}};
    EXPECT_DEATH(sw::copy_program(4, 1, axes, sw::instruction_set::xsimd), "is_supported");
}
#endif
