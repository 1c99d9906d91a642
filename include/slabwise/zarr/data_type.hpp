// The data types of Zarr and what they are to slabwise.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <string_view>

#include <slabwise/copy/element_type.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr {

/// How one element is stored.
struct data_type {
    element_type type;
    std::endian byte_order = std::endian::native;
};

namespace detail {

/// The types that can be read, by the names that Zarr v3 and its extensions give them, which are those of name_of.
inline constexpr std::array<element_type, 15> readable_types{{
    {element_kind::boolean, 1},
    {element_kind::signed_integer, 1},
    {element_kind::signed_integer, 2},
    {element_kind::signed_integer, 4},
    {element_kind::signed_integer, 8},
    {element_kind::unsigned_integer, 1},
    {element_kind::unsigned_integer, 2},
    {element_kind::unsigned_integer, 4},
    {element_kind::unsigned_integer, 8},
    {element_kind::floating, 2},
    {element_kind::brain_floating, 2},
    {element_kind::floating, 4},
    {element_kind::floating, 8},
    {element_kind::complex_floating, 8},
    {element_kind::complex_floating, 16},
}};

inline constexpr char const* supported_types =
    "bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, complex64, complex128";

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
    if (std::find(readable_types.begin(), readable_types.end(), type) == readable_types.end()) {
        refuse_type(value, "dtype", key);
    }
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
        for (element_type const type : readable_types) {
            if (std::string_view(name_of(type).c_str()) == name->get_ref<std::string const&>()) return type;
        }
    }
    refuse_type(value, "data_type", key);
}

}  // namespace detail
}  // namespace slabwise::zarr
