// The chunks of one axis, as text and as JSON.
#pragma once

#include <cstdint>
#include <string>

#include <slabwise/zarr/metadata.hpp>

namespace program {

namespace sw = slabwise;

/// "31", or "28 to 31" where chunks that have elements of the array differ.
std::string length_text(sw::chunk_edges const& edges, std::int64_t extent);

/// The same of all axes: "28 to 31, 90".
std::string chunk_shape_text(sw::zarr::array_metadata const& metadata);

/// "31, 28, 10 x 31": the lengths one after another, cut when there are many.
std::string edges_text(sw::chunk_edges const& edges);

/// [[31, 1], [28, 1], [31, 10]]: the length and the count of each run.
sw::zarr::json edges_json(sw::chunk_edges const& edges);

}  // namespace program
