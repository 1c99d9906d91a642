// The nodes of a Zarr hierarchy, arrays and groups: finding their metadata in a store.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <slabwise/store/any_store.hpp>
#include <slabwise/zarr/v2.hpp>
#include <slabwise/zarr/v3.hpp>

namespace slabwise::zarr {

/// A Zarr group.
struct group_metadata {
    /// The version of the format, 2 or 3.
    int format = 2;
    /// The user's attributes, a JSON object.
    json attributes = json::object();
    /// The names of the arrays and of the groups directly below it, sorted.
    std::vector<std::string> arrays;
    std::vector<std::string> groups;
};

namespace detail {

/// The JSON object stored as `key`, if any. **Throws** metadata_error, also when it is unreasonably long; store_error.
inline std::optional<json> read_json(any_store const& store, std::string const& key) {
    constexpr std::uint64_t longest = std::uint64_t{64} << 20;
    auto const size = store.size(key);
    if (!size) return std::nullopt;
    if (*size > longest)
        refuse(key, "has " + std::to_string(*size) + " bytes; metadata has at most " + std::to_string(longest));
    std::vector<std::byte> bytes;
    if (store.get(key, bytes) == object_state::absent) return std::nullopt;
    return parse_object(bytes, key);
}

/// The zarr.json at `path`, if any, after a look at what else is there. **Throws** metadata_error for version 2
/// metadata beside it and for the early draft of version 3, which has zarr.json at its root alone.
inline std::optional<json> read_zarr_json(any_store const& store, std::string_view path) {
    std::string const key = join(path, "zarr.json");
    auto object = read_json(store, key);
    if (object) {
        check_format(*object, 3, key);
        for (char const* other : {".zarray", ".zgroup"}) {
            if (store.size(join(path, other))) {
                refuse(key, "stands beside " + std::string(other) + ": which of Zarr 2 and 3 is meant is unclear");
            }
        }
    }
    return object;
}

inline std::string node_type(json const& object, std::string_view key) {
    json const& type = member(object, "node_type", key);
    if (type != "array" && type != "group") {
        refuse(key, "node_type is " + shown(type) + "; \"array\" or \"group\" was expected");
    }
    return type.get<std::string>();
}

[[noreturn]] inline void refuse_missing(any_store const& store, std::string_view path, char const* what,
                                        char const* looked_for) {
    // The root may tell why: the early draft of Zarr v3 keeps its metadata elsewhere.
    if (!path.empty()) (void)read_zarr_json(store, "");
    refuse(path.empty() ? std::string_view("\"\"") : path,
           std::string("no Zarr ") + what + " is there; looked for " + looked_for);
}

}  // namespace detail

namespace detail {

/// True when the metadata at `path` is that of an array; false for a group and when there is none.
inline bool is_array(any_store const& store, std::string_view path) {
    if (auto const object = read_zarr_json(store, path)) return node_type(*object, join(path, "zarr.json")) == "array";
    return store.size(join(path, ".zarray")).has_value();
}

/// The metadata of all nodes that one object holds: .zmetadata of version 2, or the inline consolidated metadata of a
/// group of version 3. Nothing when there is none, or none of a kind that is known.
/// **Source** zarr-python, "Consolidating metadata"; Zarr v3 consolidated metadata of zarr-python 3.
inline std::optional<json> consolidated_metadata(any_store const& store, std::string_view path) {
    auto const members = [](json const& object) -> std::optional<json> {
        json const* const metadata = optional_member(object, "metadata");
        return metadata != nullptr && metadata->is_object() ? std::optional<json>(*metadata) : std::nullopt;
    };
    if (auto const object = read_json(store, join(path, "zarr.json"))) {
        json const* const inline_part = optional_member(*object, "consolidated_metadata");
        return inline_part != nullptr && inline_part->is_object() ? members(*inline_part) : std::nullopt;
    }
    auto const object = read_json(store, join(path, ".zmetadata"));
    return object ? members(*object) : std::nullopt;
}

/// The names of what may be a node directly below the group at `path`, sorted: those that the store lists or, where it
/// cannot, those in the consolidated metadata of the group or of the root. **Throws** metadata_error when there is
/// neither; store_error.
inline std::vector<std::string> names_below(any_store const& store, std::string_view path) {
    std::vector<std::string> names;
    if (store.can_list()) {
        for (store_entry& entry : store.list(path)) {
            if (entry.is_prefix) names.push_back(std::move(entry.name));
        }
        std::sort(names.begin(), names.end());
        return names;
    }
    std::optional<json> nodes = consolidated_metadata(store, path);
    std::string start;
    if (!nodes && !path.empty()) {
        nodes = consolidated_metadata(store, "");
        start = std::string(path) + '/';
    }
    if (!nodes) {
        refuse(path.empty() ? std::string_view("\"\"") : path,
               "the store cannot list, and there is no consolidated metadata that names the members of the group");
    }
    for (auto const& [key, value] : nodes->items()) {
        if (!key.starts_with(start)) continue;
        // Of version 2 the keys are those of objects, "a/b/.zarray"; of version 3 paths, "a/b".
        std::string const rest = key.substr(start.size());
        std::string const name = rest.substr(0, rest.find('/'));
        if (!name.empty() && !name.starts_with('.')) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace detail

/// What the array at `path` is; "" is the root of the store. **Throws** metadata_error for one that is not there, is
/// malformed or needs what is not supported; store_error. **Cost** three requests, four for version 2.
inline array_metadata open_metadata(any_store const& store, std::string_view path = "") {
    path = detail::trimmed(path);
    if (auto const object = detail::read_zarr_json(store, path)) {
        std::string const key = detail::join(path, "zarr.json");
        if (detail::node_type(*object, key) == "group") detail::refuse(key, "is a group; an array was expected");
        return detail::parse_v3(*object, key);
    }
    std::string const key = detail::join(path, ".zarray");
    auto const object = detail::read_json(store, key);
    if (!object) {
        std::string const group_key = detail::join(path, ".zgroup");
        if (store.size(group_key)) detail::refuse(group_key, "is a group; an array was expected");
        detail::refuse_missing(store, path, "array", ".zarray and zarr.json");
    }
    return detail::parse_v2(*object, detail::read_json(store, detail::join(path, ".zattrs")).value_or(json::object()),
                            key);
}

/// The group at `path`, with the names of what is directly below it; what cannot be looked into is taken for an array,
/// and opening that tells why. **Throws** metadata_error, store_error.
/// **Cost** a list, or the consolidated metadata where the store cannot list, and one request a child, two for version 2.
inline group_metadata read_group(any_store const& store, std::string_view path = "") {
    path = detail::trimmed(path);
    group_metadata group;
    if (auto const object = detail::read_zarr_json(store, path)) {
        std::string const key = detail::join(path, "zarr.json");
        if (detail::node_type(*object, key) == "array") detail::refuse(key, "is an array; a group was expected");
        detail::check_members(*object, {"zarr_format", "node_type", "attributes", "consolidated_metadata"}, key);
        group.format = 3;
        group.attributes = detail::v3_attributes(*object, key);
    } else {
        std::string const key = detail::join(path, ".zgroup");
        auto const zgroup = detail::read_json(store, key);
        if (!zgroup) {
            std::string const array_key = detail::join(path, ".zarray");
            if (store.size(array_key)) detail::refuse(array_key, "is an array; a group was expected");
            detail::refuse_missing(store, path, "group", ".zgroup and zarr.json");
        }
        detail::check_format(*zgroup, 2, key);
        group.attributes = detail::read_json(store, detail::join(path, ".zattrs")).value_or(json::object());
    }
    for (std::string& name : detail::names_below(store, path)) {
        std::string const child = detail::join(path, name);
        bool is_group = false;
        bool is_array = false;
        try {
            if (group.format == 3) {
                std::string const key = detail::join(child, "zarr.json");
                auto const object = detail::read_json(store, key);
                is_group = object && detail::node_type(*object, key) == "group";
                is_array = object && !is_group;
            } else {
                is_array = store.size(detail::join(child, ".zarray")).has_value();
                is_group = !is_array && store.size(detail::join(child, ".zgroup")).has_value();
            }
        } catch (keyed_error const&) {
            // Opening it tells what is wrong; it does not hide the others.
            is_array = true;
        }
        if (is_array) group.arrays.push_back(std::move(name));
        if (is_group) group.groups.push_back(std::move(name));
    }
    return group;
}

}  // namespace slabwise::zarr
