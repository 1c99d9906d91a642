// The data types of Zarr and what they are to slabwise.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <slabwise/copy/element_type.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr {

/// A field of a structured type: a part of each element.
struct field {
    /// A field of a field has both names, with a dot between them.
    std::string name;
    /// Opaque where the field is a structure or an array of its own.
    element_type type;
    std::endian byte_order = std::endian::native;
    /// Where it begins in the element. **Units** bytes.
    std::size_t offset = 0;

    friend bool operator==(field const&, field const&) = default;
};

/// How one element is stored. A structured one is opaque and has fields, without gaps between them.
struct data_type {
    element_type type;
    std::endian byte_order = std::endian::native;
    std::vector<field> fields = {};
    /// True for dates and time spans, which are stored as int64.
    bool is_time = false;

    friend bool operator==(data_type const&, data_type const&) = default;
};

namespace detail {

/// The numbers that can be read, by the names that Zarr v3 and its extensions give them, which are those of name_of.
inline constexpr std::array<element_type, 15> readable_numbers{{
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
    "bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, complex64, complex128, dates and time spans, "
    "text and bytes of a fixed length, and structures of these";

/// No element is larger: a stranger's metadata makes a reader hold a few of them, whatever is stored. **Units** bytes.
inline constexpr std::size_t largest_element = std::size_t{16} << 20;
/// The names of the fields of a structure are together no longer, each with those of the structures around it: nested
/// ones could otherwise take far more memory than the metadata that tells them. **Units** bytes.
inline constexpr std::size_t longest_names = std::size_t{16} << 20;

[[noreturn]] inline void refuse_type(json const& value, char const* member, std::string_view key) {
    refuse(key, std::string(member) + " is " + shown(value) + "; this data type cannot be read, only " + supported_types);
}

[[noreturn]] inline void refuse_large_type(json const& value, char const* member, std::string_view key) {
    refuse(key, std::string(member) + " is " + shown(value) + "; an element of more than " +
                    std::to_string(largest_element) + " bytes is not supported");
}

/// The number from 1 on that `digits` are in decimal, 8 * (largest_element + 1) for any that is larger; 0 when they are
/// none.
inline std::size_t parse_length(std::string_view digits) noexcept {
    std::size_t length = 0;
    for (char const digit : digits) {
        if (digit < '0' || digit > '9') return 0;
        length = (std::min)(10 * length + static_cast<std::size_t>(digit - '0'), 8 * (largest_element + 1));
    }
    return length;
}

/// Puts fields side by side into one type. **Expects** fields whose offsets count from 0 each.
class structure_builder {
public:
    /// **Throws** metadata_error when the element becomes too large, a name occurs twice or the names become too long.
    /// **Cost** linear in the fields of `type` and their names.
    void append(std::string const& name, data_type const& type, json const& whole, char const* member,
                std::string_view key) {
        if (type.type.size > largest_element - size_) refuse_large_type(whole, member, key);
        add({name, type.type, type.byte_order, size_}, member, key);
        for (field const& inner : type.fields) {
            add({name + '.' + inner.name, inner.type, inner.byte_order, size_ + inner.offset}, member, key);
        }
        size_ += type.type.size;
    }
    [[nodiscard]] data_type take() {
        result_.type = {element_kind::opaque, size_};
        return std::move(result_);
    }

private:
    void add(field one, char const* member, std::string_view key) {
        names_bytes_ += one.name.size();
        if (names_bytes_ > longest_names) {
            refuse(key, std::string(member) + " has fields whose names have together more than " +
                            std::to_string(longest_names) + " bytes");
        }
        if (!names_.insert(one.name).second) refuse(key, std::string(member) + " has two fields " + shown(one.name));
        result_.fields.push_back(std::move(one));
    }

    data_type result_;
    std::size_t size_ = 0;
    std::unordered_set<std::string> names_;
    std::size_t names_bytes_ = 0;
};

data_type parse_v2_type(json const& value, std::string_view key);

/// Fields [name, dtype] or [name, dtype, shape]. The recursion is as deep as the metadata, whose depth is bounded.
inline data_type parse_v2_structure(json const& list, std::string_view key) {
    structure_builder builder;
    for (json const& item : list) {
        bool const is_field = item.is_array() && (item.size() == 2 || item.size() == 3) && item[0].is_string() &&
                              (item.size() == 2 || item[2].is_array() || item[2].is_number_unsigned());
        if (!is_field) refuse_type(list, "dtype", key);
        data_type type = parse_v2_type(item[1], key);
        if (item.size() == 3) {
            std::size_t count = 1;
            for (json const& extent : item[2].is_array() ? item[2] : json::array({item[2]})) {
                if (!extent.is_number_unsigned() || extent == 0) refuse_type(list, "dtype", key);
                if (extent.get<std::size_t>() > largest_element / count) refuse_large_type(list, "dtype", key);
                count *= extent.get<std::size_t>();
            }
            if (type.type.size > largest_element / count) refuse_large_type(list, "dtype", key);
            // An array within an element is read as its bytes.
            if (count > 1) type = data_type{{element_kind::opaque, type.type.size * count}};
        }
        builder.append(item[0].get<std::string>(), type, list, "dtype", key);
    }
    if (list.empty()) refuse_type(list, "dtype", key);
    return builder.take();
}

/// The data type that a Zarr v2 "dtype" names, such as "<f4", or describes by a list of fields. Dates and time spans
/// ("<M8[ns]") are int64. **Throws** metadata_error. **Source** Zarr v2 specification, "Data type encoding".
inline data_type parse_v2_type(json const& value, std::string_view key) {
    if (value.is_array()) return parse_v2_structure(value, key);
    if (!value.is_string()) refuse_type(value, "dtype", key);
    auto const& text = value.get_ref<std::string const&>();
    if (text.size() < 3) refuse_type(value, "dtype", key);
    std::string_view const size = std::string_view(text).substr(2);
    constexpr std::string_view letters = "biufcMmSUV";
    constexpr element_kind kinds[] = {element_kind::boolean,          element_kind::signed_integer,
                                      element_kind::unsigned_integer, element_kind::floating,
                                      element_kind::complex_floating, element_kind::signed_integer,
                                      element_kind::signed_integer,   element_kind::fixed_bytes,
                                      element_kind::fixed_utf32,      element_kind::opaque};
    std::size_t const letter = letters.find(text[1]);
    if (letter == letters.npos) refuse_type(value, "dtype", key);
    element_type type{kinds[letter], 0};
    bool const is_time = text[1] == 'M' || text[1] == 'm';
    if (is_time) {
        if (size != "8" && !(size.starts_with("8[") && size.ends_with("]"))) refuse_type(value, "dtype", key);
        type.size = 8;
    } else {
        type.size = parse_length(size) * (type.kind == element_kind::fixed_utf32 ? 4 : 1);
    }
    bool const is_readable = type.is_number() ? std::find(readable_numbers.begin(), readable_numbers.end(), type) !=
                                                    readable_numbers.end()
                                              : type.size != 0;
    if (!is_readable) refuse_type(value, "dtype", key);
    if (type.size > largest_element) refuse_large_type(value, "dtype", key);
    bool const needs_order = type.swap_size() > 1;
    if (text[0] != '<' && text[0] != '>' && (text[0] != '|' || needs_order)) {
        refuse(key, "dtype is " + shown(value) + "; its first character tells the byte order, " +
                        (needs_order ? "'<' or '>'" : "'|', '<' or '>'"));
    }
    return {type, text[0] == '>' ? std::endian::big : std::endian::little, {}, is_time};
}

data_type parse_v3_type(json const& value, std::string_view key);

/// Fields [name, data_type], or objects with these members.
inline data_type parse_v3_structure(json const& whole, json const& configuration, std::string_view key) {
    json const* const list = optional_member(configuration, "fields");
    if (list == nullptr || !list->is_array() || list->empty()) refuse_type(whole, "data_type", key);
    structure_builder builder;
    for (json const& item : *list) {
        json const* name = nullptr;
        json const* type = nullptr;
        if (item.is_array() && item.size() == 2) {
            name = &item[0];
            type = &item[1];
        } else if (item.is_object()) {
            name = optional_member(item, "name");
            type = optional_member(item, "data_type");
        }
        if (name == nullptr || type == nullptr || !name->is_string()) refuse_type(whole, "data_type", key);
        builder.append(name->get<std::string>(), parse_v3_type(*type, key), whole, "data_type", key);
    }
    return builder.take();
}

/// The data type that a Zarr v3 "data_type" names. Its byte order is told elsewhere, by a codec.
/// **Throws** metadata_error. **Source** Zarr v3 core specification, "Data types"; zarr-extensions, "data-types".
inline data_type parse_v3_type(json const& value, std::string_view key) {
    json const* const name_member = value.is_object() ? optional_member(value, "name") : &value;
    if (name_member == nullptr || !name_member->is_string()) refuse_type(value, "data_type", key);
    std::string_view const name = name_member->get_ref<std::string const&>();
    json const none = json::object();
    json const* configuration = value.is_object() ? optional_member(value, "configuration") : nullptr;
    if (configuration == nullptr) configuration = &none;
    if (!configuration->is_object()) refuse_type(value, "data_type", key);

    if (name == "numpy.datetime64" || name == "numpy.timedelta64") {
        return {{element_kind::signed_integer, 8}, std::endian::native, {}, true};
    }
    if (name == "structured" || name == "struct") return parse_v3_structure(value, *configuration, key);
    constexpr std::pair<std::string_view, element_kind> fixed[] = {
        {"null_terminated_bytes", element_kind::fixed_bytes},
        {"fixed_length_utf32", element_kind::fixed_utf32},
        {"raw_bytes", element_kind::opaque},
    };
    for (auto const& [known, kind] : fixed) {
        if (name != known) continue;
        json const* const length = optional_member(*configuration, "length_bytes");
        bool const is_length = length != nullptr && length->is_number_unsigned() && *length != 0 &&
                               (kind != element_kind::fixed_utf32 || length->get<std::size_t>() % 4 == 0);
        if (!is_length) refuse_type(value, "data_type", key);
        if (*length > largest_element) refuse_large_type(value, "data_type", key);
        return data_type{{kind, length->get<std::size_t>()}};
    }
    // An object with an empty configuration means the same as the bare name.
    if (configuration->empty()) {
        if (name.starts_with('r')) {
            std::size_t const bits = parse_length(name.substr(1));
            if (bits / 8 > largest_element) refuse_large_type(value, "data_type", key);
            if (bits != 0 && bits % 8 == 0) return data_type{{element_kind::opaque, bits / 8}};
        }
        for (element_type const type : readable_numbers) {
            if (std::string_view(name_of(type).c_str()) == name) return data_type{type};
        }
    }
    refuse_type(value, "data_type", key);
}

/// The field of that name. **Throws** metadata_error, which tells what fields there are.
inline field const& find_field(std::vector<field> const& fields, std::string_view name, std::string_view key) {
    std::string known;
    for (field const& one : fields) {
        if (one.name == name) return one;
        known += (known.empty() ? "" : ", ") + one.name;
    }
    refuse(key, "has no field " + shown(std::string(name)) + "; " +
                    (known.empty() ? "its elements have no fields" : "its fields are " + known));
}

}  // namespace detail
}  // namespace slabwise::zarr
