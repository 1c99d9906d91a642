// Fill values: from JSON to the bytes of one element.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include <slabwise/copy/float16.hpp>
#include <slabwise/zarr/data_type.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr::detail {

[[noreturn]] inline void refuse_fill(json const& value, element_type type, std::string_view key) {
    refuse(key, "fill_value is " + shown(value) + ", which is no value of the type " + name_of(type).c_str());
}

/// The bits of a floating element, or of a half of a complex one: of a number, "NaN", "Infinity", "-Infinity", or "0x"
/// and the bits themselves.
inline std::uint64_t float_bits(json const& value, element_type whole, std::size_t size, std::string_view key) {
    double number = 0;
    if (value.is_number()) {
        number = value.get<double>();
    } else if (value.is_string()) {
        auto const& text = value.get_ref<std::string const&>();
        if (text.size() == 2 + 2 * size && text.starts_with("0x") &&
            text.find_first_not_of("0123456789abcdefABCDEF", 2) == text.npos) {
            return std::stoull(text, nullptr, 16);
        }
        if (text == "NaN") {
            number = std::numeric_limits<double>::quiet_NaN();
        } else if (text == "Infinity" || text == "-Infinity") {
            number = text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
        } else {
            refuse_fill(value, whole, key);
        }
    } else {
        refuse_fill(value, whole, key);
    }
    if (size == 8) return std::bit_cast<std::uint64_t>(number);
    bool const is_brain = whole.kind == element_kind::brain_floating;
    // Only an infinity that is written as one may become one.
    double const largest = size == 4 ? (std::numeric_limits<float>::max)() : is_brain ? 0x1.fep127 : 65504;
    if (std::isfinite(number) && std::fabs(number) > largest) {
        // Decimal forms of the largest float, such as 3.4028235e38, lie above it and round to it; so do those of
        // bfloat16.
        double const infinity = size == 4 ? 0x1.ffffffp127 : is_brain ? 0x1.ffp127 : largest;
        if (std::fabs(number) >= infinity) refuse_fill(value, whole, key);
        number = std::copysign(largest, number);
    }
    if (is_brain) return bfloat16(number).bits();
    return size == 4 ? std::bit_cast<std::uint32_t>(static_cast<float>(number)) : float16(number).bits();
}

/// The bits of an integer that fits `type`; 1.0 is taken for 1.
inline std::uint64_t integer_bits(json const& value, element_type type, std::string_view key) {
    json whole = value;
    if (value.is_number_float()) {
        double const number = value.get<double>();
        if (std::trunc(number) != number || std::fabs(number) > 0x1p53) refuse_fill(value, type, key);
        whole = static_cast<std::int64_t>(number);
    }
    if (!whole.is_number_integer()) refuse_fill(value, type, key);
    std::uint64_t const bits =
        whole.is_number_unsigned() ? whole.get<std::uint64_t>() : static_cast<std::uint64_t>(whole.get<std::int64_t>());
    bool const is_negative = !whole.is_number_unsigned() && whole.get<std::int64_t>() < 0;
    bool const is_signed = type.kind == element_kind::signed_integer;
    std::uint64_t const all = ~std::uint64_t{0} >> (64 - 8 * type.size);
    std::uint64_t const largest = is_signed ? all >> 1 : all;
    // -2^(n-1) in two's complement is ~largest.
    if (is_negative ? !is_signed || bits < ~largest : bits > largest) refuse_fill(value, type, key);
    return bits;
}

/// One element of the fill value in the byte order in which it is stored; zeros for null, which means that none is
/// defined. **Throws** metadata_error for what is no value of the type.
/// **Source** Zarr v3 core specification, "Fill value"; Zarr v2 specification, "Fill value encoding".
inline std::vector<std::byte> fill_bytes(json const& value, data_type stored, std::string_view key) {
    element_type const type = stored.type;
    std::vector<std::byte> bytes(type.size);
    if (value.is_null()) return bytes;
    auto const put = [&](std::size_t at, std::size_t size, std::uint64_t bits) {
        for (std::size_t i = 0; i < size; ++i) {
            std::size_t const place = stored.byte_order == std::endian::big ? size - 1 - i : i;
            bytes[at + place] = static_cast<std::byte>(bits >> (8 * i));
        }
    };
    switch (type.kind) {
    case element_kind::boolean:
        if (value.is_boolean()) {
            put(0, 1, value.get<bool>() ? 1 : 0);
        } else if (value == 0 || value == 1) {
            put(0, 1, value == 1 ? 1 : 0);
        } else {
            refuse_fill(value, type, key);
        }
        break;
    case element_kind::signed_integer:
    case element_kind::unsigned_integer:
        put(0, type.size, integer_bits(value, type, key));
        break;
    case element_kind::floating:
    case element_kind::brain_floating:
        put(0, type.size, float_bits(value, type, type.size, key));
        break;
    case element_kind::complex_floating: {
        if (!value.is_array() || value.size() != 2) refuse_fill(value, type, key);
        std::size_t const half = type.size / 2;
        put(0, half, float_bits(value[0], type, half, key));
        put(half, half, float_bits(value[1], type, half, key));
        break;
    }
    case element_kind::opaque:
        refuse_fill(value, type, key);
    }
    return bytes;
}

}  // namespace slabwise::zarr::detail
