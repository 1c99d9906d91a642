// A unit is what a copy moves at once: a run of bytes that both sides hold contiguously, such as an element or several,
// or an element whose words arrive with their bytes reversed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <slabwise/copy/words.hpp>
#include <slabwise/index/arithmetic.hpp>

namespace slabwise::detail {

/// A unit of a size known to the compiler.
template <std::size_t Size>
struct fixed_unit {
    static constexpr index_t at_once = Size < 16 ? 8 : 4;
    static void copy(std::byte* destination, std::byte const* source, std::size_t) noexcept {
        std::memcpy(destination, source, Size);
    }
};

/// A unit of Half to 2 * Half bytes, as two pieces that may overlap.
template <std::size_t Half>
struct paired_unit {
    static constexpr index_t at_once = 1;
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
    static constexpr index_t at_once = 1;
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        std::array<std::byte, 16> last;
        std::memcpy(last.data(), source + size - 16, 16);
        for (std::size_t i = 0; i + 16 < size; i += 16) std::memcpy(destination + i, source + i, 16);
        std::memcpy(destination + size - 16, last.data(), 16);
    }
};

/// A unit of any size.
struct run_unit {
    static constexpr index_t at_once = 1;
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        std::memcpy(destination, source, size);
    }
};

/// A unit of Size bytes whose words of Word bytes arrive reversed: a number, or a pair of numbers.
template <std::size_t Size, std::size_t Word>
struct reversed_unit {
    static constexpr index_t at_once = Size < 16 ? 8 : 4;
    static void copy(std::byte* destination, std::byte const* source, std::size_t) noexcept {
        if constexpr (Size <= 8) {
            word_of<Size> word;
            std::memcpy(&word, source, Size);
            word = reverse_words_of<Word>(word);
            std::memcpy(destination, &word, Size);
        } else {
            static_assert(Size == 16 && Word >= 8);
            std::array<std::uint64_t, 2> words;
            std::memcpy(words.data(), source, Size);
            std::uint64_t const first = __builtin_bswap64(words[Word == 16 ? 1 : 0]);
            words[1] = __builtin_bswap64(words[Word == 16 ? 0 : 1]);
            words[0] = first;
            std::memcpy(destination, words.data(), Size);
        }
    }
};

/// A word of any size that arrives reversed.
struct reversed_run {
    static constexpr index_t at_once = 1;
    static void copy(std::byte* destination, std::byte const* source, std::size_t size) noexcept {
        for (std::size_t i = 0; i < size; ++i) destination[i] = source[size - 1 - i];
    }
};

}  // namespace slabwise::detail
