// Words: the unsigned integers that bytes are moved by.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slabwise::detail {

template <std::size_t Size>
struct word_of_size;
template <>
struct word_of_size<1> {
    using type = std::uint8_t;
};
template <>
struct word_of_size<2> {
    using type = std::uint16_t;
};
template <>
struct word_of_size<4> {
    using type = std::uint32_t;
};
template <>
struct word_of_size<8> {
    using type = std::uint64_t;
};

/// The unsigned integer of Size bytes.
template <std::size_t Size>
using word_of = typename word_of_size<Size>::type;

/// Reverses the bytes of every Bytes bytes of a word, which has that many or twice as many.
template <std::size_t Bytes, class Word>
[[gnu::always_inline]] inline Word reverse_words_of(Word word) noexcept {
    static_assert(sizeof(Word) == Bytes || sizeof(Word) == 2 * Bytes);
    Word turned = word;
    if constexpr (sizeof(Word) == 2) {
        turned = __builtin_bswap16(word);
    } else if constexpr (sizeof(Word) == 4) {
        turned = __builtin_bswap32(word);
    } else {
        static_assert(sizeof(Word) == 8);
        turned = __builtin_bswap64(word);
    }
    if constexpr (sizeof(Word) != Bytes) turned = turned << (8 * Bytes) | turned >> (8 * Bytes);
    return turned;
}

}  // namespace slabwise::detail
