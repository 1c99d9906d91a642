// What the vectorised kernels are written in: lanes, a register full of words, by the compiler's vector extensions.
//
// A kernel is a template over a model, which names the lanes that it has:
//
// | expression                     | meaning                                                                         |
// |--------------------------------|---------------------------------------------------------------------------------|
// | `Model::bytes`                 | the size of a register                                                          |
// | `Model::packs_bytes`           | whether a shuffle that takes every second byte is a few instructions            |
// | `Model::shuffles_bytes`        | whether a shuffle of bytes or 2-byte words within 16 bytes is one instruction   |
// | `Model::streams`               | whether `stream(p)` of its lanes stores past the caches                         |
// | `Model::template lanes<Size>`  | a register of words of Size bytes (1, 2, 4, 8): `count`, `load(p)`, `store(p)`, |
// |                                | `load_pieces(p, step)`,                                                         |
// |                                | `shuffle<Pattern>(a, b)`, `select<Pattern>(a, b)`, `as<Size>()`, `& \| << >>` |
//
// A pattern is a type with `static constexpr std::size_t at(std::size_t i, std::size_t count)`: which word of the 2 *
// count words of a and b, one after the other, becomes word i. For select it names word i of one or the other.
//
// Everything here and in the kernels is forced inline: a function that is compiled for an instruction set by a target
// attribute hands that set on only to what is inlined into it, and a register wider than the file's own must not be
// passed by value between functions.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/copy/words.hpp>

#define SLABWISE_ALWAYS_INLINE [[gnu::always_inline]] inline

namespace slabwise::detail {

#if defined(__aarch64__)
inline constexpr bool is_aarch64 = true;
#else
inline constexpr bool is_aarch64 = false;
#endif

/// The model of the vector extensions of g++ and clang, for registers of Bytes bytes and what else Set has.
template <instruction_set Set, std::size_t Bytes>
struct vector_model;

/// Ends a sequence of streamed stores: what is stored later is seen later by other threads.
inline void end_stream() noexcept {
#if defined(__x86_64__)
    asm volatile("sfence" : : : "memory");
#endif
}

/// The words of Size bytes in a register of a vector_model.
template <std::size_t Size, class Model>
struct vector_lanes {
    using word = word_of<Size>;
    typedef word register_type __attribute__((vector_size(Model::bytes)));
    static constexpr std::size_t count = Model::bytes / Size;

    register_type value;

    SLABWISE_ALWAYS_INLINE static vector_lanes load(std::byte const* source) noexcept {
        vector_lanes lanes;
        std::memcpy(&lanes.value, source, Model::bytes);
        return lanes;
    }
    /// Every 16 bytes of the register come from a place of their own, piece_step bytes behind the one before.
    SLABWISE_ALWAYS_INLINE static vector_lanes load_pieces(std::byte const* source,
                                                           std::ptrdiff_t piece_step) noexcept {
        if constexpr (Model::bytes == 16) {
            return load(source);
        } else {
            using half = vector_lanes<Size, typename Model::half>;
            constexpr std::ptrdiff_t pieces = Model::bytes / 32;
            return join(half::load_pieces(source, piece_step),
                        half::load_pieces(source + pieces * piece_step, piece_step), std::make_index_sequence<count>{});
        }
    }
    SLABWISE_ALWAYS_INLINE void store(std::byte* destination) const noexcept {
        std::memcpy(destination, &value, Model::bytes);
    }

    /// Stores past the caches, for a model that streams. **Expects** an address that is a multiple of Model::bytes.
    SLABWISE_ALWAYS_INLINE void stream(std::byte* destination) const noexcept {
        auto* const place = reinterpret_cast<register_type*>(destination);
#if defined(__clang__)
        __builtin_nontemporal_store(value, place);
#elif defined(__x86_64__)
        asm volatile("{vmovntdq %1, %0|vmovntdq %0, %1}" : "=m"(*place) : "v"(value));
#else
        *place = value;
#endif
    }

    template <class Pattern>
    SLABWISE_ALWAYS_INLINE static vector_lanes shuffle(vector_lanes const& a, vector_lanes const& b) noexcept {
        return shuffle<Pattern>(a, b, std::make_index_sequence<count>{});
    }
    /// A shuffle that leaves every word at its place.
    template <class Pattern>
    SLABWISE_ALWAYS_INLINE static vector_lanes select(vector_lanes const& a, vector_lanes const& b) noexcept {
        return shuffle<Pattern>(a, b);
    }
    /// The same bits as words of another size.
    template <std::size_t Other>
    SLABWISE_ALWAYS_INLINE vector_lanes<Other, Model> as() const noexcept {
        return {reinterpret_cast<typename vector_lanes<Other, Model>::register_type>(value)};
    }

    SLABWISE_ALWAYS_INLINE friend vector_lanes operator|(vector_lanes const& a, vector_lanes const& b) noexcept {
        return {a.value | b.value};
    }
    SLABWISE_ALWAYS_INLINE friend vector_lanes operator&(vector_lanes const& a, word mask) noexcept {
        return {a.value & mask};
    }
    SLABWISE_ALWAYS_INLINE friend vector_lanes operator<<(vector_lanes const& a, int bits) noexcept {
        return {a.value << bits};
    }
    SLABWISE_ALWAYS_INLINE friend vector_lanes operator>>(vector_lanes const& a, int bits) noexcept {
        return {a.value >> bits};
    }

private:
    template <class Half, std::size_t... Index>
    SLABWISE_ALWAYS_INLINE static vector_lanes join(Half const& low, Half const& high,
                                                    std::index_sequence<Index...>) noexcept {
        return {__builtin_shufflevector(low.value, high.value, static_cast<int>(Index)...)};
    }
    template <class Pattern, std::size_t... Index>
    SLABWISE_ALWAYS_INLINE static vector_lanes shuffle(vector_lanes const& a, vector_lanes const& b,
                                                       std::index_sequence<Index...>) noexcept {
        return {__builtin_shufflevector(a.value, b.value, static_cast<int>(Pattern::at(Index, count))...)};
    }
};

template <instruction_set Set, std::size_t Bytes>
struct vector_model {
    static constexpr instruction_set set = Set;
    static constexpr std::size_t bytes = Bytes;
    static constexpr bool packs_bytes = true;
    static constexpr bool shuffles_bytes = Set != instruction_set::vector128 || is_aarch64;
    static constexpr bool streams = Set == instruction_set::avx2 || Set == instruction_set::avx512;
    using half = vector_model<Set, (Bytes > 16 ? Bytes / 2 : Bytes)>;
    template <std::size_t Size>
    using lanes = vector_lanes<Size, vector_model>;
};

/// Every second word of a and b, from word Phase (0 or 1) on.
template <std::size_t Phase>
struct every_second {
    static constexpr std::size_t at(std::size_t i, std::size_t) { return 2 * i + Phase; }
};
/// In every group of Words words, those at even places before those at odd ones; of the first register alone.
template <std::size_t Words>
struct apart {
    static constexpr std::size_t at(std::size_t i, std::size_t) {
        return i / Words * Words + i % Words * 2 % Words + i % Words * 2 / Words;
    }
};
/// Every second word of a and b, from word Phase (0 or 1) on.
template <class Model, std::size_t Size, std::size_t Phase>
SLABWISE_ALWAYS_INLINE auto every_second_word(typename Model::template lanes<Size> const& a,
                                              typename Model::template lanes<Size> const& b) noexcept {
    using lanes = typename Model::template lanes<Size>;
    if constexpr (Size == 2 && !Model::shuffles_bytes) {
        using pairs = typename Model::template lanes<4>;
        auto const first = pairs::template shuffle<every_second<0>>(a.template as<4>(), b.template as<4>());
        auto const second = pairs::template shuffle<every_second<1>>(a.template as<4>(), b.template as<4>());
        if constexpr (Phase == 0) {
            return ((first & 0xffffu) | (second << 16)).template as<2>();
        } else {
            return ((first >> 16) | (second & 0xffff0000u)).template as<2>();
        }
    } else if constexpr (Size == 1 && !Model::packs_bytes) {
        // Of every 4 bytes the two wanted ones become the lower half, of which each second 2 bytes are taken.
        auto const words_a = Phase == 0 ? a.template as<2>() & 0xffu : a.template as<2>() >> 8;
        auto const words_b = Phase == 0 ? b.template as<2>() & 0xffu : b.template as<2>() >> 8;
        auto const halves_a = words_a.template as<4>() | (words_a.template as<4>() >> 8);
        auto const halves_b = words_b.template as<4>() | (words_b.template as<4>() >> 8);
        return every_second_word<Model, 2, 0>(halves_a.template as<2>(), halves_b.template as<2>()).template as<1>();
    } else if constexpr (Size <= 2 && Model::bytes > 16) {
        // The wanted words of a and b share pairs, then 16 bytes, then go to their halves: g++ 12 and clang 14 find
        // only sequences that take the one port for shuffles across 16 bytes more often.
        constexpr int bits = 8 * Size;
        using pair = word_of<2 * Size>;
        constexpr auto low_half = static_cast<pair>(word_of<Size>(-1));
        constexpr auto high_half = static_cast<pair>(low_half << bits);
        auto const pairs_a = a.template as<2 * Size>();
        auto const pairs_b = b.template as<2 * Size>();
        auto const both =
            Phase == 0 ? (pairs_a & low_half) | (pairs_b << bits) : (pairs_a >> bits) | (pairs_b & high_half);
        auto const words = both.template as<Size>();
        auto const halves = lanes::template shuffle<apart<16 / Size>>(words, words).template as<8>();
        using wide = typename Model::template lanes<8>;
        return wide::template shuffle<apart<wide::count>>(halves, halves).template as<Size>();
    } else {
        return lanes::template shuffle<every_second<Phase>>(a, b);
    }
}
/// The words in reverse; of the first register alone.
struct in_reverse {
    static constexpr std::size_t at(std::size_t i, std::size_t count) { return count - 1 - i; }
};
/// The words of every group of Words reversed; of the first register alone.
template <std::size_t Words>
struct reversed_groups {
    static constexpr std::size_t at(std::size_t i, std::size_t) { return i / Words * Words + Words - 1 - i % Words; }
};

}  // namespace slabwise::detail
