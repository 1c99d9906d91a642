// A copy written as its definition reads, in memory laid out to catch what goes wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <seeded_random.hpp>
#include <slabwise/copy/copy_axis.hpp>

namespace copy_test {

using slabwise::copy_axis;
using slabwise::index_t;
using bytes = std::vector<std::byte>;

class random : public slabwise_test::random_numbers {
public:
    using random_numbers::random_numbers;
    /// An integer from lowest to highest, both included.
    template <class T = index_t>
    T number(index_t lowest, index_t highest) {
        return static_cast<T>(random_numbers::number(lowest, highest));
    }
    bool chance(int percent) { return number(1, 100) <= percent; }
    bytes some_bytes(std::size_t count) {
        bytes result(count);
        auto state = number<std::uint32_t>(0, UINT32_MAX);
        for (std::byte& each : result) {
            state = state * 1664525U + 1013904223U;
            each = static_cast<std::byte>(state >> 24);
        }
        return result;
    }
};

/// Where each element comes from and goes to. **Units** bytes, from the first element.
using moves = std::vector<std::pair<index_t, index_t>>;

inline moves moves_of(std::span<copy_axis const> axes) {
    moves result{{0, 0}};
    for (copy_axis const& axis : axes) {
        moves longer;
        for (auto const& [source, destination] : result) {
            for (index_t i = 0; i < axis.count; ++i) {
                auto const k = static_cast<std::size_t>(i);
                longer.emplace_back(
                    source + (axis.source_offsets ? axis.source_offsets[k] : i * axis.source_byte_stride),
                    destination +
                        (axis.destination_offsets ? axis.destination_offsets[k] : i * axis.destination_byte_stride));
            }
        }
        result = std::move(longer);
    }
    return result;
}

inline std::string describe(std::size_t element_size, std::size_t swap_size, std::span<copy_axis const> axes) {
    std::string text = "element " + std::to_string(element_size) + " swap " + std::to_string(swap_size);
    for (copy_axis const& axis : axes) {
        text += " | " + std::to_string(axis.count) + ": " +
                (axis.source_offsets ? "table" : std::to_string(axis.source_byte_stride)) + " -> " +
                (axis.destination_offsets ? "table" : std::to_string(axis.destination_byte_stride));
    }
    return text;
}

/// Runs `copy(source, destination)` and compares all of the destination with what each element's own copy leaves there:
/// the elements, the gaps between them and 64 bytes on both sides. The source ends where its last element ends, so
/// that the address sanitizer sees a read past it.
template <class Copy>
void expect_like_brute_force(std::size_t element_size, std::size_t swap_size, std::span<copy_axis const> axes,
                             random& numbers, Copy&& copy) {
    moves const all = moves_of(axes);
    index_t source_lowest = 0, source_highest = 0, destination_lowest = 0, destination_highest = 0;
    bool is_first = true;
    for (auto const& [source, destination] : all) {
        source_lowest = is_first || source < source_lowest ? source : source_lowest;
        source_highest = is_first || source > source_highest ? source : source_highest;
        destination_lowest = is_first || destination < destination_lowest ? destination : destination_lowest;
        destination_highest = is_first || destination > destination_highest ? destination : destination_highest;
        is_first = false;
    }
    std::size_t const element_bytes = all.empty() ? 0 : element_size;
    auto const misaligned = numbers.number<std::size_t>(0, 15);
    std::size_t const sentinels = 64 + numbers.number<std::size_t>(0, 15);
    bytes const source =
        numbers.some_bytes(misaligned + static_cast<std::size_t>(source_highest - source_lowest) + element_bytes);
    bytes const poison = numbers.some_bytes(
        2 * sentinels + static_cast<std::size_t>(destination_highest - destination_lowest) + element_bytes);
    std::byte const* const from = source.data() + misaligned - source_lowest;

    bytes expected = poison;
    for (auto const& [source_offset, destination_offset] : all) {
        std::byte* const to = expected.data() + sentinels - destination_lowest + destination_offset;
        for (std::size_t i = 0; i < element_size; ++i) {
            std::size_t const word = i / swap_size * swap_size;
            to[i] = from[source_offset + static_cast<index_t>(word + swap_size - 1 - (i - word))];
        }
    }

    bytes actual = poison;
    copy(from, actual.data() + sentinels - destination_lowest);
    for (std::size_t i = 0; actual != expected && i < actual.size(); ++i) {
        ASSERT_EQ(std::to_integer<int>(actual[i]), std::to_integer<int>(expected[i]))
            << "byte " << static_cast<index_t>(i) - static_cast<index_t>(sentinels) + destination_lowest << " of "
            << describe(element_size, swap_size, axes);
    }
}

}  // namespace copy_test
