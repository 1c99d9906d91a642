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
    static void copy(std::byte* destination, std::byte const* source, std::size_t) noexcept {
        std::memcpy(destination, source, Size);
    }
};

/// A unit of Half to 2 * Half bytes, as two pieces that may overlap.
template <std::size_t Half>
struct paired_unit {
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
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        std::array<std::byte, 16> last;
        std::memcpy(last.data(), source + size - 16, 16);
        for (std::size_t i = 0; i + 16 < size; i += 16) std::memcpy(destination + i, source + i, 16);
        std::memcpy(destination + size - 16, last.data(), 16);
    }
};

/// A unit of any size.
struct run_unit {
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
    static void copy(std::byte* destination, std::byte const* source, std::size_t) noexcept {
        Word word;
        std::memcpy(&word, source, sizeof(Word));
        word = reverse_bytes(word);
        std::memcpy(destination, &word, sizeof(Word));
    }
};

/// A word of any size that arrives with its bytes reversed.
struct reversed_unit {
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        for (std::size_t i = 0; i < size; ++i) destination[i] = source[size - 1 - i];
    }
};

/// A byte stride that only the axis knows, not the compiler.
inline constexpr index_t any_step = -1;

/// A plane whose axes have byte strides, those of the inner axis known to the compiler or any_step.
template <class Unit, index_t SourceStep = any_step, index_t DestinationStep = any_step>
void copy_strided(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                  std::byte* destination) noexcept {
    index_t const rows = axes[1].count;
    index_t const count = axes[0].count;
    index_t const source_step = SourceStep == any_step ? axes[0].source_byte_stride : SourceStep;
    index_t const destination_step = DestinationStep == any_step ? axes[0].destination_byte_stride : DestinationStep;
    for (index_t row = 0; row < rows; ++row) {
        std::byte const* __restrict from = source + row * axes[1].source_byte_stride;
        std::byte* __restrict to = destination + row * axes[1].destination_byte_stride;
        index_t i = 0;
        // Four at a time where the compiler cannot vectorise: g++ does not unroll by itself, at half the speed.
        if constexpr (SourceStep == any_step) {
            for (; i + 4 <= count; i += 4) {
                Unit::copy(to + i * destination_step, from + i * source_step, unit_size);
                Unit::copy(to + (i + 1) * destination_step, from + (i + 1) * source_step, unit_size);
                Unit::copy(to + (i + 2) * destination_step, from + (i + 2) * source_step, unit_size);
                Unit::copy(to + (i + 3) * destination_step, from + (i + 3) * source_step, unit_size);
            }
        }
        for (; i < count; ++i) Unit::copy(to + i * destination_step, from + i * source_step, unit_size);
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

/// The best of the strided forms for one unit size: one element repeated, then any byte strides.
template <std::size_t Size>
copy_kernel choose_fixed(copy_axis const& inner) noexcept {
    bool const repeats = inner.source_byte_stride == 0 && inner.destination_byte_stride == index_t{Size};
    return repeats ? copy_strided<fixed_unit<Size>, 0, Size> : copy_strided<fixed_unit<Size>>;
}

/// The best of the strided forms for one word size: contiguous on both sides, then any byte strides.
template <class Word>
copy_kernel choose_reversed(copy_axis const& inner) noexcept {
    constexpr index_t step = sizeof(Word);
    bool const is_contiguous = inner.source_byte_stride == step && inner.destination_byte_stride == step;
    return is_contiguous ? copy_strided<reversed_word<Word>, step, step> : copy_strided<reversed_word<Word>>;
}

/// The kernel for the plane of axes[0] and axes[1], whose units are words to reverse or runs to copy as they are.
inline copy_kernel choose_kernel(copy_axis const* axes, std::size_t unit_size, bool reverses) noexcept {
    if (axes[0].has_table() || axes[1].has_table()) {
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
    if (reverses) {
        switch (unit_size) {
        case 2:
            return choose_reversed<std::uint16_t>(axes[0]);
        case 4:
            return choose_reversed<std::uint32_t>(axes[0]);
        case 8:
            return choose_reversed<std::uint64_t>(axes[0]);
        default:
            return copy_strided<reversed_unit>;
        }
    }
    switch (unit_size) {
    case 1:
        return choose_fixed<1>(axes[0]);
    case 2:
        return choose_fixed<2>(axes[0]);
    case 4:
        return choose_fixed<4>(axes[0]);
    case 8:
        return choose_fixed<8>(axes[0]);
    case 16:
        return choose_fixed<16>(axes[0]);
    default:
        break;
    }
    if (unit_size < 4) return copy_strided<paired_unit<2>>;
    if (unit_size < 8) return copy_strided<paired_unit<4>>;
    if (unit_size < 16) return copy_strided<paired_unit<8>>;
    if (unit_size <= 32) return copy_strided<paired_unit<16>>;
    return unit_size <= 512 ? copy_strided<blocked_unit> : copy_strided<run_unit>;
}

}  // namespace slabwise::detail
