// The data types of Zarr and what they are to slabwise.
#pragma once

#include <array>
#include <bit>
#include <string>
#include <string_view>

#include <slabwise/source/element_type.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr {

/// How one element is stored.
struct data_type {
    element_type type;
    std::endian byte_order = std::endian::native;
};

namespace detail {

struct named_type {
    std::string_view name;
    element_type type;
};

inline constexpr std::array<named_type, 14> named_types{{
    {"bool", {element_kind::boolean, 1}},
    {"int8", {element_kind::signed_integer, 1}},
    {"int16", {element_kind::signed_integer, 2}},
    {"int32", {element_kind::signed_integer, 4}},
    {"int64", {element_kind::signed_integer, 8}},
    {"uint8", {element_kind::unsigned_integer, 1}},
    {"uint16", {element_kind::unsigned_integer, 2}},
    {"uint32", {element_kind::unsigned_integer, 4}},
    {"uint64", {element_kind::unsigned_integer, 8}},
    {"float16", {element_kind::floating, 2}},
    {"float32", {element_kind::floating, 4}},
    {"float64", {element_kind::floating, 8}},
    {"complex64", {element_kind::complex_floating, 8}},
    {"complex128", {element_kind::complex_floating, 16}},
}};

inline constexpr char const* supported_types =
    "bool, int8 to int64, uint8 to uint64, float16, float32, float64, complex64, complex128";

}  // namespace detail

/// The name of an element type as Zarr v3 spells it, such as "float32"; "opaque" when it has none.
constexpr std::string_view type_name(element_type type) noexcept {
    for (auto const& named : detail::named_types) {
        if (named.type == type) return named.name;
    }
    return "opaque";
}

namespace detail {

[[noreturn]] inline void refuse_type(json const& value, char const* member, std::string_view key) {
    std::string const what = value.is_array() ? "structured data types" : "this data type";
    refuse(key, std::string(member) + " is " + shown(value) + "; " + what + " cannot be read, only " + supported_types);
}

/// The data type that a Zarr v2 "dtype" names, such as "<f4". Dates and time spans ("<M8[ns]") are int64.
/// **Throws** metadata_error. **Source** Zarr v2 specification, "Data type encoding".
inline data_type parse_v2_type(json const& value, std::string_view key) {
    if (!value.is_string()) refuse_type(value, "dtype", key);
    auto const& text = value.get_ref<std::string const&>();
    if (text.size() < 3) refuse_type(value, "dtype", key);
    std::string_view const size = std::string_view(text).substr(2);
    constexpr std::string_view letters = "biufcMm";
    constexpr element_kind kinds[] = {element_kind::boolean,          element_kind::signed_integer,
                                      element_kind::unsigned_integer, element_kind::floating,
                                      element_kind::complex_floating, element_kind::signed_integer,
                                      element_kind::signed_integer};
    std::size_t const letter = letters.find(text[1]);
    if (letter == letters.npos) refuse_type(value, "dtype", key);
    bool const is_time = letter >= 5;
    if (is_time && size != "8" && !(size.starts_with("8[") && size.ends_with("]"))) refuse_type(value, "dtype", key);
    std::size_t bytes = 0;
    for (std::size_t candidate : {1u, 2u, 4u, 8u, 16u}) {
        if (is_time ? candidate == 8 : size == std::to_string(candidate)) bytes = candidate;
    }
    element_type const type{kinds[letter], bytes};
    if (type_name(type) == "opaque") refuse_type(value, "dtype", key);
    bool const needs_order = type.size > 1;
    if (text[0] != '<' && text[0] != '>' && (text[0] != '|' || needs_order)) {
        refuse(key, "dtype is " + shown(value) + "; its first character tells the byte order, " +
                        (needs_order ? "'<' or '>'" : "'|', '<' or '>'"));
    }
    return {type, text[0] == '>' ? std::endian::big : std::endian::little};
}

/// The element type that a Zarr v3 "data_type" names. **Throws** metadata_error.
/// **Source** Zarr v3 core specification, "Data types".
inline element_type parse_v3_type(json const& value, std::string_view key) {
    // An object without configuration means the same as the bare name.
    json const* name = value.is_object() ? optional_member(value, "name") : &value;
    if (value.is_object() && optional_member(value, "configuration") != nullptr && !value["configuration"].empty()) {
        name = nullptr;
    }
    if (name != nullptr && name->is_string()) {
        for (auto const& named : named_types) {
            if (named.name == name->get_ref<std::string const&>()) return named.type;
        }
    }
    refuse_type(value, "data_type", key);
}

}  // namespace detail
}  // namespace slabwise::zarr
