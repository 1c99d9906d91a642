// One axis, a list of indices in any order (orthogonal indexing). Opt-in: unlike the rest of this layer it allocates.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <vector>

#include <slabwise/plan/slice_axis.hpp>

namespace slabwise {

/// The indices to select on one axis, in the order wanted; an index may occur more than once. Taken literally: a
/// negative one does not count from the end.
class index_list {
public:
    constexpr index_list(std::initializer_list<index_t> indices) : indices_(indices) {}
    explicit constexpr index_list(std::span<index_t const> indices) : indices_(indices.begin(), indices.end()) {}

    [[nodiscard]] constexpr std::span<index_t const> indices() const noexcept { return indices_; }

private:
    std::vector<index_t> indices_;
};

/// The axis plan of an index list. Pieces come in ascending order of their chunks; the indices of one chunk keep the
/// order of the list. So the list is *grouped* by chunk: piece.first_in_array counts the indices of the pieces before,
/// and where each index of a piece lies in its chunk and in the selection's array is told by in_chunk() and in_array().
/// **Ensures** A2-A4 as slice_axis. **Cost** making it is O(n log n) for n indices, O(n) when the list is grouped
/// already, with O(n) memory; stepping is O(1), find O(log n).
class list_axis {
public:
    struct cursor : piece {
        /// Which piece it is.
        std::size_t ordinal = 0;
    };

    static constexpr bool drops_axis = false;
    static constexpr bool is_affine = false;
    static constexpr bool is_monotone = false;
    static constexpr bool is_regular = true;

    /// **Expects** extent >= 0, chunk_length >= 1. **Throws** selection_error when an index lies outside the extent.
    constexpr list_axis(index_list const& list, index_t extent, index_t chunk_length, std::size_t axis)
        : extent_(extent), chunk_length_(chunk_length) {
        auto const indices = list.indices();
        for (index_t const index : indices) {
            if (index < 0 || index >= extent) detail::throw_index_outside(axis, index, extent);
        }
        in_array_.reserve(indices.size());
        for (std::size_t i = 0; i < indices.size(); ++i) in_array_.push_back(static_cast<index_t>(i));
        auto const chunk_of = [&](index_t i) { return indices[static_cast<std::size_t>(i)] / chunk_length; };
        auto const before = [&](index_t i, index_t j) {
            index_t const a = chunk_of(i);
            index_t const b = chunk_of(j);
            return a != b ? a < b : i < j;
        };
        if (!std::is_sorted(in_array_.begin(), in_array_.end(), before)) {
            std::sort(in_array_.begin(), in_array_.end(), before);
        }
        in_chunk_.reserve(indices.size());
        for (index_t const i : in_array_) {
            index_t const chunk = chunk_of(i);
            index_t const local = indices[static_cast<std::size_t>(i)] - chunk * chunk_length;
            bool const begins_piece = groups_.empty() || groups_.back().chunk != chunk;
            if (begins_piece) groups_.push_back({chunk, static_cast<index_t>(in_chunk_.size())});
            if (begins_piece || magnitude(local - in_chunk_.back()) != 1) ++runs_;
            in_chunk_.push_back(local);
        }
        for (index_t k = 0; k < size(); ++k) full_pieces_ += is_whole(in_chunk((*this)[k])) ? 1 : 0;
    }

    [[nodiscard]] constexpr index_t size() const noexcept { return static_cast<index_t>(groups_.size()); }
    [[nodiscard]] constexpr index_t count() const noexcept { return static_cast<index_t>(in_chunk_.size()); }
    [[nodiscard]] constexpr index_t extent() const noexcept { return extent_; }
    [[nodiscard]] constexpr index_t chunk_length() const noexcept { return chunk_length_; }
    /// The length at which the chunk of a piece is stored. **Units** elements.
    [[nodiscard]] constexpr index_t stored_length(piece const&) const noexcept { return chunk_length_; }
    [[nodiscard]] constexpr index_t stride() const noexcept { return 1; }

    /// Where the indices of a piece lie, counted from the start of its chunk. **Shape** piece.count.
    [[nodiscard]] constexpr std::span<index_t const> in_chunk(piece const& at) const noexcept {
        return part_of(in_chunk_, at);
    }
    /// Where the indices of a piece lie in the selection's array. **Shape** piece.count.
    [[nodiscard]] constexpr std::span<index_t const> in_array(piece const& at) const noexcept {
        return part_of(in_array_, at);
    }

    [[nodiscard]] constexpr cursor begin() const noexcept { return groups_.empty() ? cursor{} : (*this)[0]; }
    /// **Expects** 0 <= k < size().
    [[nodiscard]] constexpr cursor operator[](index_t k) const noexcept {
        assert(0 <= k && k < size());
        cursor at;
        at.ordinal = static_cast<std::size_t>(k);
        group const& here = groups_[at.ordinal];
        at.chunk = here.chunk;
        at.first_in_chunk = in_chunk_[static_cast<std::size_t>(here.first)];
        at.first_in_array = here.first;
        at.count = (at.ordinal + 1 < groups_.size() ? groups_[at.ordinal + 1].first : count()) - here.first;
        at.valid = detail::valid_length(here.chunk, extent_, chunk_length_);
        return at;
    }
    constexpr void advance(cursor& at) const noexcept { at = (*this)[static_cast<index_t>(at.ordinal) + 1]; }
    [[nodiscard]] constexpr bool is_last(cursor const& at) const noexcept { return at.ordinal + 1 >= groups_.size(); }

    /// Which piece holds the i-th index of the grouped list. **Expects** 0 <= i < count().
    [[nodiscard]] constexpr index_t piece_of(index_t i) const noexcept {
        auto const past = std::upper_bound(groups_.begin(), groups_.end(), i,
                                           [](index_t wanted, group const& here) { return wanted < here.first; });
        return past - groups_.begin() - 1;
    }
    /// Which piece lies in `chunk`; size() when none does.
    [[nodiscard]] constexpr index_t find(index_t chunk) const noexcept {
        auto const at = std::lower_bound(groups_.begin(), groups_.end(), chunk,
                                         [](group const& here, index_t wanted) { return here.chunk < wanted; });
        return at != groups_.end() && at->chunk == chunk ? at - groups_.begin() : size();
    }
    /// Which piece holds `index` of the array; size() when it is not selected. **Cost** O(log n + indices of the piece).
    [[nodiscard]] constexpr index_t find_index(index_t index) const noexcept {
        if (index < 0) return size();
        index_t const k = find(index / chunk_length_);
        if (k == size()) return k;
        auto const indices = in_chunk((*this)[k]);
        return std::find(indices.begin(), indices.end(), index % chunk_length_) != indices.end() ? k : size();
    }

    /// **Expects** size() > 0.
    [[nodiscard]] constexpr index_t lowest_chunk() const noexcept { return groups_.front().chunk; }
    [[nodiscard]] constexpr index_t highest_chunk() const noexcept { return groups_.back().chunk; }
    /// How many pieces are a stored chunk, forwards or backwards.
    [[nodiscard]] constexpr index_t full_pieces() const noexcept { return full_pieces_; }
    /// How many runs of neighbouring indices, rising or falling, all pieces have together in the order of the list.
    [[nodiscard]] constexpr index_t runs() const noexcept { return runs_; }

    /// A piece's indices in its chunk, as an axis plan of its own: of the chunk, cut into chunks of `chunk_length`.
    [[nodiscard]] constexpr list_axis within(piece const& at, index_t extent, index_t chunk_length,
                                             std::size_t axis) const {
        return {index_list(in_chunk(at)), extent, chunk_length, axis};
    }

    friend constexpr bool operator==(list_axis const& a, list_axis const& b) noexcept {
        return a.extent_ == b.extent_ && a.chunk_length_ == b.chunk_length_ && a.groups_ == b.groups_ &&
               a.in_chunk_ == b.in_chunk_ && a.in_array_ == b.in_array_;
    }

private:
    struct group {
        index_t chunk;
        index_t first;  // the indices of the groups before
        friend constexpr bool operator==(group const&, group const&) noexcept = default;
    };

    [[nodiscard]] static constexpr std::span<index_t const> part_of(std::vector<index_t> const& table,
                                                                    piece const& at) noexcept {
        return std::span<index_t const>(table).subspan(static_cast<std::size_t>(at.first_in_array),
                                                       static_cast<std::size_t>(at.count));
    }
    /// True when the indices rise from the first of a stored chunk to its last, one by one, or fall.
    [[nodiscard]] constexpr bool is_whole(std::span<index_t const> indices) const noexcept {
        if (static_cast<index_t>(indices.size()) != chunk_length_) return false;
        index_t const step = indices.front() == 0 ? 1 : -1;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (indices[i] != (step > 0 ? 0 : chunk_length_ - 1) + static_cast<index_t>(i) * step) return false;
        }
        return true;
    }

    index_t extent_;
    index_t chunk_length_;
    std::vector<index_t> in_chunk_;
    std::vector<index_t> in_array_;
    std::vector<group> groups_;
    index_t full_pieces_ = 0;
    index_t runs_ = 0;
};

/// An index list as a selector of make_plan.
constexpr list_axis axis_of(index_list const& list, index_t extent, index_t chunk_length, std::size_t axis) {
    return {list, extent, chunk_length, axis};
}

}  // namespace slabwise
