// One axis, one slice, on a rectilinear grid. Within a run of equal chunks the grid is regular: there the slice's share
// is a slice_axis. So an axis is a series of these, one a run that the slice touches, and what lies before each. Opt-in:
// unlike the rest of this layer it allocates.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <vector>

#include <slabwise/grid/rectilinear_grid.hpp>
#include <slabwise/plan/plan.hpp>

namespace slabwise {

/// The axis plan of a slice on a rectilinear grid. **Ensures** A1-A4 as slice_axis. **Cost** making it is O(runs), with
/// two allocations; stepping is O(1), all else O(log runs).
class rectilinear_axis {
public:
    struct cursor : piece {
        /// The piece as its run has it, and which run of the slice that is.
        slice_axis::cursor in_run;
        std::size_t ordinal = 0;
    };

    static constexpr bool drops_axis = false;
    static constexpr bool is_affine = true;
    static constexpr bool is_monotone = true;
    static constexpr bool is_regular = false;

    /// **Expects** 0 <= extent <= edges.reach(). **Throws** selection_error when an index lies outside the extent.
    constexpr rectilinear_axis(slice const& selected, index_t extent, chunk_edges const& edges, std::size_t axis)
        : slice_(selected), extent_(extent), edges_(edges) {
        assert(0 <= extent && extent <= edges.reach());
        if (selected.empty()) return;
        index_t const lowest = rises() ? selected.first() : selected.last();
        index_t const highest = rises() ? selected.last() : selected.first();
        if (lowest < 0) detail::throw_index_outside(axis, lowest, extent);
        if (highest >= extent) detail::throw_index_outside(axis, highest, extent);
        auto const runs = edges.runs();
        shares_.reserve(runs.size());
        for (std::size_t i = 0; i < runs.size(); ++i) add_share(runs[rises() ? i : runs.size() - 1 - i], axis);
    }

    /// The number of pieces. **Units** chunks.
    [[nodiscard]] constexpr index_t size() const noexcept {
        return shares_.empty() ? 0 : shares_.back().first_piece + shares_.back().axis.size();
    }
    [[nodiscard]] constexpr index_t count() const noexcept { return slice_.count(); }
    [[nodiscard]] constexpr index_t extent() const noexcept { return extent_; }
    /// The chunks of the whole axis.
    [[nodiscard]] constexpr chunk_edges const& edges() const noexcept { return edges_; }
    /// The distance of neighbouring indices in a chunk.
    [[nodiscard]] constexpr index_t stride() const noexcept { return slice_.stride(); }
    [[nodiscard]] constexpr slice const& selected() const noexcept { return slice_; }

    /// The length at which the chunk of a piece is stored. **Units** elements.
    [[nodiscard]] constexpr index_t stored_length(cursor const& at) const noexcept {
        return shares_[at.ordinal].axis.chunk_length();
    }
    /// The lengths of all chunks touched together. **Units** elements.
    [[nodiscard]] constexpr std::uint64_t stored_lengths() const noexcept {
        std::uint64_t sum = 0;  // of chunks that begin below 2^63 - 1, and only one of which ends past it
        for (share const& each : shares_) {
            sum += static_cast<std::uint64_t>(each.axis.size()) * static_cast<std::uint64_t>(each.axis.chunk_length());
        }
        return sum;
    }

    [[nodiscard]] constexpr cursor begin() const noexcept {
        return shares_.empty() ? cursor{} : placed(0, shares_.front().axis.begin());
    }
    /// The k-th piece. **Expects** 0 <= k < size().
    [[nodiscard]] constexpr cursor operator[](index_t k) const noexcept {
        assert(0 <= k && k < size());
        std::size_t const ordinal = last_share([&](share const& each) { return each.first_piece <= k; });
        return placed(ordinal, shares_[ordinal].axis[k - shares_[ordinal].first_piece]);
    }
    /// Steps to the next piece. **Expects** not is_last(at).
    constexpr void advance(cursor& at) const noexcept {
        slice_axis const& axis = shares_[at.ordinal].axis;
        if (axis.is_last(at.in_run)) {
            at = placed(at.ordinal + 1, shares_[at.ordinal + 1].axis.begin());
        } else {
            slice_axis::cursor next = at.in_run;
            axis.advance(next);
            at = placed(at.ordinal, next);
        }
    }
    [[nodiscard]] constexpr bool is_last(cursor const& at) const noexcept {
        return at.first_in_array + at.count == slice_.count();
    }

    /// Which piece holds the i-th selected index. **Expects** 0 <= i < count().
    [[nodiscard]] constexpr index_t piece_of(index_t i) const noexcept {
        assert(0 <= i && i < count());
        share const& holds = shares_[last_share([&](share const& each) { return each.first_in_array <= i; })];
        return holds.first_piece + holds.axis.piece_of(i - holds.first_in_array);
    }
    /// Which piece lies in `chunk`; size() when none does.
    [[nodiscard]] constexpr index_t find(index_t chunk) const noexcept {
        return find_in([&](share const& each) { return rises() ? each.first_chunk <= chunk : each.end_chunk > chunk; },
                       [&](share const& each) { return each.axis.find(chunk - each.first_chunk); });
    }
    /// Which piece holds `index` of the array; size() when it is not selected.
    [[nodiscard]] constexpr index_t find_index(index_t index) const noexcept {
        if (index < 0 || index >= extent_) return size();
        return find_in([&](share const& each) { return rises() ? each.begin <= index : each.end > index; },
                       [&](share const& each) { return each.axis.find_index(index - each.begin); });
    }

    /// The lowest and the highest chunk touched. **Expects** size() > 0.
    [[nodiscard]] constexpr index_t lowest_chunk() const noexcept {
        share const& lowest = rises() ? shares_.front() : shares_.back();
        return lowest.first_chunk + lowest.axis.lowest_chunk();
    }
    [[nodiscard]] constexpr index_t highest_chunk() const noexcept {
        share const& highest = rises() ? shares_.back() : shares_.front();
        return highest.first_chunk + highest.axis.highest_chunk();
    }
    /// How many pieces select every index of a stored chunk.
    [[nodiscard]] constexpr index_t full_pieces() const noexcept {
        index_t sum = 0;
        for (share const& each : shares_) sum += each.axis.full_pieces();
        return sum;
    }
    /// How many runs of neighbouring indices all pieces have together.
    [[nodiscard]] constexpr index_t runs() const noexcept { return magnitude(stride()) == 1 ? size() : count(); }

    /// A piece's share of its chunk, an array of its own on a regular grid, as slice_axis::within.
    [[nodiscard]] constexpr slice_axis within(piece const& at, index_t extent, index_t chunk_length,
                                              std::size_t axis) const {
        return slice_axis::of_piece(at, stride(), extent, chunk_length, axis);
    }

    friend constexpr bool operator==(rectilinear_axis const&, rectilinear_axis const&) noexcept = default;

private:
    /// What a slice selects in a run of equal chunks, counted from the run's start.
    struct share {
        slice_axis axis;
        index_t begin;
        index_t end;
        index_t first_chunk;
        index_t end_chunk;
        index_t first_piece;
        index_t first_in_array;

        friend constexpr bool operator==(share const&, share const&) noexcept = default;
    };

    [[nodiscard]] constexpr bool rises() const noexcept { return slice_.stride() > 0; }

    /// How many of the slice's indices come before the first one at `index` or past it, in the slice's direction.
    [[nodiscard]] constexpr index_t count_before(index_t index) const noexcept {
        index_t const first = slice_.first();
        if (rises() ? index <= first : index >= first) return 0;
        std::uint64_t const ahead = rises() ? distance_up(first, index) : distance_up(index, first);
        std::uint64_t const before = ceil_divide(ahead, magnitude(stride()));
        return before < static_cast<std::uint64_t>(count()) ? static_cast<index_t>(before) : count();
    }

    constexpr void add_share(chunk_edges::placed_run const& run, std::size_t axis) {
        index_t const end = (std::min)(run.end(), extent_);
        if (end <= run.begin) return;
        index_t const from = rises() ? count_before(run.begin) : count_before(end - 1);
        index_t const to = rises() ? count_before(end) : count_before(run.begin - 1);
        if (from == to) return;
        slice const within = slice::unchecked(slice_[from] - run.begin, to - from, to - from > 1 ? stride() : 1);
        shares_.push_back({slice_axis(within, end - run.begin, run.length, axis), run.begin, end, run.first_chunk,
                           run.end_chunk(), size(), from});
    }

    [[nodiscard]] constexpr cursor placed(std::size_t ordinal, slice_axis::cursor const& in_run) const noexcept {
        share const& holds = shares_[ordinal];
        cursor at;
        static_cast<piece&>(at) = in_run;
        at.chunk += holds.first_chunk;
        at.first_in_array += holds.first_in_array;
        at.in_run = in_run;
        at.ordinal = ordinal;
        return at;
    }

    /// The last share that is `reached`, as the first ones are. **Expects** one that is.
    template <class Reached>
    [[nodiscard]] constexpr std::size_t last_share(Reached reached) const noexcept {
        auto const past = std::partition_point(shares_.begin(), shares_.end(), reached);
        return static_cast<std::size_t>(past - shares_.begin()) - 1;
    }
    template <class Reached, class Find>
    [[nodiscard]] constexpr index_t find_in(Reached reached, Find find_in_run) const noexcept {
        if (shares_.empty() || !reached(shares_.front())) return size();
        share const& holds = shares_[last_share(reached)];
        index_t const k = find_in_run(holds);
        return k == holds.axis.size() ? size() : holds.first_piece + k;
    }

    slice slice_;
    index_t extent_;
    chunk_edges edges_;
    std::vector<share> shares_;
};

/// The plan of a hyperslab on a rectilinear grid.
template <std::size_t R>
using rectilinear_plan = basic_plan<std::array<rectilinear_axis, R>>;

namespace detail {

template <std::size_t R, std::size_t... D>
constexpr rectilinear_plan<R> make_rectilinear_plan(rectilinear_grid<R> const& grid, hyperslab<R> const& slab,
                                                    std::index_sequence<D...>) {
    return rectilinear_plan<R>(
        std::array<rectilinear_axis, R>{rectilinear_axis(slab[D], grid.shape()[D], grid.edges()[D], D)...});
}

}  // namespace detail

/// **Throws** as for a regular grid. **Cost** O(runs of equal chunks), with two allocations an axis.
template <std::size_t R>
[[nodiscard]] constexpr rectilinear_plan<R> make_plan(rectilinear_grid<R> const& grid, hyperslab<R> const& slab) {
    return detail::make_rectilinear_plan(grid, slab, std::make_index_sequence<R>{});
}

}  // namespace slabwise
