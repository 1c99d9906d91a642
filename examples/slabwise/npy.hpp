// NumPy's file format, of which the program writes version 1.0.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <slabwise/copy/element_type.hpp>

namespace program {

namespace sw = slabwise;

/// What stands before the elements of an array in native byte order and C order.
/// **Ensures** its size is a multiple of 64. **Source** numpy.lib.format.
std::string npy_header(sw::element_type type, std::span<std::int64_t const> shape);

}  // namespace program
