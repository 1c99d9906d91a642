// Elements that a filter computes with: read in blocks from whatever type they have into the widest of their kind, and
// back, as numpy converts them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>

#include <slabwise/codec/codec.hpp>
#include <slabwise/copy/element_type.hpp>
#include <slabwise/copy/float16.hpp>

namespace slabwise {

/// The type of the numbers that a filter reads or writes, with their byte order.
/// **Expects** of a filter's types: boolean, integer or floating, the latter of IEEE 754.
struct number_type {
    element_type type;
    std::endian byte_order = std::endian::native;

    [[nodiscard]] constexpr bool is_real() const noexcept {
        return type.kind == element_kind::boolean || type.kind == element_kind::signed_integer ||
               type.kind == element_kind::unsigned_integer || type.kind == element_kind::floating;
    }
    [[nodiscard]] constexpr bool is_floating() const noexcept { return type.kind == element_kind::floating; }
};

namespace detail {

/// How many numbers are converted at once.
inline constexpr std::size_t numbers_a_block = 256;
template <class Wide>
using number_block = std::array<Wide, numbers_a_block>;

/// A floating value as an integer: cut off towards zero; what does not fit becomes the nearest that does, NaN 0.
template <class Integer>
constexpr Integer cut_off(double value) noexcept {
    constexpr double end = static_cast<double>(std::uint64_t{1} << (std::numeric_limits<Integer>::digits - 1)) * 2;
    if (!(value > static_cast<double>((std::numeric_limits<Integer>::min)()))) {
        return value == value ? (std::numeric_limits<Integer>::min)() : Integer{0};
    }
    return value < end ? static_cast<Integer>(value) : (std::numeric_limits<Integer>::max)();
}

/// From one number to another as numpy's astype does it: integers wrap.
template <class To, class From>
constexpr To as_number(From value) noexcept {
    if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
        // In range a narrower integer has the value of the wide one.
        return static_cast<To>(cut_off<std::conditional_t<std::is_signed_v<To>, std::int64_t, std::uint64_t>>(value));
    } else if constexpr (std::is_same_v<To, float16>) {
        if constexpr (std::is_integral_v<From>) {
            return float16(static_cast<float>(value));
        } else {
            return float16(value);
        }
    } else {
        return static_cast<To>(value);
    }
}

template <class T>
T load_number(std::byte const* from, bool is_swapped) noexcept {
    std::array<std::byte, sizeof(T)> bytes;
    std::memcpy(bytes.data(), from, sizeof(T));
    if (is_swapped) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
}
template <class T>
void store_number(T value, std::byte* to, bool is_swapped) noexcept {
    auto bytes = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
    if (is_swapped) std::reverse(bytes.begin(), bytes.end());
    std::memcpy(to, bytes.data(), sizeof(T));
}

template <class T, class Wide>
void load_numbers_of(std::byte const* from, std::size_t count, bool is_swapped, Wide* to) noexcept {
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<Wide>(load_number<T>(from + i * sizeof(T), is_swapped));
}
template <class T, class Wide>
void store_numbers_of(Wide const* from, std::size_t count, std::byte* to, bool is_swapped) noexcept {
    for (std::size_t i = 0; i < count; ++i) store_number(as_number<T>(from[i]), to + i * sizeof(T), is_swapped);
}

/// Calls f with the widest type of a kind: std::int64_t, std::uint64_t (for bool as well) or double.
template <class F>
auto visit_wide(number_type type, F f) {
    if (type.is_floating()) return f(double{});
    return type.type.kind == element_kind::signed_integer ? f(std::int64_t{}) : f(std::uint64_t{});
}

/// Reads numbers of `type`, whose widest type is Wide.
template <class Wide>
void load_numbers(number_type type, std::byte const* from, std::size_t count, Wide* to) noexcept {
    bool const is_swapped = type.byte_order != std::endian::native;
    if constexpr (std::is_floating_point_v<Wide>) {
        switch (type.type.size) {
        case 2: return load_numbers_of<float16>(from, count, is_swapped, to);
        case 4: return load_numbers_of<float>(from, count, is_swapped, to);
        default: return load_numbers_of<double>(from, count, is_swapped, to);
        }
    } else {
        constexpr bool is_signed = std::is_signed_v<Wide>;
        switch (type.type.size) {
        case 1: return load_numbers_of<std::conditional_t<is_signed, std::int8_t, std::uint8_t>>(from, count, false, to);
        case 2:
            return load_numbers_of<std::conditional_t<is_signed, std::int16_t, std::uint16_t>>(from, count, is_swapped, to);
        case 4:
            return load_numbers_of<std::conditional_t<is_signed, std::int32_t, std::uint32_t>>(from, count, is_swapped, to);
        default: return load_numbers_of<Wide>(from, count, is_swapped, to);
        }
    }
}

/// Writes numbers as `type`.
template <class Wide>
void store_numbers(number_type type, Wide const* from, std::size_t count, std::byte* to) noexcept {
    bool const is_swapped = type.byte_order != std::endian::native;
    switch (type.type.kind) {
    case element_kind::boolean:
        for (std::size_t i = 0; i < count; ++i) to[i] = from[i] != Wide{0} ? std::byte{1} : std::byte{0};
        return;
    case element_kind::floating:
        switch (type.type.size) {
        case 2: return store_numbers_of<float16>(from, count, to, is_swapped);
        case 4: return store_numbers_of<float>(from, count, to, is_swapped);
        default: return store_numbers_of<double>(from, count, to, is_swapped);
        }
    default: break;
    }
    bool const is_signed = type.type.kind == element_kind::signed_integer;
    switch (type.type.size) {
    case 1:
        return is_signed ? store_numbers_of<std::int8_t>(from, count, to, false)
                         : store_numbers_of<std::uint8_t>(from, count, to, false);
    case 2:
        return is_signed ? store_numbers_of<std::int16_t>(from, count, to, is_swapped)
                         : store_numbers_of<std::uint16_t>(from, count, to, is_swapped);
    case 4:
        return is_signed ? store_numbers_of<std::int32_t>(from, count, to, is_swapped)
                         : store_numbers_of<std::uint32_t>(from, count, to, is_swapped);
    default:
        return is_signed ? store_numbers_of<std::int64_t>(from, count, to, is_swapped)
                         : store_numbers_of<std::uint64_t>(from, count, to, is_swapped);
    }
}

/// A filter that makes of each number another one: what Derived::convert(in, count, out) does to a block of bytes.
template <class Derived>
class number_filter {
public:
    /// **Expects** number types.
    number_filter(number_type encoded, number_type decoded) noexcept : encoded_(encoded), decoded_(decoded) {}

    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept {
        return saturating_scale(bytes, encoded_.type.size, decoded_.type.size);
    }
    /// **Throws** codec_error when `in` does not hold out.size() bytes' numbers.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        auto const& self = static_cast<Derived const&>(*this);
        std::size_t const count = in.size() / encoded_.type.size;
        if (in.size() % encoded_.type.size != 0) fail_damaged(self.name(), in.size());
        if (out.size() / decoded_.type.size != count || out.size() % decoded_.type.size != 0) {
            fail_size(self.name(), count * decoded_.type.size, out.size());
        }
        self.convert(in.data(), count, out.data());
    }
    /// **Throws** codec_error when `in` decodes to more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        std::size_t const count = in.size() / encoded_.type.size;
        require_within_limit(static_cast<Derived const&>(*this).name(), saturating_scale(count, decoded_.type.size, 1),
                             limit);
        out.resize(count * decoded_.type.size);
        decode(in, out);
    }

    [[nodiscard]] number_type encoded() const noexcept { return encoded_; }
    [[nodiscard]] number_type decoded() const noexcept { return decoded_; }

private:
    number_type encoded_;
    number_type decoded_;
};

}  // namespace detail
}  // namespace slabwise
