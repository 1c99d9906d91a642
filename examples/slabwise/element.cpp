#include "element.hpp"

#include <cmath>
#include <cstdint>

#include <iterator>

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
    // NumPy knows bfloat16 as two bytes of unknown meaning.
    return type.kind == sw::element_kind::brain_floating ? "V2" : entry_of(type).code;
}
std::string cdl_name(sw::element_type type) {
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
        break;  // no array of the program has it
    }
}

}  // namespace program
