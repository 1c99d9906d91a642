// An array as NumPy's str() writes it: rows in brackets, one width for all elements, the middle of a large array left
// out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <slabwise/copy/element_type.hpp>

namespace program {

namespace sw = slabwise;

/// Whether the middle of an array of this shape is left out: when it has more than 1000 elements.
bool is_summarised(std::span<std::int64_t const> shape);

/// How many indices of an axis are shown at either end when the middle is left out.
inline constexpr std::int64_t edge_items = 3;

/// The extents of what is shown of an array of this shape: at most 2 * edge_items indices of an axis when it is
/// summarised, otherwise all.
std::vector<std::int64_t> shown_shape(std::span<std::int64_t const> shape);

/// The text of an array of the given shape, without a newline at its end. `shown` are the elements of
/// shown_shape(shape) in C order and native byte order.
std::string array_text(std::span<std::int64_t const> shape, sw::element_type type, std::span<std::byte const> shown);

}  // namespace program
