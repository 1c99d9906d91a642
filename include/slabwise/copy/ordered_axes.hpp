// The axes of a copy in the order in which writes go through memory: steps that any nest of loops over two strided
// arrays begins with.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include <slabwise/copy/copy_axis.hpp>

namespace slabwise::detail {

/// Axes of more than one element, the innermost first, by the size of their steps in the destination. Axes of one
/// element are gone, axes that walked down the destination walk up, and the bases say where the first element then is.
/// **Units** bytes.
template <std::size_t Capacity>
struct ordered_axes {
    // Those behind the size-th have no value.
    std::array<copy_axis, Capacity> axes;
    std::size_t size = 0;
    index_t source_base = 0;
    index_t destination_base = 0;

    ordered_axes() noexcept = default;
    ordered_axes(ordered_axes const& other) noexcept { *this = other; }
    ordered_axes& operator=(ordered_axes const& other) noexcept {
        size = other.size;
        source_base = other.source_base;
        destination_base = other.destination_base;
        for (std::size_t i = 0; i < size; ++i) axes[i] = other.axes[i];
        return *this;
    }

    /// Takes in an axis. **Expects** count > 0, and fewer than Capacity axes. **Cost** O(size); O(1) when the axis is
    /// the outermost so far.
    void insert(copy_axis axis) noexcept {
        assert(axis.count > 0);
        if (axis.count == 1) {
            source_base += axis.source_offset(0);
            destination_base += axis.destination_offset(0);
            return;
        }
        assert(size < Capacity);
        if (!axis.has_table() && axis.destination_byte_stride < 0) {
            source_base += axis.source_offset(axis.count - 1);
            destination_base += axis.destination_offset(axis.count - 1);
            axis.source_byte_stride = -axis.source_byte_stride;
            axis.destination_byte_stride = -axis.destination_byte_stride;
        }
        // No two axes of elements that lie apart have equal steps in the destination, so the source's have no say.
        auto const step = destination_step(axis);
        std::size_t place = size++;
        for (; place > 0 && destination_step(axes[place - 1]) > step; --place) axes[place] = axes[place - 1];
        axes[place] = axis;
    }

    /// Makes one axis of each run of axes that continue one another on both sides.
    void join() noexcept {
        std::size_t joined = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if (joined > 0 && continues(axes[joined - 1], axes[i])) {
                axes[joined - 1].count *= axes[i].count;
            } else {
                axes[joined++] = axes[i];
            }
        }
        size = joined;
    }

    /// Whether outer goes on where inner ends, on both sides.
    static bool continues(copy_axis const& inner, copy_axis const& outer) noexcept {
        return !inner.has_table() && !outer.has_table() &&
               outer.source_byte_stride == inner.count * inner.source_byte_stride &&
               outer.destination_byte_stride == inner.count * inner.destination_byte_stride;
    }

private:
    // The size of the first step of an axis, which for a table stands for all of them.
    static std::uint64_t destination_step(copy_axis const& axis) noexcept {
        return magnitude(axis.destination_offset(1) - axis.destination_offset(0));
    }
};

}  // namespace slabwise::detail
