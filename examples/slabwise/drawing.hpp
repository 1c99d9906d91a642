// A picture of a plan as SVG.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "any_plan.hpp"
#include "selection.hpp"

namespace program {

/// The grid of the last two axes, the touched chunks shaded by the share of their elements that is used, and the
/// selected elements where they are few enough to see. The other axes are fixed at the indices `at`, by default at the
/// first that is selected. Of a large grid only the part around the selection is drawn, of a huge one many chunks as
/// one cell, so the text stays below a megabyte. **Throws** usage_failure for indices outside the array.
std::string drawing(any_plan const& plan, array_axes const& axes, std::string const& title,
                    std::optional<std::span<std::int64_t const>> at);

}  // namespace program
