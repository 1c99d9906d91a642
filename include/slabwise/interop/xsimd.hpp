// The kernels in xsimd's batches, for the architecture that the including file is compiled for: any compiler's, such as
// those for which this library has no kernels of its own. Including this header offers them as instruction_set::xsimd;
// copies use them where their registers are wider than 16 bytes and no built-in set is, or where SLABWISE_SIMD says so.
//
// Only what xsimd 8.1 to 13 have alike is used: loads, stores, shifts, bitwise operations and swizzles of 4- and 8-byte
// words. Where xsimd has a shuffle of two batches, or of bytes, its meaning or its architectures differ between
// versions. So the kernels are those that need no more and are at least a tenth faster than the loop without vectors:
//
// | gather, by stride                   | reversed, by stride | transpose | runs |
// |-------------------------------------|---------------------|-----------|------|
// | 2: size 1, 2, 4; 4: 1, 2; 8: 1      | 1: 2, 4             | none      | yes  |
//
// With batches of more than 16 bytes besides 3: 4; -1: 4, 8.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <utility>

#include <xsimd/xsimd.hpp>

#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/copy/vector_kernels.hpp>

namespace slabwise::detail {

/// The place of a swizzle's constants among the template arguments changed twice.
#if XSIMD_VERSION_MAJOR >= 13
template <class Word, class Arch, Word... Values>
using xsimd_constants = xsimd::batch_constant<Word, Arch, Values...>;
#else
template <class Word, class Arch, Word... Values>
using xsimd_constants = xsimd::batch_constant<xsimd::batch<Word, Arch>, Values...>;
#endif

template <class Arch>
struct xsimd_model;

/// The words of Size bytes in a batch.
template <std::size_t Size, class Arch>
struct xsimd_lanes {
    using word = word_of<Size>;
    using batch = xsimd::batch<word, Arch>;
    static constexpr std::size_t count = batch::size;

    batch value;

    SLABWISE_ALWAYS_INLINE static xsimd_lanes load(std::byte const* source) noexcept {
        return {batch::load_unaligned(reinterpret_cast<word const*>(source))};
    }
    SLABWISE_ALWAYS_INLINE void store(std::byte* destination) const noexcept {
        value.store_unaligned(reinterpret_cast<word*>(destination));
    }

    /// Of words of 4 or 8 bytes.
    template <class Pattern>
    SLABWISE_ALWAYS_INLINE static xsimd_lanes shuffle(xsimd_lanes const& a, xsimd_lanes const& b) noexcept {
        return shuffle<Pattern>(a, b, std::make_index_sequence<count>{});
    }
    template <class Pattern>
    SLABWISE_ALWAYS_INLINE static xsimd_lanes select(xsimd_lanes const& a, xsimd_lanes const& b) noexcept {
        return select<Pattern>(a, b, std::make_index_sequence<count>{});
    }
    template <std::size_t Other>
    SLABWISE_ALWAYS_INLINE xsimd_lanes<Other, Arch> as() const noexcept {
        return {value_as<word_of<Other>>(value)};
    }

    SLABWISE_ALWAYS_INLINE friend xsimd_lanes operator|(xsimd_lanes const& a, xsimd_lanes const& b) noexcept {
        return {a.value | b.value};
    }
    SLABWISE_ALWAYS_INLINE friend xsimd_lanes operator&(xsimd_lanes const& a, word mask) noexcept {
        return {a.value & batch(mask)};
    }
    SLABWISE_ALWAYS_INLINE friend xsimd_lanes operator<<(xsimd_lanes const& a, int bits) noexcept {
        return {a.value << bits};
    }
    SLABWISE_ALWAYS_INLINE friend xsimd_lanes operator>>(xsimd_lanes const& a, int bits) noexcept {
        return {a.value >> bits};
    }

private:
    template <class Word>
    SLABWISE_ALWAYS_INLINE static auto value_as(batch const& from) noexcept {
#if XSIMD_VERSION_MAJOR >= 11
        return xsimd::bitwise_cast<Word>(from);
#else
        return xsimd::bitwise_cast<xsimd::batch<Word, Arch>>(from);
#endif
    }
    template <class Pattern, std::size_t... Index>
    SLABWISE_ALWAYS_INLINE static xsimd_lanes shuffle(xsimd_lanes const& a, xsimd_lanes const& b,
                                                      std::index_sequence<Index...>) noexcept {
        constexpr xsimd_constants<word, Arch, static_cast<word>(Pattern::at(Index, count) % count)...> places;
        if constexpr (((Pattern::at(Index, count) < count) && ...)) {
            return {xsimd::swizzle(a.value, places)};
        } else {
            struct from_either {
                static constexpr std::size_t at(std::size_t i, std::size_t) {
                    return Pattern::at(i, count) < count ? i : count + i;
                }
            };
            return select<from_either>({xsimd::swizzle(a.value, places)}, {xsimd::swizzle(b.value, places)});
        }
    }
    template <class Pattern, std::size_t... Index>
    SLABWISE_ALWAYS_INLINE static xsimd_lanes select(xsimd_lanes const& a, xsimd_lanes const& b,
                                                     std::index_sequence<Index...>) noexcept {
        alignas(64) static constexpr word from_b[count] = {
            (Pattern::at(Index, count) >= count ? static_cast<word>(~word{0}) : word{0})...};
        auto const mask = batch::load_aligned(from_b);
        return {(a.value & ~mask) | (b.value & mask)};
    }
};

/// The model of a batch.
template <class Arch>
struct xsimd_model {
    static constexpr std::size_t bytes = sizeof(xsimd::batch<unsigned char, Arch>);
    static constexpr bool packs_bytes = false;
    static constexpr bool shuffles_bytes = false;
    static constexpr bool streams = false;
    template <std::size_t Size>
    using lanes = xsimd_lanes<Size, Arch>;

    static constexpr bool has_gather(std::size_t size, index_t stride) {
        switch (stride) {
        case 2:
            return size <= 4;
        case 3:
            return bytes > 16 && size == 4;
        case 4:
            return size <= 2;
        case 8:
            return size == 1;
        default:
            return bytes > 16 && size >= 4;
        }
    }
    static constexpr index_t longest_row(std::size_t, index_t) { return (std::numeric_limits<index_t>::max)(); }
    static constexpr bool has_reversed(std::size_t size, index_t stride) { return size <= 4 && stride == 1; }
    static constexpr bool has_transpose(std::size_t) { return false; }
    static constexpr bool has_runs = true;

    template <class Kernel>
    struct compiled_kernel {
        static void run(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                        std::byte* destination) noexcept {
            Kernel::run(axes, unit_size, source, destination);
        }
    };
    template <class Kernel>
    static constexpr copy_kernel compiled = compiled_kernel<Kernel>::run;
};

template <class Arch>
inline constexpr offered_kernels kernels_of_arch{xsimd_model<Arch>::bytes, find_kernel<xsimd_model<Arch>>};

/// Offers the kernels of an architecture, unless wider ones are.
template <class Arch>
bool offer_xsimd_kernels() noexcept {
    auto const* const ours = &kernels_of_arch<Arch>;
    auto const* others = xsimd_kernels.load();
    while (others == nullptr || others->bytes < ours->bytes) {
        if (xsimd_kernels.compare_exchange_weak(others, ours)) break;
    }
    return true;
}

/// Each file offers those of its own architecture, before main() begins.
[[maybe_unused]] static bool const offers_xsimd_kernels = offer_xsimd_kernels<xsimd::default_arch>();

}  // namespace slabwise::detail
