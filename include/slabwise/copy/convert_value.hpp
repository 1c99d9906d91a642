// From an element of one type to an element of another: the formulas, one element at a time. They have no branch where
// there are vectors for them.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <slabwise/copy/binary_float.hpp>
#include <slabwise/copy/float16.hpp>

namespace slabwise {

/// Which conversions are permitted, and what becomes of a value that does not fit the new type.
///
/// | rule      | permits                         | a value out of range            | NaN to an integer |
/// |-----------|---------------------------------|---------------------------------|-------------------|
/// | same_kind | bool -> uint -> int -> floating | an integer wraps, a floating    | not permitted     |
/// |           | -> complex, within each any size| one becomes infinity            |                   |
/// | saturate  | besides, all between real types | becomes the nearest that fits   | becomes 0         |
/// | check     | as saturate                     | is an error                     | is an error       |
///
/// Floating values round to the nearest that the new type has, ties to even; to an integer they are cut off towards
/// zero, and in range is what then fits. A value is out of a floating type's range when it is finite and would become
/// infinity; infinity itself fits, and the nearest that fits is the largest finite one. What becomes a bool is true
/// unless it is zero, so NaN is true; check wants 0 or 1. **Source** same_kind: numpy.can_cast and
/// numpy.ndarray.astype.
enum class conversion_rule : unsigned char { same_kind, saturate, check };

namespace detail {

/// A bool as it lies in memory, where a stranger may have left other bytes than 0 and 1.
struct stored_bool {
    std::uint8_t byte;
};

template <class T>
inline constexpr bool is_small_float = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;
template <class T>
inline constexpr bool is_real_float = std::is_floating_point_v<T> || is_small_float<T>;

template <class T>
struct format_of;
template <>
struct format_of<float> {
    using type = binary32;
};
template <>
struct format_of<double> {
    using type = binary64;
};
template <class Format>
struct format_of<small_float<Format>> {
    using type = Format;
};

/// The bits of a floating value without its sign.
template <class Float>
[[gnu::always_inline]] constexpr auto magnitude_bits(Float value) noexcept {
    using format = typename format_of<Float>::type;
    return static_cast<typename format::word>(std::bit_cast<typename format::word>(value) & format::magnitude_mask);
}

/// How many bits the numbers of a type have, and the power of two that is just above them all.
template <class T>
struct range_of {
    static constexpr int digits = std::numeric_limits<T>::digits;
    static constexpr int exponent = std::is_integral_v<T> ? digits : std::numeric_limits<T>::max_exponent;
};
template <class Format>
struct range_of<small_float<Format>> {
    static constexpr int digits = static_cast<int>(Format::mantissa_bits) + 1;
    static constexpr int exponent = static_cast<int>(Format::bias) + 1;
};

/// True when no value of From is out of the range of To.
template <class To, class From>
constexpr bool always_fits() noexcept {
    if constexpr (std::is_same_v<From, stored_bool> || std::is_same_v<To, From>) {
        return true;
    } else if constexpr (std::is_same_v<To, stored_bool>) {
        return false;
    } else if constexpr (std::is_integral_v<To>) {
        return std::is_integral_v<From> && range_of<From>::digits <= range_of<To>::digits &&
               (std::is_signed_v<To> || std::is_unsigned_v<From>);
    } else {
        // The largest of the same power of two rounds up where it has more bits.
        using from = range_of<From>;
        using to = range_of<To>;
        return from::exponent < to::exponent || (from::exponent == to::exponent && from::digits <= to::digits);
    }
}

/// The least and the greatest value of From that the integer type To has.
template <class To, class From>
struct common_range {
    using to = std::numeric_limits<To>;
    using from = std::numeric_limits<From>;
    static constexpr From least = std::is_unsigned_v<To> || std::is_unsigned_v<From> ? From{0}
                                  : to::digits < from::digits                        ? static_cast<From>((to::min)())
                                                                                     : (from::min)();
    static constexpr From greatest = to::digits < from::digits ? static_cast<From>((to::max)()) : (from::max)();
};

/// 2^exponent. **Expects** 0 <= exponent <= 64.
constexpr double power_of_two(int exponent) noexcept {
    return exponent == 64 ? 0x1p64 : static_cast<double>(std::uint64_t{1} << exponent);
}

/// Whether a value is in the range of To.
template <class To, class From>
[[gnu::always_inline]] constexpr bool fits(From value) noexcept {
    if constexpr (always_fits<To, From>()) {
        return true;
    } else if constexpr (std::is_same_v<To, stored_bool>) {
        if constexpr (is_small_float<From>) {
            return fits<To>(static_cast<float>(value));
        } else {
            return (value == From{0}) | (value == From{1});
        }
    } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) {
        using range = common_range<To, From>;
        return (value >= range::least) & (value <= range::greatest);
    } else if constexpr (std::is_integral_v<To>) {
        auto const real = static_cast<double>(value);
        constexpr double least = static_cast<double>((std::numeric_limits<To>::min)());
        // Between least - 1 and least values are cut off to least; beside -2^63 there is none.
        bool const is_above = sizeof(To) == 8 && std::is_signed_v<To> ? real >= least : real > least - 1;
        return is_above & (real < power_of_two(std::numeric_limits<To>::digits));
    } else {
        // Written out for integers, of which two become infinity: those that float16 has not.
        constexpr auto infinity = format_of<To>::type::infinity;
        To rounded{};
        bool is_finite = true;
        if constexpr (std::is_integral_v<From>) {
            rounded = To(static_cast<float>(value));
        } else {
            if constexpr (is_small_float<From>) {
                rounded = To(static_cast<float>(value));
            } else {
                rounded = static_cast<To>(value);
            }
            is_finite = magnitude_bits(value) < format_of<From>::type::infinity;
        }
        return (magnitude_bits(rounded) != infinity) | !is_finite;
    }
}

/// A floating value cut off to an integer, the nearest where it is out of range, 0 for NaN.
template <class To, class Real>
[[gnu::always_inline]] constexpr To truncated(Real value) noexcept {
    using limits = std::numeric_limits<To>;
    if constexpr (sizeof(To) == 4 && sizeof(Real) == 4) {
        // Not all bounds of the integer are floats.
        return truncated<To>(static_cast<double>(value));
    } else if constexpr (sizeof(To) < 8) {
        constexpr auto least = static_cast<Real>((limits::min)());
        constexpr auto greatest = static_cast<Real>((limits::max)());
        using step = std::conditional_t<std::is_same_v<To, std::uint32_t>, std::int64_t, std::int32_t>;
        value = select_real(value == value, value, Real{0});
        value = select_real(value < least, least, value);
        value = select_real(value > greatest, greatest, value);
        return static_cast<To>(static_cast<step>(value));
    } else {
        if (value >= static_cast<Real>(power_of_two(limits::digits))) return (limits::max)();
        if (value >= static_cast<Real>((limits::min)())) return static_cast<To>(value);
        return value < 0 ? (limits::min)() : To{0};
    }
}

/// An integer rounded once: to a double, of which bfloat16 is a part of the bits.
template <class To, class From>
[[gnu::always_inline]] constexpr To rounded_integer(From value) noexcept {
    if constexpr (sizeof(From) <= 2 || std::is_same_v<To, float16>) {
        // Those that float rounds become infinity in float16.
        return To(static_cast<float>(value));
    } else if constexpr (sizeof(From) == 4) {
        return To(static_cast<double>(value));
    } else {
        // Of the 11 bits that a double has not, one remembers whether any is set: no tie comes of another value.
        constexpr auto lost = From{0x7ff};
        auto const odd = static_cast<From>((value & ~lost) | (From{(value & lost) != 0} << 11));
        bool const is_short = value < From{1} << 53 && (std::is_unsigned_v<From> || value > -(From{1} << 53));
        return To(static_cast<double>(is_short ? value : odd));
    }
}

/// The value as To. **Expects** a pair that the rule permits; a value that does not fit is treated as saturate does
/// when the rule is check.
template <conversion_rule Rule, class To, class From>
[[gnu::always_inline]] constexpr To convert_value(From value) noexcept {
    if constexpr (std::is_same_v<From, stored_bool>) {
        if constexpr (std::is_same_v<To, stored_bool>) {
            return {static_cast<std::uint8_t>(value.byte != 0)};
        } else {
            return convert_value<Rule, To>(static_cast<std::uint8_t>(value.byte != 0));
        }
    } else if constexpr (std::is_same_v<To, From>) {
        return value;
    } else if constexpr (std::is_same_v<To, stored_bool>) {
        if constexpr (is_small_float<From>) {
            return {static_cast<std::uint8_t>(magnitude_bits(value) != 0)};
        } else {
            return {static_cast<std::uint8_t>(value != From{0})};
        }
    } else if constexpr (std::is_integral_v<To>) {
        if constexpr (!std::is_integral_v<From>) {
            if constexpr (is_small_float<From>) {
                return truncated<To>(static_cast<float>(value));
            } else {
                return truncated<To>(value);
            }
        } else if constexpr (Rule == conversion_rule::same_kind) {
            return static_cast<To>(value);
        } else {
            using range = common_range<To, From>;
            From nearest = value < range::least ? range::least : value;
            nearest = nearest > range::greatest ? range::greatest : nearest;
            return static_cast<To>(nearest);
        }
    } else {
        To rounded{};
        if constexpr (is_small_float<From> && is_small_float<To>) {
            rounded = To(static_cast<float>(value));
        } else if constexpr (std::is_integral_v<From> && is_small_float<To>) {
            rounded = rounded_integer<To>(value);
        } else {
            rounded = static_cast<To>(value);
        }
        if constexpr (Rule != conversion_rule::same_kind && !always_fits<To, From>()) {
            // The bits of the largest finite number are those before infinity's.
            using word = typename format_of<To>::type::word;
            auto const bits = static_cast<word>(std::bit_cast<word>(rounded) - word{!fits<To>(value)});
            rounded = std::bit_cast<To>(bits);
        }
        return rounded;
    }
}

}  // namespace detail

}  // namespace slabwise
