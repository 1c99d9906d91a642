// Reading JSON that a stranger wrote: bounded depth, no duplicate keys, linear time, and errors that name the key of
// the object, what was found and what was expected.
#pragma once

#include <cctype>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <slabwise/error.hpp>
#include <slabwise/index/arithmetic.hpp>

namespace slabwise::zarr {

/// JSON whose members keep the order in which they were stored.
using json = nlohmann::ordered_json;

namespace detail {

/// How deep metadata may nest.
inline constexpr std::size_t deepest_nesting = 64;

/// Throws metadata_error: "KEY: SENTENCE".
[[noreturn]] inline void refuse(std::string_view key, std::string_view sentence) {
    error_text const name = error_text().append(key.data(), key.size());
    throw metadata_error(error_text(name.c_str()).append(": ").append(sentence.data(), sentence.size()), name);
}

/// A value as JSON text, cut to a length that an error message can carry.
inline std::string shown(json const& value) {
    constexpr std::size_t longest = 80;
    std::string text = value.dump(-1, ' ', true);
    if (text.size() > longest) text.replace(longest - 3, std::string::npos, "...");
    return text;
}

/// Builds a json value, and stops at nesting too deep, a duplicate key or bad text.
class json_builder {
public:
    using number_integer_t = json::number_integer_t;
    using number_unsigned_t = json::number_unsigned_t;
    using number_float_t = json::number_float_t;
    using string_t = json::string_t;
    using binary_t = json::binary_t;

    explicit json_builder(std::string_view key) : object_key_(key) {}

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(number_integer_t value) { return add(value); }
    bool number_unsigned(number_unsigned_t value) { return add(value); }
    bool number_float(number_float_t value, string_t const&) { return add(value); }
    bool string(string_t& value) { return add(std::move(value)); }
    bool binary(binary_t&) { return false; }
    bool start_object(std::size_t) { return open(json::object()); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(json::array()); }
    bool end_array() { return close(); }
    bool key(string_t& name) {
        if (!open_.back().names.insert(name).second) refuse(object_key_, "has two members " + shown(name));
        open_.back().name = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, std::string const&, nlohmann::detail::exception const&) {
        refuse(object_key_, "is not valid JSON, at byte " + std::to_string(position));
    }

    json take() { return std::move(root_); }

private:
    struct open_value {
        json value;
        std::string name;
        std::unordered_set<std::string> names;
    };

    bool open(json container) {
        if (open_.size() == deepest_nesting) {
            refuse(object_key_, "nests deeper than " + std::to_string(deepest_nesting) + " levels");
        }
        open_.push_back({std::move(container), {}, {}});
        return true;
    }
    bool close() {
        json value = std::move(open_.back().value);
        open_.pop_back();
        return add(std::move(value));
    }
    bool add(json value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (open_.back().value.is_array()) {
            open_.back().value.get_ref<json::array_t&>().push_back(std::move(value));
        } else {
            // Not operator[], which searches all members.
            open_.back().value.get_ref<json::object_t&>().emplace_back(std::move(open_.back().name), std::move(value));
        }
        return true;
    }

    std::string_view object_key_;
    std::vector<open_value> open_;
    json root_;
};

/// The text with NaN, Infinity and -Infinity, which Python writes without quotes, in quotes.
inline std::string quote_non_finite(std::string_view text) {
    std::string quoted;
    quoted.reserve(text.size() + 16);
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (in_string && text[i] == '\\' && i + 1 < text.size()) {
            quoted += text[i++];
        } else if (text[i] == '"') {
            in_string = !in_string;
        } else if (!in_string) {
            std::string_view const rest = text.substr(i);
            for (std::string_view const word : {"NaN", "Infinity", "-Infinity"}) {
                if (rest.substr(0, word.size()) != word) continue;
                quoted.append("\"").append(word).append("\"");
                i += word.size();
                break;
            }
            if (i >= text.size()) break;
        }
        quoted += text[i];
    }
    return quoted;
}

/// The JSON object stored as `key`. **Throws** metadata_error when it is not valid, nests too deep, has a member twice
/// or is no object. **Cost** linear in the text; no recursion.
inline json parse_object(std::span<std::byte const> bytes, std::string_view key) {
    std::string const text = quote_non_finite({reinterpret_cast<char const*>(bytes.data()), bytes.size()});
    json_builder builder(key);
    json::sax_parse(text, &builder);
    json value = builder.take();
    if (!value.is_object()) refuse(key, "is " + shown(value) + "; a JSON object was expected");
    return value;
}

/// A member of an object. **Throws** metadata_error when it is missing.
inline json const& member(json const& object, char const* name, std::string_view key) {
    auto const found = object.find(name);
    if (found == object.end()) refuse(key, std::string("has no member \"") + name + "\", which is required");
    return *found;
}

/// A member of an object, or null when there is none.
inline json const* optional_member(json const& object, char const* name) {
    auto const found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

/// An integer from `lowest` to 2^63 - 1; `name` makes its name for an error. **Throws** metadata_error.
template <class Name>
index_t extent(json const& value, Name name, index_t lowest, std::string_view key) {
    bool const is_index = value.is_number_unsigned()
                              ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(max_index)
                              : value.is_number_integer();
    if (!is_index || value.get<index_t>() < lowest) {
        refuse(key, name() + " is " + shown(value) + "; an integer from " + std::to_string(lowest) +
                        " to 2^63 - 1 was expected");
    }
    return value.get<index_t>();
}

/// An array of integers from `lowest` to 2^63 - 1. **Throws** metadata_error, naming the first that is none.
inline std::vector<index_t> extents(json const& value, std::string const& name, index_t lowest, std::string_view key) {
    if (!value.is_array()) refuse(key, name + " is " + shown(value) + "; an array of integers was expected");
    std::vector<index_t> result;
    result.reserve(value.size());
    for (json const& each : value) {
        auto const name_of_each = [&] { return name + "[" + std::to_string(result.size()) + "]"; };
        result.push_back(extent(each, name_of_each, lowest, key));
    }
    return result;
}

}  // namespace detail
}  // namespace slabwise::zarr
