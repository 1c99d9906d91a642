// The planner that a textbook would write, a rival: for each axis a std::vector of its pieces, made once; an odometer
// over their product; for each chunk two std::vectors, the coord and one pair of slices an axis.
#pragma once

#include <cstddef>
#include <vector>

#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/index/hyperslab.hpp>

namespace textbook {

using slabwise::index_t;

/// What one chunk contributes to one axis.
struct axis_entry {
    index_t chunk;
    index_t first_in_chunk;
    index_t count;
    index_t stride;
    index_t first_in_array;
    index_t valid;

    friend bool operator==(axis_entry const&, axis_entry const&) = default;
};

struct plain_slice {
    index_t first;
    index_t count;
    index_t stride;
};

struct dimension_projection {
    plain_slice in_chunk;
    plain_slice in_array;
};

class planner {
public:
    template <std::size_t R>
    planner(slabwise::chunk_grid<R> const& grid, slabwise::hyperslab<R> const& slab) {
        axes_.reserve(R);
        for (std::size_t axis = 0; axis < R; ++axis) {
            axes_.push_back(entries(slab[axis], grid.shape()[axis], grid.chunk_shape()[axis]));
        }
    }

    std::vector<std::vector<axis_entry>> const& axes() const { return axes_; }

    /// Calls use(coord, dimension projections, covers chunk) for each chunk touched, in row-major order. The flag is a
    /// function, so that only who wants it pays for it.
    template <class Use>
    void for_each(Use use) const {
        std::size_t const rank = axes_.size();
        for (auto const& axis : axes_) {
            if (axis.empty()) return;
        }
        std::vector<std::size_t> digits(rank);
        for (;;) {
            std::vector<index_t> coord(rank);
            std::vector<dimension_projection> dimensions(rank);
            for (std::size_t d = 0; d < rank; ++d) {
                axis_entry const& entry = axes_[d][digits[d]];
                coord[d] = entry.chunk;
                dimensions[d] = {{entry.first_in_chunk, entry.count, entry.stride},
                                 {entry.first_in_array, entry.count, 1}};
            }
            use(coord, dimensions, [&] {
                bool covers = true;
                for (std::size_t d = 0; d < rank; ++d) {
                    axis_entry const& entry = axes_[d][digits[d]];
                    covers = covers && entry.count == entry.valid;
                }
                return covers;
            });
            std::size_t d = rank;
            while (d > 0 && ++digits[d - 1] == axes_[d - 1].size()) digits[--d] = 0;
            if (d == 0) return;
        }
    }

private:
    static std::vector<axis_entry> entries(slabwise::slice const& selected, index_t extent, index_t chunk_length) {
        std::vector<axis_entry> made;
        for (index_t i = 0; i < selected.count();) {
            index_t const first = selected[i];
            index_t const chunk = first / chunk_length;
            index_t const chunk_begin = chunk * chunk_length;
            index_t const chunk_end = chunk_begin + chunk_length < extent ? chunk_begin + chunk_length : extent;
            index_t const room = selected.stride() > 0 ? chunk_end - 1 - first : first - chunk_begin;
            index_t const step = selected.stride() > 0 ? selected.stride() : -selected.stride();
            index_t const left = selected.count() - i;
            index_t const count = room / step + 1 < left ? room / step + 1 : left;
            made.push_back(
                {chunk, first - chunk_begin, count, count == 1 ? 1 : selected.stride(), i, chunk_end - chunk_begin});
            i += count;
        }
        return made;
    }

    std::vector<std::vector<axis_entry>> axes_;
};

}  // namespace textbook
