#include "array_line.hpp"

#include <vector>

#include <fmt/format.h>

#include "edges.hpp"
#include "element.hpp"
#include "open.hpp"
#include "text.hpp"

namespace program {

using sw::zarr::json;

std::string json_text(json const& value) { return value.dump(-1, ' ', true, json::error_handler_t::replace); }

std::string signature(std::string const& name, sw::zarr::array_metadata const& metadata) {
    array_axes const axes = axes_of(metadata);
    std::vector<std::string> extents;
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
        bool const is_named = !axes.names.empty() && !axes.names[axis].empty();
        extents.push_back((is_named ? axes.names[axis] + '=' : "") + std::to_string(axes.extents[axis]));
    }
    return printable(fmt::format("{} {}({})", cdl_name(metadata.type), name, joined(extents)));
}

json brief_json(std::string const& name, sw::zarr::array_metadata const& metadata) {
    json dimension_names = json::array();
    for (auto const& dimension : metadata.dimension_names)
        dimension_names.push_back(dimension ? json(*dimension) : json());
    json all_edges;
    if (!metadata.is_regular()) {
        for (auto const& edges : metadata.edges) all_edges.push_back(edges_json(edges));
    }
    return {{"name", name},
            {"type", cdl_name(metadata.type)},
            {"shape", metadata.shape},
            {"dimension_names", dimension_names},
            {"chunk_shape", metadata.chunk_shape},
            {"chunk_edges", all_edges}};
}

}  // namespace program
