// The metadata of Zarr version 2: .zarray, with the attributes of .zattrs.
#pragma once

#include <algorithm>

#include <slabwise/zarr/make_codec.hpp>
#include <slabwise/zarr/metadata.hpp>

namespace slabwise::zarr::detail {

/// The names that xarray's convention or netCDF-C give the axes; empty when neither does for each of them.
/// **Source** NCZarr specification, _ARRAY_DIMENSIONS; dimrefs of _nczarr_array.
inline std::vector<std::optional<std::string>> v2_dimension_names(json const& array, json const& attributes,
                                                                  std::size_t rank) {
    auto const names_of = [rank](json const* list) {
        std::vector<std::optional<std::string>> names;
        if (list == nullptr || !list->is_array() || list->size() != rank) return names;
        for (json const& entry : *list) {
            if (!entry.is_string()) return std::vector<std::optional<std::string>>();
            auto const& name = entry.get_ref<std::string const&>();
            names.emplace_back(name.substr(name.rfind('/') + 1));
        }
        return names;
    };
    auto names = names_of(optional_member(attributes, "_ARRAY_DIMENSIONS"));
    for (json const* object : {&array, &attributes}) {
        for (char const* name : {"_nczarr_array", "_NCZARR_ARRAY"}) {
            json const* const netcdf = optional_member(*object, name);
            if (!names.empty() || netcdf == nullptr || !netcdf->is_object()) continue;
            names = names_of(optional_member(*netcdf, "dimrefs"));
            if (names.empty()) names = names_of(optional_member(*netcdf, "dimension_references"));
        }
    }
    return names;
}

inline void append_v2_codec(codec_maker& codecs, json const& codec, std::string const& where, std::string_view key) {
    json const* const id = codec.is_object() ? optional_member(codec, "id") : nullptr;
    if (id == nullptr || !id->is_string()) {
        refuse(key, where + " is " + shown(codec) + "; an object with a string \"id\" was expected");
    }
    codecs.append(id->get_ref<std::string const&>(), codec, where);
}

/// The array that a .zarray describes. `key` names it in errors. **Throws** metadata_error.
/// **Source** Zarr v2 specification, "Arrays".
inline array_metadata parse_v2(json const& object, json attributes, std::string_view key) {
    check_format(object, 2, key);
    array_metadata array;
    array.format = 2;
    json const& dtype = member(object, "dtype", key);
    data_type const stored = parse_v2_type(dtype, key);
    array.type = stored.type;
    array.byte_order = stored.byte_order;
    array.fields = stored.fields;
    array.dtype = dtype.is_string() ? dtype.get<std::string>() : dtype.dump();
    set_shapes(array, member(object, "shape", key), member(object, "chunks", key), "chunks", key);

    json const& order = member(object, "order", key);
    if (order != "C" && order != "F") refuse(key, "order is " + shown(order) + "; \"C\" or \"F\" was expected");
    array.encoding.axis_order = c_axis_order(array.rank());
    if (order == "F") std::reverse(array.encoding.axis_order.begin(), array.encoding.axis_order.end());
    codec_maker codecs(array.encoding.codecs, {stored.type, stored.byte_order}, 2, key);
    json const& filters = member(object, "filters", key);
    if (!filters.is_null() && !filters.is_array()) {
        refuse(key, "filters is " + shown(filters) + "; null or an array of codecs was expected");
    }
    require_few_codecs(filters, "filters", key);
    for (std::size_t i = 0; i < filters.size(); ++i) {
        append_v2_codec(codecs, filters[i], "filters[" + std::to_string(i) + "]", key);
    }
    json const& compressor = member(object, "compressor", key);
    if (!compressor.is_null()) append_v2_codec(codecs, compressor, "the compressor", key);
    json const& fill = member(object, "fill_value", key);
    array.fill = fill_bytes(fill, stored, key);
    array.fill_text = fill.dump();

    if (json const* separator = optional_member(object, "dimension_separator")) {
        if (*separator != "." && *separator != "/") {
            refuse(key, "dimension_separator is " + shown(*separator) + "; \".\" or \"/\" was expected");
        }
        array.keys.separator = separator->get_ref<std::string const&>()[0];
    }
    array.dimension_names = v2_dimension_names(object, attributes, array.rank());
    array.attributes = std::move(attributes);
    return array;
}

}  // namespace slabwise::zarr::detail
