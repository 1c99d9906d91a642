// Packed values as the numbers that they stand for, by the convention of netCDF.
#pragma once

#include <slabwise/copy/conversion.hpp>
#include <slabwise/zarr/metadata.hpp>

namespace program {

namespace sw = slabwise;

/// To double: stored * scale_factor + add_offset, attributes of the array that are 1 and 0 unless given; what equals the
/// attribute _FillValue, else the array's fill value, else the attribute missing_value, becomes NaN.
/// **Throws** usage_failure for elements that are no real numbers; data_failure for attributes that are no numbers.
sw::conversion unpacking_of(sw::zarr::array_metadata const& metadata);

}  // namespace program
