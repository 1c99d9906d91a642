// The metadata of Zarr version 3: zarr.json.
#pragma once

#include <initializer_list>

#include <slabwise/zarr/metadata.hpp>

namespace slabwise::zarr::detail {

/// An extension point of Zarr v3: a name, alone or in an object with a configuration.
/// **Source** Zarr v3 core specification, "Extension definition".
struct extension {
    std::string name;
    json configuration = json::object();
};

inline extension parse_extension(json const& value, std::string const& where, std::string_view key) {
    json const* const name = value.is_object() ? optional_member(value, "name") : &value;
    if (name == nullptr || !name->is_string()) {
        refuse(key, where + " is " + shown(value) + "; an object with a string \"name\" was expected");
    }
    extension result{name->get<std::string>()};
    if (json const* configuration = value.is_object() ? optional_member(value, "configuration") : nullptr) {
        if (!configuration->is_object()) {
            refuse(key, where + " has the configuration " + shown(*configuration) + "; an object was expected");
        }
        result.configuration = *configuration;
    }
    return result;
}

/// **Throws** metadata_error for a member that is not `known`, unless it says that readers may ignore it.
inline void check_members(json const& object, std::initializer_list<std::string_view> known, std::string_view key) {
    for (auto const& [name, value] : object.items()) {
        bool is_known = false;
        for (std::string_view const candidate : known) is_known = is_known || name == candidate;
        json const* const must = value.is_object() ? optional_member(value, "must_understand") : nullptr;
        if (is_known || (must != nullptr && *must == false)) continue;
        refuse(key, "has the unknown member " + shown(name) + ", which does not say \"must_understand\": false");
    }
}

/// The attributes of an array or group. **Throws** metadata_error unless they are an object.
inline json v3_attributes(json const& object, std::string_view key) {
    json const* const attributes = optional_member(object, "attributes");
    if (attributes == nullptr) return json::object();
    if (!attributes->is_object()) {
        refuse(key, "attributes is " + shown(*attributes) + "; an object was expected");
    }
    return *attributes;
}

/// Sets the codecs and the byte order. No codecs at all, which zarrita writes, stand for little-endian bytes.
inline void set_v3_codecs(array_metadata& array, json const& codecs, std::string_view key) {
    if (!codecs.is_array()) refuse(key, "codecs is " + shown(codecs) + "; an array of codecs was expected");
    array.byte_order = std::endian::little;
    bool has_bytes = codecs.empty();
    for (std::size_t i = 0; i < codecs.size(); ++i) {
        std::string const where = "codecs[" + std::to_string(i) + "]";
        extension const codec = parse_extension(codecs[i], where, key);
        std::string_view name = codec.name;
        if (name == "bytes") {
            if (has_bytes) refuse(key, where + " is a second \"bytes\" codec");
            has_bytes = true;
            json const* const endian = optional_member(codec.configuration, "endian");
            if (endian == nullptr ? array.type.size > 1 : *endian != "little" && *endian != "big") {
                refuse(key, where + " \"bytes\" has the endian " + (endian == nullptr ? "null" : shown(*endian)) +
                                "; \"little\" or \"big\" was expected");
            }
            if (endian != nullptr && *endian == "big") array.byte_order = std::endian::big;
            continue;
        }
        if (name.starts_with("numcodecs.")) name.remove_prefix(10);
        if (!has_bytes && (name == "gzip" || name == "zlib")) {
            refuse(key, where + " is " + shown(codec.name) + ", before the codec \"bytes\" that it depends on");
        }
        append_codec(array.codecs, name == "gzip" || name == "zlib" ? name : std::string_view(codec.name),
                     where + ": the codec", "bytes, gzip, zlib", key);
    }
    if (!has_bytes) refuse(key, "codecs is " + shown(codecs) + "; it lacks the codec \"bytes\"");
}

inline void set_v3_dimension_names(array_metadata& array, json const* names, std::string_view key) {
    if (names == nullptr || names->is_null()) return;
    if (!names->is_array() || names->size() != array.rank()) {
        refuse(key, "dimension_names is " + shown(*names) + "; one name or null for each of " +
                        std::to_string(array.rank()) + " axes was expected");
    }
    for (json const& name : *names) {
        if (name.is_null()) {
            array.dimension_names.emplace_back();
        } else if (name.is_string()) {
            array.dimension_names.emplace_back(name.get<std::string>());
        } else {
            refuse(key, "dimension_names has " + shown(name) + "; a string or null was expected");
        }
    }
}

inline chunk_key_encoding parse_v3_keys(json const& value, std::string_view key) {
    extension const encoding = parse_extension(value, "chunk_key_encoding", key);
    if (encoding.name != "default" && encoding.name != "v2") {
        refuse(key, "chunk_key_encoding " + shown(encoding.name) + " is not supported; supported are default, v2");
    }
    bool const is_default = encoding.name == "default";
    chunk_key_encoding keys{is_default, is_default ? '/' : '.'};
    if (json const* separator = optional_member(encoding.configuration, "separator")) {
        if (*separator != "." && *separator != "/") {
            refuse(key, "chunk_key_encoding has the separator " + shown(*separator) + "; \".\" or \"/\" was expected");
        }
        keys.separator = separator->get_ref<std::string const&>()[0];
    }
    return keys;
}

/// The array that a zarr.json describes. `key` names it in errors. **Throws** metadata_error.
/// **Source** Zarr v3 core specification, "Array metadata".
inline array_metadata parse_v3(json const& object, std::string_view key) {
    check_format(object, 3, key);
    check_members(object,
                  {"zarr_format", "node_type", "shape", "data_type", "chunk_grid", "chunk_key_encoding", "fill_value",
                   "codecs", "attributes", "storage_transformers", "dimension_names"},
                  key);
    array_metadata array;
    array.format = 3;
    json const& type = member(object, "data_type", key);
    array.type = parse_v3_type(type, key);
    array.dtype = name_of(array.type).c_str();
    extension const grid = parse_extension(member(object, "chunk_grid", key), "chunk_grid", key);
    if (grid.name != "regular") {
        refuse(key, "chunk_grid " + shown(grid.name) + " is not supported; supported is regular");
    }
    set_shapes(array, member(object, "shape", key), member(grid.configuration, "chunk_shape", key), "chunk_shape", key);
    if (json const* transformers = optional_member(object, "storage_transformers")) {
        if (!transformers->is_array() || !transformers->empty()) {
            refuse(key, "storage_transformers are not supported; found " + shown(*transformers));
        }
    }
    array.keys = parse_v3_keys(member(object, "chunk_key_encoding", key), key);
    set_v3_codecs(array, member(object, "codecs", key), key);
    json const& fill = member(object, "fill_value", key);
    array.fill = fill_bytes(fill, {array.type, array.byte_order}, key);
    array.fill_text = fill.dump();
    set_v3_dimension_names(array, optional_member(object, "dimension_names"), key);
    array.attributes = v3_attributes(object, key);
    return array;
}

}  // namespace slabwise::zarr::detail
