// The rectilinear chunk grid: along each axis chunks of any lengths, one after another from index 0 on. The lengths of
// an axis are kept as runs of equal ones, however many chunks these are. Chunks may lie past the end of the array.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include <slabwise/error.hpp>
#include <slabwise/index/shape.hpp>

namespace slabwise {

/// Chunks of one length, side by side on one axis.
struct edge_run {
    /// **Units** elements.
    index_t length = 1;
    /// **Units** chunks.
    index_t count = 1;

    friend constexpr bool operator==(edge_run const&, edge_run const&) noexcept = default;
};

namespace detail {

[[noreturn]] inline void throw_edge_below_one(char const* what, index_t found) {
    throw selection_error(
        error_text("chunk edges: ").append(what).append(" ").append(found).append(" is below 1"),
        selection_error::no_axis, found, 1);
}
[[noreturn]] inline void throw_edge_past_the_last(index_t length) {
    throw selection_error(error_text("chunk edges: a chunk of length ")
                              .append(length)
                              .append(" begins past the last index, 2^63 - 2"),
                          selection_error::no_axis, length, max_index - 1);
}
[[noreturn]] inline void throw_edges_too_short(std::size_t axis, index_t reach, index_t extent) {
    throw selection_error(error_text("chunk grid: the chunks of axis ")
                              .append(std::uint64_t{axis})
                              .append(" reach to ")
                              .append(reach)
                              .append(", but its extent is ")
                              .append(extent),
                          axis, reach, extent);
}

}  // namespace detail

/// The lengths of the chunks along one axis. **Ensures** every length is 1 or more, neighbouring runs differ, and every
/// chunk begins below 2^63 - 1; the last one may reach past that.
/// **Cost** making them is O(runs), with one allocation; a look-up is O(log runs).
class chunk_edges {
public:
    /// A run at its place.
    struct placed_run : edge_run {
        /// How many chunks lie before.
        index_t first_chunk = 0;
        /// The first index of the first chunk.
        index_t begin = 0;

        /// The index after the last one; 2^63 - 1 when it is more.
        [[nodiscard]] constexpr index_t end() const noexcept {
            index_t const last = begin + length * (count - 1);
            return last + (std::min)(length, max_index - last);
        }
        [[nodiscard]] constexpr index_t end_chunk() const noexcept { return first_chunk + count; }
        friend constexpr bool operator==(placed_run const&, placed_run const&) noexcept = default;
    };

    /// No chunks.
    constexpr chunk_edges() noexcept = default;
    /// Runs in the order of the axis. **Throws** selection_error for a length or a count below 1, and for a chunk that
    /// begins at 2^63 - 1 or past it.
    explicit constexpr chunk_edges(std::span<edge_run const> runs) {
        runs_.reserve(runs.size());
        for (edge_run const& run : runs) append(run);
    }
    constexpr chunk_edges(std::initializer_list<edge_run> runs)
        : chunk_edges(std::span<edge_run const>(runs.begin(), runs.size())) {}

    /// Chunks of one length that reach to an extent, at least one chunk. **Expects** extent >= 0.
    /// **Throws** selection_error for a length below 1.
    static constexpr chunk_edges equal(index_t length, index_t extent) {
        return {{length, length < 1 ? 1 : (std::max)(ceil_divide(extent, length), index_t{1})}};
    }

    /// The runs, of which no two neighbours have one length.
    [[nodiscard]] constexpr std::span<placed_run const> runs() const noexcept { return runs_; }
    [[nodiscard]] constexpr index_t chunk_count() const noexcept { return runs_.empty() ? 0 : runs_.back().end_chunk(); }
    /// All lengths together; 2^63 - 1 when they are more.
    [[nodiscard]] constexpr index_t reach() const noexcept { return runs_.empty() ? 0 : runs_.back().end(); }

    /// The run that holds a chunk. **Expects** 0 <= chunk < chunk_count().
    [[nodiscard]] constexpr placed_run const& run_of_chunk(index_t chunk) const noexcept {
        assert(0 <= chunk && chunk < chunk_count());
        return *std::partition_point(runs_.begin(), runs_.end(),
                                     [&](placed_run const& run) { return run.end_chunk() <= chunk; });
    }
    /// The length of a chunk. **Expects** 0 <= chunk < chunk_count(). **Units** elements.
    [[nodiscard]] constexpr index_t length(index_t chunk) const noexcept { return run_of_chunk(chunk).length; }
    /// The first index of a chunk. **Expects** 0 <= chunk < chunk_count().
    [[nodiscard]] constexpr index_t begin(index_t chunk) const noexcept {
        placed_run const& run = run_of_chunk(chunk);
        return run.begin + (chunk - run.first_chunk) * run.length;
    }
    /// The chunk that holds an index. **Expects** 0 <= index < reach().
    [[nodiscard]] constexpr index_t chunk_of(index_t index) const noexcept {
        assert(0 <= index && index < reach());
        auto const run = std::partition_point(runs_.begin(), runs_.end(),
                                              [&](placed_run const& each) { return each.end() <= index; });
        return run->first_chunk + (index - run->begin) / run->length;
    }

    /// How many chunks hold indices below `extent`. **Expects** 0 <= extent <= reach().
    [[nodiscard]] constexpr index_t chunks_below(index_t extent) const noexcept {
        return extent == 0 ? 0 : chunk_of(extent - 1) + 1;
    }
    /// The length of the longest of these chunks, 1 when there are none. **Cost** O(runs).
    [[nodiscard]] constexpr index_t longest_below(index_t extent) const noexcept {
        index_t longest = 1;
        for (placed_run const& run : runs_) {
            if (run.begin < extent) longest = (std::max)(longest, run.length);
        }
        return longest;
    }

    friend constexpr bool operator==(chunk_edges const&, chunk_edges const&) noexcept = default;

private:
    constexpr void append(edge_run const& run) {
        if (run.length < 1) detail::throw_edge_below_one("length", run.length);
        if (run.count < 1) detail::throw_edge_below_one("count", run.count);
        index_t last = run.length;
        if (!multiply_into(last, run.count - 1) || !add_into(last, reach()) || last == max_index) {
            detail::throw_edge_past_the_last(run.length);
        }
        if (!runs_.empty() && runs_.back().length == run.length) {
            runs_.back().count += run.count;
        } else {
            runs_.push_back({run, chunk_count(), reach()});
        }
    }

    std::vector<placed_run> runs_;
};

/// An array's shape and the edges of its chunks. **Ensures** the chunks of every axis reach to its end or further, and a
/// chunk has at most 2^63 - 1 elements.
template <std::size_t R>
class rectilinear_grid {
public:
    static constexpr std::size_t rank = R;

    /// **Throws** selection_error when the chunks of an axis end before it does, and for chunks of more than 2^63 - 1
    /// elements.
    constexpr rectilinear_grid(slabwise::shape<R> const& array_shape, std::array<chunk_edges, R> edges)
        : shape_(array_shape), edges_(std::move(edges)) {
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (edges_[axis].reach() < shape_[axis]) {
                detail::throw_edges_too_short(axis, edges_[axis].reach(), shape_[axis]);
            }
            chunk_extents_[axis] = edges_[axis].longest_below(shape_[axis]);
        }
        chunk_elements_ = chunk_shape().element_count();
    }

    /// The shape of the array. **Units** elements.
    [[nodiscard]] constexpr slabwise::shape<R> const& shape() const noexcept { return shape_; }
    /// The edges of each axis.
    [[nodiscard]] constexpr std::array<chunk_edges, R> const& edges() const noexcept { return edges_; }

    /// The longest edge of each axis, of the chunks that have elements of the array; 1 where there is none.
    [[nodiscard]] constexpr slabwise::shape<R> chunk_shape() const noexcept { return chunk_extents_; }
    /// The number of elements in a chunk of that shape: no chunk is larger.
    [[nodiscard]] constexpr index_t chunk_elements() const noexcept { return chunk_elements_; }

    /// How many chunks along each axis have elements of the array. **Units** chunks.
    [[nodiscard]] constexpr slabwise::shape<R> chunk_counts() const noexcept {
        std::array<index_t, R> counts{};
        for (std::size_t axis = 0; axis < R; ++axis) counts[axis] = edges_[axis].chunks_below(shape_[axis]);
        return counts;
    }
    /// True when there are elements of the array in the chunk at `coord`.
    [[nodiscard]] constexpr bool contains(coord_t<R> const& coord) const noexcept {
        auto const counts = chunk_counts();
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (coord[axis] < 0 || coord[axis] >= counts[axis]) return false;
        }
        return true;
    }
    /// The shape at which a chunk is stored. **Units** elements. **Expects** contains(coord).
    [[nodiscard]] constexpr slabwise::shape<R> stored_shape(coord_t<R> const& coord) const noexcept {
        std::array<index_t, R> lengths{};
        for (std::size_t axis = 0; axis < R; ++axis) lengths[axis] = edges_[axis].length(coord[axis]);
        return lengths;
    }
    /// The part of a chunk that lies inside the array. **Units** elements. **Expects** contains(coord).
    [[nodiscard]] constexpr slabwise::shape<R> valid_extent(coord_t<R> const& coord) const noexcept {
        std::array<index_t, R> lengths{};
        for (std::size_t axis = 0; axis < R; ++axis) {
            index_t const rest = shape_[axis] - edges_[axis].begin(coord[axis]);
            lengths[axis] = (std::min)(rest, edges_[axis].length(coord[axis]));
        }
        return lengths;
    }

    friend constexpr bool operator==(rectilinear_grid const&, rectilinear_grid const&) noexcept = default;

private:
    slabwise::shape<R> shape_;
    std::array<chunk_edges, R> edges_;
    std::array<index_t, R> chunk_extents_{};
    index_t chunk_elements_ = 1;
};

template <std::size_t R>
rectilinear_grid(shape<R>, std::array<chunk_edges, R>) -> rectilinear_grid<R>;

}  // namespace slabwise
