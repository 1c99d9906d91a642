#include "element.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>

#include <fmt/format.h>

#include "decimal.hpp"
#include "failure.hpp"
#include "text.hpp"

namespace program {

namespace {

struct named_type {
    char const* code;
    char const* name;
    sw::element_type type;
};

constexpr named_type named_types[] = {
    {"b1", "bool", {sw::element_kind::boolean, 1}},
    {"i1", "byte", {sw::element_kind::signed_integer, 1}},
    {"i2", "short", {sw::element_kind::signed_integer, 2}},
    {"i4", "int", {sw::element_kind::signed_integer, 4}},
    {"i8", "int64", {sw::element_kind::signed_integer, 8}},
    {"u1", "ubyte", {sw::element_kind::unsigned_integer, 1}},
    {"u2", "ushort", {sw::element_kind::unsigned_integer, 2}},
    {"u4", "uint", {sw::element_kind::unsigned_integer, 4}},
    {"u8", "uint64", {sw::element_kind::unsigned_integer, 8}},
    {"f2", "half", {sw::element_kind::floating, 2}},
    {"f4", "float", {sw::element_kind::floating, 4}},
    {"f8", "double", {sw::element_kind::floating, 8}},
    {"c8", "complex64", {sw::element_kind::complex_floating, 8}},
    {"c16", "complex128", {sw::element_kind::complex_floating, 16}},
};

named_type const& entry_of(sw::element_type type) {
    for (auto const& named : named_types) {
        if (named.type == type) return named;
    }
    throw data_failure(fmt::format("elements of {} bytes are of no known type", type.size));
}

std::int64_t signed_value(std::byte const* bytes, std::size_t size) {
    switch (size) {
    case 1:
        return loaded<std::int8_t>(bytes);
    case 2:
        return loaded<std::int16_t>(bytes);
    case 4:
        return loaded<std::int32_t>(bytes);
    default:
        return loaded<std::int64_t>(bytes);
    }
}

std::uint64_t unsigned_value(std::byte const* bytes, std::size_t size) {
    switch (size) {
    case 1:
        return loaded<std::uint8_t>(bytes);
    case 2:
        return loaded<std::uint16_t>(bytes);
    case 4:
        return loaded<std::uint32_t>(bytes);
    default:
        return loaded<std::uint64_t>(bytes);
    }
}

std::string json_number(floating_value number) {
    if (std::isnan(number.value)) return "\"NaN\"";
    if (std::isinf(number.value)) return number.value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
    return scalar_text(number);
}

/// How many bytes of text stand before the zeros at its end.
std::size_t text_length(sw::element_type type, std::byte const* bytes) {
    std::size_t const size = type.kind == sw::element_kind::fixed_utf32 ? 4 : 1;
    std::size_t length = type.size;
    while (length > 0 && std::all_of(bytes + length - size, bytes + length, [](auto b) { return b == std::byte{0}; })) {
        length -= size;
    }
    return length;
}

/// What Python puts a text in: " when it holds ' and no ".
char quote_for(bool has_single, bool has_double, notation form) {
    return form == notation::json || (has_single && !has_double) ? '"' : '\'';
}

/// What Python and JSON write for tabulator, newline and carriage return; null for another character.
char const* name_of_space(std::uint32_t code) {
    return code == 9 ? "\\t" : code == 10 ? "\\n" : code == 13 ? "\\r" : nullptr;
}

/// As Python writes bytes; in JSON a string whose characters are the bytes.
void append_bytes(std::string& text, std::span<std::byte const> bytes, notation form) {
    auto const out = std::back_inserter(text);
    auto const has = [&](char wanted) {
        return std::find(bytes.begin(), bytes.end(), static_cast<std::byte>(wanted)) != bytes.end();
    };
    char const quote = quote_for(has('\''), has('"'), form);
    if (form == notation::numpy) text += 'b';
    text += quote;
    for (std::byte const byte : bytes) {
        auto const code = std::to_integer<unsigned>(byte);
        if (code == '\\' || code == static_cast<unsigned>(quote)) text += '\\';
        if (code >= 0x20 && code < 0x7f) {
            text += static_cast<char>(code);
        } else if (char const* const name = name_of_space(code)) {
            text += name;
        } else if (form == notation::json) {
            fmt::format_to(out, "\\u{:04x}", code);
        } else {
            fmt::format_to(out, "\\x{:02x}", code);
        }
    }
    text += quote;
}

/// In quotes, in UTF-8; control characters, and numbers that are no character, by their number.
void append_utf32(std::string& text, std::span<std::byte const> characters, notation form) {
    auto const out = std::back_inserter(text);
    auto const has = [&](std::uint32_t wanted) {
        for (std::size_t at = 0; at < characters.size(); at += 4) {
            if (loaded<std::uint32_t>(&characters[at]) == wanted) return true;
        }
        return false;
    };
    char const quote = quote_for(has('\''), has('"'), form);
    text += quote;
    for (std::size_t at = 0; at < characters.size(); at += 4) {
        auto const code = loaded<std::uint32_t>(&characters[at]);
        bool const is_character = code >= 0x20 && code != 0x7f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
        if (code == static_cast<std::uint32_t>(quote) || code == '\\') text += '\\';
        if (char const* const name = name_of_space(code)) {
            text += name;
        } else if (!is_character) {
            if (code <= 0xffff || form == notation::json) {
                fmt::format_to(out, "\\u{:04x}", code <= 0xffff ? code : 0xfffd);
            } else {
                fmt::format_to(out, "\\U{:08x}", code);
            }
        } else if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
        } else if (code < 0x10000) {
            text += {static_cast<char>(0xe0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3f)),
                     static_cast<char>(0x80 | (code & 0x3f))};
        } else {
            text += {static_cast<char>(0xf0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3f)),
                     static_cast<char>(0x80 | (code >> 6 & 0x3f)), static_cast<char>(0x80 | (code & 0x3f))};
        }
    }
    text += quote;
}

}  // namespace

sw::element_type type_of_code(std::string_view code) {
    std::string known;
    for (auto const& [its_code, name, type] : named_types) {
        if (code == its_code) return type;
        known += fmt::format("{}{}", known.empty() ? "" : ", ", its_code);
    }
    throw usage_failure(fmt::format("--type: '{}' is none of {}", printable(code), known));
}

std::string code_of(sw::element_type type) {
    if (type.kind == sw::element_kind::fixed_bytes) return fmt::format("S{}", type.size);
    if (type.kind == sw::element_kind::fixed_utf32) return fmt::format("U{}", type.size / 4);
    if (type.kind == sw::element_kind::opaque) return fmt::format("V{}", type.size);
    // NumPy knows bfloat16 as two bytes of unknown meaning.
    return type.kind == sw::element_kind::brain_floating ? "V2" : entry_of(type).code;
}
std::string cdl_name(sw::element_type type) {
    if (!type.is_number()) return sw::name_of(type).c_str();
    return type.kind == sw::element_kind::brain_floating ? "bfloat16" : entry_of(type).name;
}

double loaded_brain_floating(std::byte const* bytes) { return static_cast<double>(loaded<sw::bfloat16>(bytes)); }

double loaded_floating(std::byte const* bytes, std::size_t size) {
    switch (size) {
    case 2:
        return value_of_half(loaded<std::uint16_t>(bytes));
    case 4:
        return static_cast<double>(loaded<float>(bytes));
    default:
        return loaded<double>(bytes);
    }
}

void append_element(std::string& text, sw::element_type type, std::byte const* bytes, notation form) {
    auto const out = std::back_inserter(text);
    switch (type.kind) {
    case sw::element_kind::boolean:
        text += unsigned_value(bytes, 1) != 0 ? (form == notation::json ? "true" : "True")
                                              : (form == notation::json ? "false" : "False");
        break;
    case sw::element_kind::signed_integer:
        fmt::format_to(out, "{}", signed_value(bytes, type.size));
        break;
    case sw::element_kind::unsigned_integer:
        fmt::format_to(out, "{}", unsigned_value(bytes, type.size));
        break;
    case sw::element_kind::floating:
    case sw::element_kind::brain_floating: {
        // A bfloat16 is written as the float that it is.
        floating_value const number = type.kind == sw::element_kind::brain_floating
                                          ? floating_value{loaded_brain_floating(bytes), sizeof(float)}
                                          : floating_value{loaded_floating(bytes, type.size), type.size};
        text += form == notation::json ? json_number(number) : scalar_text(number);
        break;
    }
    case sw::element_kind::complex_floating: {
        std::size_t const size = type.size / 2;
        floating_value const real{loaded_floating(bytes, size), size};
        floating_value const imaginary{loaded_floating(bytes + size, size), size};
        if (form == notation::json) {
            text += '[' + json_number(real) + ", " + json_number(imaginary) + ']';
        } else {
            text += scalar_text(real, imaginary);
        }
        break;
    }
    case sw::element_kind::opaque:
    case sw::element_kind::fixed_bytes:
        append_bytes(text, {bytes, type.kind == sw::element_kind::opaque ? type.size : text_length(type, bytes)}, form);
        break;
    case sw::element_kind::fixed_utf32:
        append_utf32(text, {bytes, text_length(type, bytes)}, form);
        break;
    }
}

}  // namespace program
