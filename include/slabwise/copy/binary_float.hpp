// Binary floating-point numbers as bits: from one format to a wider one and to a narrower one.
//
// Both directions take the bits apart without a branch, so that a loop over them becomes vectors, and treat three
// ranges, of which the sign is no part:
//
//   normal      the exponent is moved from one bias to the other
//   subnormal   in the narrower format its smallest number is one unit in the last place of a power of two of the wider
//               one, the pivot: adding the pivot rounds to a multiple of that unit, and subtracting it leaves the
//               number
//   NaN         its payload moves along; no arithmetic touches it, so that a signalling NaN stays one
//
// Numbers that are subnormal in the wider format round to zero, so that it does not matter whether the processor takes
// them for zero.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <slabwise/copy/words.hpp>

namespace slabwise::detail {

/// A format of IEEE 754's binary form: a sign, Exponent bits and Mantissa bits.
template <unsigned Exponent, unsigned Mantissa>
struct binary_format {
    static constexpr unsigned bits = 1 + Exponent + Mantissa;
    static constexpr unsigned mantissa_bits = Mantissa;
    static constexpr unsigned bias = (1U << (Exponent - 1)) - 1;
    using word = word_of<bits / 8>;
    /// The bits of infinity: all ones in the exponent.
    static constexpr word infinity = static_cast<word>(((word{1} << Exponent) - 1) << Mantissa);
    static constexpr word mantissa_mask = static_cast<word>((word{1} << Mantissa) - 1);
    static constexpr word magnitude_mask = static_cast<word>(infinity | mantissa_mask);
};

using binary16 = binary_format<5, 10>;
using brain16 = binary_format<8, 7>;
using binary32 = binary_format<8, 23>;
using binary64 = binary_format<11, 52>;

/// What the two directions between a wide and a narrow format have in common.
template <class Wide, class Narrow>
struct format_pair {
    using word = typename Wide::word;
    using real = std::conditional_t<sizeof(word) == 4, float, double>;
    static_assert(sizeof(real) == sizeof(word) && Wide::bias >= Narrow::bias);
    static constexpr unsigned shift = Wide::mantissa_bits - Narrow::mantissa_bits;
    static constexpr unsigned sign_shift = Wide::bits - Narrow::bits;
    /// The difference of the biases, at the place of the exponent.
    static constexpr word rebias = word{Wide::bias - Narrow::bias} << Wide::mantissa_bits;
    static constexpr bool has_own_subnormals = rebias != 0;
    /// The bits of the power of two whose unit in the last place is the smallest number of the narrow format.
    static constexpr word pivot = word{Wide::bias + 1 - Narrow::bias + shift} << Wide::mantissa_bits;
};

/// All ones where a < b, zero otherwise, for words without their highest bit. Of a comparison g++ 12 makes one of
/// narrower words where it can, which costs a vector twice as many instructions.
template <class Word>
[[gnu::always_inline]] constexpr Word mask_less(Word a, Word b) noexcept {
    return static_cast<Word>(static_cast<std::make_signed_t<Word>>(a - b) >> (8 * sizeof(Word) - 1));
}

/// `yes` where the mask is all ones, `no` where it is zero. Of `?:` the compilers may make a branch, which keeps a loop
/// from vectors.
template <class Word>
[[gnu::always_inline]] constexpr Word select(Word mask, Word yes, Word no) noexcept {
    return static_cast<Word>(no ^ ((yes ^ no) & mask));
}

/// The mask of a condition.
template <class Word>
[[gnu::always_inline]] constexpr Word mask_of(bool condition) noexcept {
    return static_cast<Word>(Word{0} - Word{condition});
}

/// The same selection for floating values, NaNs among them.
template <class Real>
[[gnu::always_inline]] constexpr Real select_real(bool condition, Real yes, Real no) noexcept {
    using word = word_of<sizeof(Real)>;
    return std::bit_cast<Real>(select(mask_of<word>(condition), std::bit_cast<word>(yes), std::bit_cast<word>(no)));
}

/// The bits of the number in the format From as one of the narrower format To: the nearest, and of two that are equally
/// near the even one; infinity from half a unit above the largest on. A NaN keeps the upper bits of its payload, or has
/// the payload 1 where they are all zero.
template <class To, class From>
[[gnu::always_inline]] constexpr typename To::word narrow(typename From::word bits) noexcept {
    using pair = format_pair<From, To>;
    using word = typename From::word;
    constexpr word smallest_normal = pair::rebias + (word{1} << From::mantissa_bits);
    auto const magnitude = static_cast<word>(bits & From::magnitude_mask);
    word const sign = (bits ^ magnitude) >> pair::sign_shift;

    // Half a unit less one, and one where the last bit that stays is set.
    word const half = (word{1} << (pair::shift - 1)) - 1 + (magnitude >> pair::shift & 1);
    word result = (magnitude - pair::rebias + half) >> pair::shift;
    result = select(mask_less(word{To::infinity}, result), word{To::infinity}, result);
    if constexpr (pair::has_own_subnormals) {
        word const is_small = mask_less(magnitude, smallest_normal);
        auto const subnormal = std::bit_cast<typename pair::real>(magnitude & is_small);
        auto const pivot = std::bit_cast<typename pair::real>(pair::pivot);
        word const units = std::bit_cast<word>(subnormal + pivot) - pair::pivot;
        result = select(is_small, units, result);
    }
    word const payload = magnitude >> pair::shift & To::mantissa_mask;
    word const not_a_number = To::infinity | payload | (mask_less(payload, word{1}) & 1);
    result = select(mask_less(From::infinity, magnitude), not_a_number, result);
    return static_cast<typename To::word>(result | sign);
}

/// The bits of the number in the format From as one of the wider format To, which has every such number; a NaN keeps
/// its payload.
template <class To, class From>
[[gnu::always_inline]] constexpr typename To::word widen(typename From::word bits) noexcept {
    using pair = format_pair<To, From>;
    using word = typename To::word;
    word const magnitude = bits & From::magnitude_mask;
    word const sign = (bits ^ magnitude) << pair::sign_shift;
    word result = magnitude << pair::shift;
    if constexpr (pair::has_own_subnormals) {
        // What is above both biases is again one difference away.
        word const is_finite = mask_less(magnitude, word{From::infinity});
        word const moved = result + pair::rebias + (pair::rebias & ~is_finite);
        auto const pivot = std::bit_cast<typename pair::real>(pair::pivot);
        auto const subnormal = std::bit_cast<typename pair::real>(pair::pivot | (magnitude & From::mantissa_mask));
        word const units = std::bit_cast<word>(subnormal - pivot);
        result = select(mask_less(word{From::mantissa_mask}, magnitude), moved, units);
    }
    return result | sign;
}

}  // namespace slabwise::detail
