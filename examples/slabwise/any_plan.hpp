// A plan whose rank is known at run time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <slabwise/plan/rectilinear_axis.hpp>

#include "selection.hpp"

namespace program {

/// One projection of a plan. `in_array` has only the axes that the selection keeps.
struct projection_record {
    std::vector<std::int64_t> coord;
    std::vector<sw::slice> in_chunk;
    std::vector<sw::slice> in_array;
    bool covers_chunk;
};

/// The plan of a selection, and the grid that it belongs to.
class any_plan {
public:
    virtual ~any_plan() = default;
    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::int64_t size() const = 0;
    [[nodiscard]] virtual std::int64_t element_count() const = 0;
    [[nodiscard]] virtual std::int64_t contiguous_runs() const = 0;
    /// The number of chunks of the whole array; nothing when it exceeds 2^63 - 1.
    [[nodiscard]] virtual std::optional<std::int64_t> chunks_of_array() const = 0;
    /// The k-th projection. **Expects** 0 <= k < size().
    [[nodiscard]] virtual projection_record at(std::int64_t k) const = 0;
    [[nodiscard]] virtual sw::rectilinear_axis const& axis(std::size_t d) const = 0;
};

/// The chunks of each axis are those of `edges`. **Throws** selection_error for edges or a selection that cannot be.
std::unique_ptr<any_plan const> make_any_plan(std::span<std::int64_t const> shape,
                                              std::span<sw::chunk_edges const> edges, selection const& selected);

/// The product of the factors; nothing when it exceeds 2^63 - 1.
std::optional<std::int64_t> bounded_product(std::span<std::int64_t const> factors);

}  // namespace program
