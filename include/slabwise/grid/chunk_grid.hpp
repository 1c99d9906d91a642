// The regular chunk grid: an array cut into chunks of one shape, from index 0 on. An edge chunk is stored at the full
// chunk shape; what of it lies inside the array is its valid extent.
#pragma once

#include <array>
#include <compare>
#include <cstddef>

#include <slabwise/error.hpp>
#include <slabwise/index/shape.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_chunk_extent_zero(std::size_t axis) {
    throw selection_error(error_text("chunk grid: axis ")
                              .append(std::uint64_t{axis})
                              .append(" has chunk extent 0; it is at least 1"),
                          axis, 0, 1);
}

}  // namespace detail

/// An array's shape and the shape of its chunks. A chunk may be longer than the array.
/// **Ensures** every chunk extent is 1 or more, and a chunk has at most 2^63 - 1 elements.
template <std::size_t R>
class chunk_grid {
public:
    static constexpr std::size_t rank = R;

    /// The grid of an array without elements, in chunks of one element.
    constexpr chunk_grid() noexcept {
        for (std::size_t axis = 0; axis < R; ++axis) chunk_extents_[axis] = 1;
    }

    /// **Throws** selection_error for a chunk extent 0 and for a chunk of more than 2^63 - 1 elements.
    constexpr chunk_grid(slabwise::shape<R> const& array_shape, slabwise::shape<R> const& chunk_shape)
        : shape_(array_shape), chunk_extents_(chunk_shape.extents()) {
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (chunk_extents_[axis] == 0) detail::throw_chunk_extent_zero(axis);
        }
        chunk_elements_ = chunk_shape.element_count();
    }

    /// The shape of the array. **Units** elements.
    [[nodiscard]] constexpr slabwise::shape<R> const& shape() const noexcept { return shape_; }
    /// The shape at which every chunk is stored. **Units** elements.
    [[nodiscard]] constexpr slabwise::shape<R> chunk_shape() const noexcept { return chunk_extents_; }
    /// The number of elements that a stored chunk has.
    [[nodiscard]] constexpr index_t chunk_elements() const noexcept { return chunk_elements_; }

    /// How many chunks lie along each axis. **Units** chunks.
    [[nodiscard]] constexpr slabwise::shape<R> chunk_counts() const noexcept {
        std::array<index_t, R> counts{};
        for (std::size_t axis = 0; axis < R; ++axis) counts[axis] = ceil_divide(shape_[axis], chunk_extents_[axis]);
        return counts;
    }
    /// The number of chunks. **Throws** selection_error when it exceeds 2^63 - 1.
    [[nodiscard]] constexpr index_t chunk_count() const { return chunk_counts().element_count(); }

    /// True when the grid has a chunk at `coord`.
    [[nodiscard]] constexpr bool contains(coord_t<R> const& coord) const noexcept {
        auto const counts = chunk_counts();
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (coord[axis] < 0 || coord[axis] >= counts[axis]) return false;
        }
        return true;
    }
    /// The part of a chunk that lies inside the array. **Units** elements. **Expects** contains(coord).
    [[nodiscard]] constexpr slabwise::shape<R> valid_extent(coord_t<R> const& coord) const noexcept {
        std::array<index_t, R> extents{};
        for (std::size_t axis = 0; axis < R; ++axis) {
            index_t const rest = shape_[axis] - coord[axis] * chunk_extents_[axis];
            extents[axis] = rest < chunk_extents_[axis] ? rest : chunk_extents_[axis];
        }
        return extents;
    }

    friend constexpr bool operator==(chunk_grid const&, chunk_grid const&) noexcept = default;

private:
    slabwise::shape<R> shape_{};
    std::array<index_t, R> chunk_extents_{};
    index_t chunk_elements_ = 1;
};

template <std::size_t R>
chunk_grid(shape<R>, shape<R>) -> chunk_grid<R>;

}  // namespace slabwise
