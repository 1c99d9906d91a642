// Fill values: from JSON to the bytes of one element.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>
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

/// What base64 text stands for; shorter ones than `size` bytes are followed by zeros. **Source** RFC 4648, section 4.
inline std::vector<std::byte> base64_bytes(json const& value, data_type const& stored, std::string_view key) {
    std::string_view text = value.get_ref<std::string const&>();
    std::size_t const padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
    bool is_valid = text.size() % 4 == 0;
    text.remove_suffix(padding);
    std::vector<std::byte> bytes;
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::size_t const digit = digits.find(text[i]);
        is_valid = is_valid && digit != digits.npos;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        if (i % 4 != 0) bytes.push_back(static_cast<std::byte>(bits >> (6 - 2 * (i % 4))));
    }
    if (!is_valid || bytes.size() > stored.type.size) refuse_fill(value, stored.type, key);
    bytes.resize(stored.type.size);
    return bytes;
}

/// Text in UTF-32, followed by zeros.
inline std::vector<std::byte> utf32_bytes(json const& value, data_type const& stored, std::string_view key) {
    auto const& text = value.get_ref<std::string const&>();
    std::vector<std::byte> bytes;
    bytes.reserve(stored.type.size);
    // JSON that was read is valid UTF-8: the first byte of a character tells how many follow.
    for (std::size_t i = 0; i < text.size();) {
        auto const first = static_cast<unsigned char>(text[i]);
        std::size_t const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        std::uint32_t code = length == 1 ? first : first & (0x7fU >> length);
        for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
            code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        }
        i += length;
        for (unsigned b = 0; b < 4; ++b) {
            unsigned const place = stored.byte_order == std::endian::big ? 3 - b : b;
            bytes.push_back(static_cast<std::byte>(code >> (8 * place)));
        }
        if (bytes.size() > stored.type.size) refuse_fill(value, stored.type, key);
    }
    bytes.resize(stored.type.size);
    return bytes;
}

std::vector<std::byte> fill_bytes(json const& value, data_type const& stored, std::string_view key);

/// The fill value of text, bytes or a structure: base64, text, numbers of single bytes, values of the fields, or 0.
inline std::vector<std::byte> opaque_fill_bytes(json const& value, data_type const& stored, std::string_view key) {
    element_type const type = stored.type;
    std::vector<std::byte> bytes(type.size);
    if (value.is_string()) {
        return type.kind == element_kind::fixed_utf32 ? utf32_bytes(value, stored, key) : base64_bytes(value, stored, key);
    }
    if (value == 0) return bytes;  // as zarr-python writes for whatever has no other value
    if (value.is_array() && type.kind == element_kind::opaque && value.size() == type.size && stored.fields.empty()) {
        for (std::size_t i = 0; i < type.size; ++i) {
            if (!value[i].is_number_unsigned() || value[i].get<std::uint64_t>() > 255) refuse_fill(value, type, key);
            bytes[i] = static_cast<std::byte>(value[i].get<unsigned>());
        }
        return bytes;
    }
    if (!value.is_object() || stored.fields.empty()) refuse_fill(value, type, key);
    // Not optional_member, which searches all members for each field.
    std::unordered_map<std::string_view, json const*> members;
    for (auto const& [name, member] : value.get_ref<json::object_t const&>()) members.emplace(name, &member);
    std::size_t known = 0;
    for (field const& one : stored.fields) {
        auto const given = members.find(one.name);
        if (given == members.end()) continue;
        ++known;
        auto const part = fill_bytes(*given->second, {one.type, one.byte_order}, key);
        std::copy(part.begin(), part.end(), bytes.begin() + static_cast<std::ptrdiff_t>(one.offset));
    }
    if (known != value.size()) refuse_fill(value, type, key);
    return bytes;
}

/// One element of the fill value in the byte order in which it is stored; zeros for null, which means that none is
/// defined. The recursion is as deep as the value, whose depth is bounded. **Throws** metadata_error for what is no value of the type.
/// **Source** Zarr v3 core specification, "Fill value"; Zarr v2 specification, "Fill value encoding".
inline std::vector<std::byte> fill_bytes(json const& value, data_type const& stored, std::string_view key) {
    element_type const type = stored.type;
    if (!type.is_number() && !value.is_null()) return opaque_fill_bytes(value, stored, key);
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
        if (stored.is_time && value == "NaT") {
            put(0, type.size, std::uint64_t{1} << 63);
            break;
        }
        [[fallthrough]];
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
    default:
        break;
    }
    return bytes;
}

}  // namespace slabwise::zarr::detail
