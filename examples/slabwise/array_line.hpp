// An array in one line.
#pragma once

#include <string>

#include <slabwise/zarr/metadata.hpp>

namespace program {

namespace sw = slabwise;

std::string json_text(sw::zarr::json const& value);

/// float pr(time=1560, lat=128, lon=256)
std::string signature(std::string const& name, sw::zarr::array_metadata const& metadata);

/// Name, type, shapes and dimension names; of a rectilinear grid, the edges of its chunks.
sw::zarr::json brief_json(std::string const& name, sw::zarr::array_metadata const& metadata);

}  // namespace program
