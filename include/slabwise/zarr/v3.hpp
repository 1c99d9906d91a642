// The metadata of Zarr version 3: zarr.json.
#pragma once

#include <initializer_list>

#include <slabwise/zarr/metadata.hpp>
#include <slabwise/zarr/v3_codecs.hpp>

namespace slabwise::zarr::detail {

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

/// The chunks of one axis: an integer stands for equal ones as far as the axis reaches; in a list, an integer for one
/// chunk and [length, count] for a run. **Throws** metadata_error.
inline chunk_edges parse_edges(json const& value, index_t axis_extent, std::string const& name, std::string_view key) {
    if (!value.is_array()) return chunk_edges::equal(extent(value, [&] { return name; }, 1, key), axis_extent);
    constexpr std::size_t most = std::size_t{1} << 20;
    if (value.size() > most) {
        refuse(key, name + " has " + std::to_string(value.size()) + " edges and runs of equal ones; at most " +
                        std::to_string(most) + " are supported");
    }
    std::vector<edge_run> runs;
    runs.reserve(value.size());
    for (json const& run : value) {
        auto const name_of_run = [&] { return name + "[" + std::to_string(runs.size()) + "]"; };
        if (!run.is_array()) {
            runs.push_back({extent(run, name_of_run, 1, key), 1});
            continue;
        }
        if (run.size() != 2) {
            refuse(key, name_of_run() + " is " + shown(run) + "; an integer or [length, count] was expected");
        }
        runs.push_back({extent(run[0], [&] { return name_of_run() + "[0]"; }, 1, key),
                        extent(run[1], [&] { return name_of_run() + "[1]"; }, 1, key)});
    }
    try {
        chunk_edges edges(runs);
        if (edges.reach() < axis_extent) {
            refuse(key, name + " is " + shown(value) + ": its chunks reach to " + std::to_string(edges.reach()) +
                            ", but the extent of the axis is " + std::to_string(axis_extent));
        }
        return edges;
    } catch (selection_error const& error) {
        refuse(key, name + ": " + error.what());
    }
}

/// Takes shape and chunk grid over. **Expects** a type. **Throws** metadata_error.
/// **Source** Zarr v3 core specification, "Regular grids"; zarr-extensions, "Rectilinear chunk grid".
inline void set_v3_grid(array_metadata& array, json const& shape, json const& chunk_grid, std::string_view key) {
    extension const grid = parse_extension(chunk_grid, "chunk_grid", key);
    if (grid.name == "regular") {
        set_shapes(array, shape, configuration_member(grid.configuration, "chunk_shape", "chunk_grid", key),
                   "chunk_shape", key);
        return;
    }
    if (grid.name != "rectilinear") {
        refuse(key, "chunk_grid " + shown(grid.name) + " is not supported; supported are regular, rectilinear");
    }
    json const& kind = configuration_member(grid.configuration, "kind", "chunk_grid", key);
    if (kind != "inline") {
        refuse(key, "chunk_grid \"rectilinear\" has the kind " + shown(kind) + "; \"inline\" was expected");
    }
    json const& chunk_shapes = configuration_member(grid.configuration, "chunk_shapes", "chunk_grid", key);
    if (!chunk_shapes.is_array()) {
        refuse(key, "chunk_shapes is " + shown(chunk_shapes) + "; an array of edge lengths an axis was expected");
    }
    set_shape(array, shape, chunk_shapes.size(), "chunk_shapes", key);
    std::vector<chunk_edges> edges;
    for (std::size_t axis = 0; axis < array.rank(); ++axis) {
        edges.push_back(parse_edges(chunk_shapes[axis], array.shape[axis],
                                    "chunk_shapes[" + std::to_string(axis) + "]", key));
    }
    set_edges(array, std::move(edges), chunk_shapes, "chunk_shapes", key);
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
    data_type stored = parse_v3_type(type, key);
    array.type = stored.type;
    array.dtype = type.is_string() ? type.get<std::string>() : type.dump();
    set_v3_grid(array, member(object, "shape", key), member(object, "chunk_grid", key), key);
    if (json const* transformers = optional_member(object, "storage_transformers")) {
        if (!transformers->is_array() || !transformers->empty()) {
            refuse(key, "storage_transformers are not supported; found " + shown(*transformers));
        }
    }
    array.keys = parse_v3_keys(member(object, "chunk_key_encoding", key), key);
    v3_codec_parser codecs(array.type, key);
    array.encoding = codecs.parse(member(object, "codecs", key), array.chunk_shape, c_axis_order(array.rank()), "codecs");
    array.byte_order = codecs.byte_order();
    json const& fill = member(object, "fill_value", key);
    stored.byte_order = array.byte_order;
    for (field& each : stored.fields) each.byte_order = array.byte_order;
    array.fill = fill_bytes(fill, stored, key);
    array.fields = std::move(stored.fields);
    array.fill_text = fill.dump();
    set_v3_dimension_names(array, optional_member(object, "dimension_names"), key);
    array.attributes = v3_attributes(object, key);
    return array;
}

}  // namespace slabwise::zarr::detail
