// What the command line selects from an array: NumPy's 0:1560:3, 5:100, ::-2 with or without brackets, the same by
// dimension name (time=0:10,lat=5), or netCDF's start, count and stride.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <slabwise/index/slice.hpp>

namespace program {

namespace sw = slabwise;

/// The axes that a selection is made from: an extent each, and a name each unless `names` is empty. Throughout the
/// program, the rank is that of the array and is known at run time.
struct array_axes {
    std::vector<std::int64_t> extents;
    std::vector<std::string> names;

    [[nodiscard]] std::size_t rank() const { return extents.size(); }
    /// "axis 1 (lat)", or "axis 1" where it has no name.
    [[nodiscard]] std::string label(std::size_t axis) const;
};

/// One slice an axis; an axis that an integer selects from has one index and does not occur in the result.
struct selection {
    std::vector<sw::slice> slices;
    std::vector<bool> drops_axis;

    /// The counts of the axes that are kept.
    [[nodiscard]] std::vector<std::int64_t> shape() const;
    /// The number of elements; nothing when it exceeds 2^63 - 1.
    [[nodiscard]] std::optional<std::int64_t> element_count() const;
};

/// The meaning of `text` for these axes. An empty text selects the whole array.
/// **Throws** usage_failure, which names the axis, the value and the bound.
selection parse_selection(std::string_view text, array_axes const& axes);

/// netCDF's form; each of the three has one number an axis or is absent. A count of -1 reaches to the end of its axis.
/// **Throws** usage_failure as above.
selection parse_hyperslab(std::optional<std::string> const& start, std::optional<std::string> const& count,
                          std::optional<std::string> const& stride, array_axes const& axes);

/// The integers of a text such as 1560,128,256. **Throws** usage_failure, which names `option`.
std::vector<std::int64_t> parse_numbers(std::string_view option, std::string_view text);

}  // namespace program
