// The loops of a copy. A copy program ends in one function pointer, its kernel, which copies a plane: two axes of
// units. A unit is a run of bytes that both sides hold contiguously: an element, several, or a word whose bytes are
// turned around.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <slabwise/copy/copy_axis.hpp>

namespace slabwise::detail {

/// Copies a plane of units: axes[0] is the inner axis, axes[1] the rows.
/// **Expects** that source and destination do not overlap.
using copy_kernel = void (*)(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                             std::byte* destination) noexcept;

/// A unit of a size known to the compiler.
template <std::size_t Size>
struct fixed_unit {
    static constexpr bool is_one_move = true;
    static void copy(std::byte* destination, std::byte const* source, std::size_t) noexcept {
        std::memcpy(destination, source, Size);
    }
};

/// A unit of Half to 2 * Half bytes, as two pieces that may overlap.
template <std::size_t Half>
struct paired_unit {
    static constexpr bool is_one_move = false;
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        std::array<std::byte, Half> first;
        std::array<std::byte, Half> last;
        std::memcpy(first.data(), source, Half);
        std::memcpy(last.data(), source + size - Half, Half);
        std::memcpy(destination, first.data(), Half);
        std::memcpy(destination + size - Half, last.data(), Half);
    }
};

/// A unit of 16 bytes or more, in blocks of 16 of which the last two may overlap: sooner done than a call of memcpy as
/// long as the unit is short.
struct blocked_unit {
    static constexpr bool is_one_move = false;
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        std::array<std::byte, 16> last;
        std::memcpy(last.data(), source + size - 16, 16);
        for (std::size_t i = 0; i + 16 < size; i += 16) std::memcpy(destination + i, source + i, 16);
        std::memcpy(destination + size - 16, last.data(), 16);
    }
};

/// A unit of any size.
struct run_unit {
    static constexpr bool is_one_move = false;
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        std::memcpy(destination, source, size);
    }
};

inline std::uint16_t reverse_bytes(std::uint16_t word) noexcept { return __builtin_bswap16(word); }
inline std::uint32_t reverse_bytes(std::uint32_t word) noexcept { return __builtin_bswap32(word); }
inline std::uint64_t reverse_bytes(std::uint64_t word) noexcept { return __builtin_bswap64(word); }

/// A word of 2, 4 or 8 bytes that arrives with its bytes reversed.
template <class Word>
struct reversed_word {
    static constexpr bool is_one_move = true;
    static void copy(std::byte* destination, std::byte const* source, std::size_t) noexcept {
        Word word;
        std::memcpy(&word, source, sizeof(Word));
        word = reverse_bytes(word);
        std::memcpy(destination, &word, sizeof(Word));
    }
};

/// A word of any size that arrives with its bytes reversed.
struct reversed_unit {
    static constexpr bool is_one_move = false;
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        for (std::size_t i = 0; i < size; ++i) destination[i] = source[size - 1 - i];
    }
};

/// A byte stride that only the axis knows, not the compiler.
inline constexpr index_t any_step = -1;

/// A plane whose axes have byte strides; the compiler may know that of the inner axis in the destination.
template <class Unit, index_t DestinationStep = any_step>
void copy_strided(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                  std::byte* destination) noexcept {
    index_t const count = axes[0].count;
    index_t const source_step = axes[0].source_byte_stride;
    index_t const destination_step = DestinationStep == any_step ? axes[0].destination_byte_stride : DestinationStep;
    copy_axis const rows = axes[1];
    for (index_t row = 0; row < rows.count; ++row) {
        std::byte const* __restrict from = source + row * rows.source_byte_stride;
        std::byte* __restrict to = destination + row * rows.destination_byte_stride;
        index_t left = count;
        // Four at a time: g++ 12 does not unroll by itself, which takes up to twice as long.
        if constexpr (Unit::is_one_move) {
            for (; left >= 4; left -= 4) {
                Unit::copy(to, from, unit_size);
                Unit::copy(to + destination_step, from + source_step, unit_size);
                Unit::copy(to + 2 * destination_step, from + 2 * source_step, unit_size);
                Unit::copy(to + 3 * destination_step, from + 3 * source_step, unit_size);
                from += 4 * source_step;
                to += 4 * destination_step;
            }
        }
        for (; left > 0; --left) {
            Unit::copy(to, from, unit_size);
            from += source_step;
            to += destination_step;
        }
    }
}

/// A plane whose inner axis is contiguous on both sides, for units that the compiler can turn around many at a time.
template <class Unit, index_t Size>
void copy_contiguous(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                     std::byte* destination) noexcept {
    index_t const count = axes[0].count;
    copy_axis const rows = axes[1];
    for (index_t row = 0; row < rows.count; ++row) {
        std::byte const* __restrict from = source + row * rows.source_byte_stride;
        std::byte* __restrict to = destination + row * rows.destination_byte_stride;
        for (index_t i = 0; i < count; ++i) Unit::copy(to + i * Size, from + i * Size, unit_size);
    }
}

/// A plane whose inner axis writes one unit again and again, contiguously: what is written doubles by copies of itself,
/// up to a stretch that stays in the fastest cache.
inline void copy_repeated(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                          std::byte* destination) noexcept {
    constexpr std::size_t longest_step = 4096;
    copy_axis const rows = axes[1];
    std::size_t const row_size = static_cast<std::size_t>(axes[0].count) * unit_size;
    for (index_t row = 0; row < rows.count; ++row) {
        std::byte* const to = destination + row * rows.destination_byte_stride;
        if (row > 0 && rows.source_byte_stride == 0 && row_size <= longest_step) {
            std::memcpy(to, destination, row_size);
            continue;
        }
        std::memcpy(to, source + row * rows.source_byte_stride, unit_size);
        std::size_t step = unit_size;
        for (std::size_t done = unit_size; done < row_size; done += step) {
            if (done <= longest_step) step = done;
            if (step > row_size - done) step = row_size - done;
            std::memcpy(to + done, to, step);
        }
    }
}

/// A plane of which any axis has a table of offsets on either side.
template <class Unit>
void copy_listed(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                 std::byte* destination) noexcept {
    for (index_t row = 0; row < axes[1].count; ++row) {
        std::byte const* const from = source + axes[1].source_offset(row);
        std::byte* const to = destination + axes[1].destination_offset(row);
        for (index_t i = 0; i < axes[0].count; ++i) {
            Unit::copy(to + axes[0].destination_offset(i), from + axes[0].source_offset(i), unit_size);
        }
    }
}

/// The kernel for a plane with a table.
inline copy_kernel choose_listed_kernel(std::size_t unit_size, bool reverses) noexcept {
    if (reverses) return copy_listed<reversed_unit>;
    switch (unit_size) {
    case 1:
        return copy_listed<fixed_unit<1>>;
    case 2:
        return copy_listed<fixed_unit<2>>;
    case 4:
        return copy_listed<fixed_unit<4>>;
    case 8:
        return copy_listed<fixed_unit<8>>;
    case 16:
        return copy_listed<fixed_unit<16>>;
    default:
        return copy_listed<run_unit>;
    }
}

/// The kernel for a plane of words to reverse.
inline copy_kernel choose_reversing_kernel(std::size_t word_size, bool is_contiguous) noexcept {
    using word_2 = reversed_word<std::uint16_t>;
    using word_4 = reversed_word<std::uint32_t>;
    using word_8 = reversed_word<std::uint64_t>;
    switch (word_size) {
    case 2:
        return is_contiguous ? copy_contiguous<word_2, 2> : copy_strided<word_2>;
    case 4:
        return is_contiguous ? copy_contiguous<word_4, 4> : copy_strided<word_4>;
    case 8:
        return is_contiguous ? copy_contiguous<word_8, 8> : copy_strided<word_8>;
    default:
        return copy_strided<reversed_unit>;
    }
}

/// The kernel for the plane of axes[0] and axes[1], whose units are words to reverse or runs to copy as they are.
inline copy_kernel choose_kernel(copy_axis const* axes, std::size_t unit_size, bool reverses) noexcept {
    if (axes[0].has_table() || axes[1].has_table()) return choose_listed_kernel(unit_size, reverses);
    auto const unit = static_cast<index_t>(unit_size);
    bool const writes_contiguously = axes[0].destination_byte_stride == unit;
    if (reverses) {
        return choose_reversing_kernel(unit_size, writes_contiguously && axes[0].source_byte_stride == unit);
    }
    if (writes_contiguously && axes[0].source_byte_stride == 0) return copy_repeated;
    switch (unit_size) {
    case 1:
        return writes_contiguously ? copy_strided<fixed_unit<1>, 1> : copy_strided<fixed_unit<1>>;
    case 2:
        return writes_contiguously ? copy_strided<fixed_unit<2>, 2> : copy_strided<fixed_unit<2>>;
    case 4:
        return writes_contiguously ? copy_strided<fixed_unit<4>, 4> : copy_strided<fixed_unit<4>>;
    case 8:
        return writes_contiguously ? copy_strided<fixed_unit<8>, 8> : copy_strided<fixed_unit<8>>;
    case 16:
        return writes_contiguously ? copy_strided<fixed_unit<16>, 16> : copy_strided<fixed_unit<16>>;
    default:
        break;
    }
    if (unit_size < 4) return copy_strided<paired_unit<2>>;
    if (unit_size < 8) return copy_strided<paired_unit<4>>;
    if (unit_size < 16) return copy_strided<paired_unit<8>>;
    if (unit_size <= 32) return copy_strided<paired_unit<16>>;
    return unit_size <= 256 ? copy_strided<blocked_unit> : copy_strided<run_unit>;
}

}  // namespace slabwise::detail
