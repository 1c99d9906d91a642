// Floating-point numbers of 16 bits. They are stored and converted, not calculated with: the compilers that this
// library supports have no types for them (clang 14 lacks _Float16, clang 14 and g++ 12 lack std::bfloat16_t).
#pragma once

#include <bit>
#include <cstdint>

#include <slabwise/copy/binary_float.hpp>
#include <slabwise/copy/element_type.hpp>

namespace slabwise {

/// A number of 16 bits in the binary form of IEEE 754. Its conversions round to the nearest number, ties to even, once
/// only; NaNs keep their payload, signalling ones too.
template <class Format>
class small_float {
public:
    small_float() = default;
    /// The nearest number; infinity when `value` is half a unit or more above the largest.
    constexpr explicit small_float(float value) noexcept
        : bits_(detail::narrow<Format, detail::binary32>(std::bit_cast<std::uint32_t>(value))) {}
    constexpr explicit small_float(double value) noexcept
        : bits_(detail::narrow<Format, detail::binary64>(std::bit_cast<std::uint64_t>(value))) {}

    [[nodiscard]] static constexpr small_float from_bits(std::uint16_t bits) noexcept {
        small_float result{};
        result.bits_ = bits;
        return result;
    }
    [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }

    constexpr explicit operator float() const noexcept {
        return std::bit_cast<float>(detail::widen<detail::binary32, Format>(bits_));
    }
    constexpr explicit operator double() const noexcept {
        return std::bit_cast<double>(detail::widen<detail::binary64, Format>(bits_));
    }

    /// True when the numbers are equal, as those of float are: not when either is a NaN.
    friend constexpr bool operator==(small_float a, small_float b) noexcept {
        return static_cast<float>(a) == static_cast<float>(b);
    }

private:
    std::uint16_t bits_;
};

/// 5 bits of exponent and 10 of mantissa: IEEE 754's binary16, up to 65504 with 3 decimal digits. Zarr and NumPy call
/// it float16.
using float16 = small_float<detail::binary16>;

/// 8 bits of exponent and 7 of mantissa: the upper half of a float, up to 3.4e38 with 2 decimal digits.
using bfloat16 = small_float<detail::brain16>;

template <>
struct element_type_traits<float16> {
    static constexpr element_type value{element_kind::floating, 2};
};
template <>
struct element_type_traits<bfloat16> {
    static constexpr element_type value{element_kind::brain_floating, 2};
};

}  // namespace slabwise
