// What the copies compete with: loops as one writes them by hand, and memcpy.
//
// A rival is a function of its own of which the compiler knows no caller, so that nothing about its arguments, a stride
// of 1 say, is built in. The loops over one axis are templates over the element alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bars.hpp"

#ifdef __clang__
#define SLABWISE_RIVAL SLABWISE_MEASURED
#define SLABWISE_PLAIN_RIVAL SLABWISE_RIVAL
/// Clang unrolls and vectorises on its own: the plain loop is to stay plain.
#define SLABWISE_PLAIN_LOOP _Pragma("clang loop vectorize(disable) unroll(disable) interleave(disable)")
#define SLABWISE_VECTORS
#else
/// noipa: no copy of the function for arguments that a caller is seen to pass.
#define SLABWISE_RIVAL SLABWISE_MEASURED [[gnu::noipa]]
/// At -O3, g++ makes a second loop for stride 1, of vectors: the plain loop is to stay plain.
#define SLABWISE_PLAIN_RIVAL SLABWISE_RIVAL [[gnu::optimize("no-tree-vectorize", "no-version-loops-for-strides")]]
#define SLABWISE_PLAIN_LOOP
/// At -O2, g++ makes no vectors of a loop whose count it does not know.
#define SLABWISE_VECTORS [[gnu::optimize("O3")]]
#endif

namespace rivals {

using index_t = std::int64_t;

/// An element of 16 bytes.
struct pair_of_words {
    std::uint64_t words[2];
};

template <class Element>
[[gnu::always_inline]] inline void plain_loop(Element const* source, index_t stride, Element* destination,
                                              index_t count) {
    SLABWISE_PLAIN_LOOP
    for (index_t i = 0; i < count; ++i) destination[i] = source[i * stride];
}

/// The plain loop, twice: where a loop begins decides how fast it is, by up to 2 times on some processors. One copy
/// starts at a multiple of 64 bytes, the other 32 bytes behind one: as many no-operations stand before its entry.
template <class Element>
SLABWISE_PLAIN_RIVAL void plain_at_0(Element const* source, index_t stride, Element* destination, index_t count) {
    plain_loop(source, stride, destination, count);
}
template <class Element>
SLABWISE_PLAIN_RIVAL [[gnu::patchable_function_entry(32, 32)]] void plain_at_32(Element const* source, index_t stride,
                                                                                Element* destination, index_t count) {
    plain_loop(source, stride, destination, count);
}

/// Keeps the compiler from making one store of several, a vector or a word of four bytes.
[[gnu::always_inline]] inline void barrier() { asm volatile("" : : : "memory"); }

/// The loop unrolled by 8: four loads, four stores, and once more.
template <class Element>
SLABWISE_PLAIN_RIVAL void unrolled(Element const* source, index_t stride, Element* destination, index_t count) {
    auto const four = [&](index_t i) {
        Element const a = source[i * stride];
        Element const b = source[(i + 1) * stride];
        Element const c = source[(i + 2) * stride];
        Element const d = source[(i + 3) * stride];
        destination[i] = a;
        barrier();
        destination[i + 1] = b;
        barrier();
        destination[i + 2] = c;
        barrier();
        destination[i + 3] = d;
        barrier();
    };
    index_t i = 0;
    for (; i + 8 <= count; i += 8) {
        four(i);
        four(i + 4);
    }
    SLABWISE_PLAIN_LOOP
    for (; i < count; ++i) destination[i] = source[i * stride];
}

/// memcpy, whose length is not known where it is called.
SLABWISE_RIVAL inline void copy_bytes(std::byte const* source, std::byte* destination, std::size_t bytes) {
    std::memcpy(destination, source, bytes);
}

/// A memcpy for each row of a block. **Units** bytes.
SLABWISE_RIVAL inline void copy_rows_2d(std::byte const* source, index_t source_pitch, std::byte* destination,
                                        index_t rows, std::size_t row_bytes) {
    for (index_t i = 0; i < rows; ++i) {
        std::memcpy(destination, source, row_bytes);
        source += source_pitch;
        destination += row_bytes;
    }
}
SLABWISE_RIVAL inline void copy_rows_3d(std::byte const* source, std::array<index_t, 2> const& source_pitches,
                                        std::byte* destination, std::array<index_t, 2> const& rows,
                                        std::size_t row_bytes) {
    for (index_t i = 0; i < rows[0]; ++i) {
        for (index_t j = 0; j < rows[1]; ++j) {
            std::memcpy(destination, source + i * source_pitches[0] + j * source_pitches[1], row_bytes);
            destination += row_bytes;
        }
    }
}

/// Loops written for a rank of 3. **Units** of the strides: elements.
template <class Element>
SLABWISE_RIVAL void nested_loops(Element const* source, std::array<index_t, 3> const& strides, Element* destination,
                                 std::array<index_t, 3> const& counts) {
    for (index_t i = 0; i < counts[0]; ++i) {
        for (index_t j = 0; j < counts[1]; ++j) {
            Element const* const row = source + i * strides[0] + j * strides[1];
            for (index_t k = 0; k < counts[2]; ++k) *destination++ = row[k * strides[2]];
        }
    }
}

inline std::uint16_t reversed(std::uint16_t word) { return __builtin_bswap16(word); }
inline std::uint32_t reversed(std::uint32_t word) { return __builtin_bswap32(word); }
inline std::uint64_t reversed(std::uint64_t word) { return __builtin_bswap64(word); }

/// The loop that reverses words in place, as fast as the compiler makes it: with vectors of 32 bytes where the
/// processor has them.
template <class Word>
SLABWISE_RIVAL SLABWISE_VECTORS void reverse_in_place(Word* words, index_t count) {
    for (index_t i = 0; i < count; ++i) words[i] = reversed(words[i]);
}
#ifdef __x86_64__
template <class Word>
SLABWISE_RIVAL SLABWISE_VECTORS [[gnu::target("avx2")]] void reverse_in_place_avx2(Word* words, index_t count) {
    for (index_t i = 0; i < count; ++i) words[i] = reversed(words[i]);
}
#endif

/// A copy and then a loop that reverses the bytes in place.
template <class Word>
void copy_then_reverse(Word const* source, Word* destination, index_t count) {
    std::memcpy(destination, source, static_cast<std::size_t>(count) * sizeof(Word));
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) return reverse_in_place_avx2(destination, count);
#endif
    reverse_in_place(destination, count);
}

}  // namespace rivals
