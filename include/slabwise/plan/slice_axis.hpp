// One axis, one slice: the heart of a plan.
//
// An axis of some extent lies in chunks of length c. A slice selects x_i = first + i * stride, 0 <= i < count. Which
// chunks does it touch, and what does it take from each? With a = |stride|:
//
//   dense,  a < c:  no chunk between first and last is jumped over, so there are |last/c - first/c| + 1 pieces. Let
//                   c = q * a + r. Measured from the side on which the selection enters a chunk, the first hit lies
//                   g < a in; it is followed by the others up to the far side: count = q + (g < r). The next chunk's
//                   first hit lies g - r in, or g - r + a where that is negative, that is where g < r.
//   sparse, a >= c: each index has a chunk of its own: count pieces of one index. With stride = Q * c + R, 0 <= R < c,
//                   the next piece lies Q chunks on and R deeper, or Q + 1 chunks on and c - R less deep.
//
// Either way one comparison of the position against a constant decides between two outcomes that differ by constants:
// a step needs additions only. And either way the k-th piece is a formula in k: no piece needs its predecessor.
#pragma once

#include <cassert>
#include <cstddef>

#include <slabwise/error.hpp>
#include <slabwise/index/slice.hpp>
#include <slabwise/plan/piece.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_index_outside(std::size_t axis, index_t index, index_t extent) {
    throw selection_error(error_text("axis ")
                              .append(std::uint64_t{axis})
                              .append(": index ")
                              .append(index)
                              .append(" is out of bounds for extent ")
                              .append(extent),
                          axis, index, extent);
}

/// The length of a chunk, clipped at the end of the array. **Expects** that the chunk begins inside the array.
constexpr index_t valid_length(index_t chunk, index_t extent, index_t chunk_length) noexcept {
    index_t const rest = extent - chunk * chunk_length;
    return rest < chunk_length ? rest : chunk_length;
}

}  // namespace detail

/// The axis plan of a slice on a regular grid. **Ensures** A1 pieces stand in the order of the slice; A2 no piece is
/// empty; A3 each chunk occurs at most once; A4 the pieces' indices are those of the slice, each once.
/// **Cost** everything is O(1); no allocation.
class slice_axis {
public:
    /// A place in the sequence of pieces that can step.
    struct cursor : piece {
        /// Where the next piece begins in its chunk, and which chunk that is.
        index_t next_in_chunk = 0;
        index_t next_chunk = 0;
    };

    /// True when the axis does not occur in the selection's array.
    static constexpr bool drops_axis = false;
    /// True when a piece's indices lie stride() apart.
    static constexpr bool is_affine = true;
    /// True when the pieces' chunks only rise or only fall.
    static constexpr bool is_monotone = true;
    /// True when all chunks of the axis are stored at one length, chunk_length().
    static constexpr bool is_regular = true;

    /// The pieces of `selected` on an axis of `extent` in chunks of `chunk_length`; `axis` is named in errors.
    /// **Expects** extent >= 0, chunk_length >= 1. **Throws** selection_error when an index lies outside the extent.
    /// **Cost** two divisions at stride 1, at most four.
    constexpr slice_axis(slice const& selected, index_t extent, index_t chunk_length, std::size_t axis)
        : slice_(selected), extent_(extent), chunk_length_(chunk_length) {
        if (selected.empty()) return;
        index_t const first = selected.first();
        index_t const last = selected.last();
        index_t const lowest = selected.stride() > 0 ? first : last;
        index_t const highest = selected.stride() > 0 ? last : first;
        if (lowest < 0) detail::throw_index_outside(axis, lowest, extent);
        if (highest >= extent) detail::throw_index_outside(axis, highest, extent);
        begin_.chunk = first / chunk_length;
        begin_.first_in_chunk = first - begin_.chunk * chunk_length;
        if (magnitude(selected.stride()) < static_cast<std::uint64_t>(chunk_length)) {
            prepare_dense(last / chunk_length);
        } else {
            prepare_sparse(last / chunk_length);
        }
        begin_.valid = begin_.chunk == highest_chunk_ ? highest_valid_ : chunk_length_;
    }

    /// The number of pieces. **Units** chunks.
    [[nodiscard]] constexpr index_t size() const noexcept { return size_; }
    /// The number of indices selected.
    [[nodiscard]] constexpr index_t count() const noexcept { return slice_.count(); }
    [[nodiscard]] constexpr index_t extent() const noexcept { return extent_; }
    [[nodiscard]] constexpr index_t chunk_length() const noexcept { return chunk_length_; }
    /// The length at which the chunk of a piece is stored. **Units** elements.
    [[nodiscard]] constexpr index_t stored_length(piece const&) const noexcept { return chunk_length_; }
    /// The distance of neighbouring indices in a chunk.
    [[nodiscard]] constexpr index_t stride() const noexcept { return slice_.stride(); }
    /// The slice itself.
    [[nodiscard]] constexpr slice const& selected() const noexcept { return slice_; }

    /// The first piece. **Expects** size() > 0, otherwise the result is no piece.
    [[nodiscard]] constexpr cursor begin() const noexcept { return begin_; }

    /// The k-th piece. **Expects** 0 <= k < size(). **Cost** one division.
    [[nodiscard]] constexpr cursor operator[](index_t k) const noexcept {
        assert(0 <= k && k < size_);
        if (k == 0) return begin_;
        cursor at;
        index_t const i = is_sparse_ ? k : first_of_dense(k);
        index_t const x = slice_[i];
        at.chunk = is_sparse_ ? x / chunk_length_ : begin_.chunk + (stride() > 0 ? k : -k);
        at.first_in_chunk = x - at.chunk * chunk_length_;
        at.first_in_array = i;
        finish(at);
        return at;
    }

    /// Steps to the next piece. **Expects** not is_last(at). **Cost** additions only.
    [[gnu::always_inline]] constexpr void advance(cursor& at) const noexcept {
        at.first_in_array += at.count;
        at.first_in_chunk = at.next_in_chunk;
        at.chunk = at.next_chunk;
        finish(at);
    }

    /// True for the last piece.
    [[nodiscard]] constexpr bool is_last(cursor const& at) const noexcept {
        return at.first_in_array + at.count == slice_.count();
    }

    /// Which piece holds the i-th selected index. **Expects** 0 <= i < count(). **Cost** one division.
    [[nodiscard]] constexpr index_t piece_of(index_t i) const noexcept {
        assert(0 <= i && i < count());
        return is_sparse_ ? i : chunks_from_begin(slice_[i] / chunk_length_);
    }

    /// Which piece lies in `chunk`; size() when none does. **Cost** one division.
    [[nodiscard]] constexpr index_t find(index_t chunk) const noexcept {
        if (size_ == 0 || chunk < lowest_chunk_ || chunk > highest_chunk_) return size_;
        if (!is_sparse_) return chunks_from_begin(chunk);
        index_t const i = first_at_or_past(chunk);
        return slice_[i] / chunk_length_ == chunk ? i : size_;
    }

    /// Which piece holds `index` of the array; size() when it is not selected. **Cost** two divisions.
    [[nodiscard]] constexpr index_t find_index(index_t index) const noexcept {
        if (size_ == 0) return size_;
        bool const rises = stride() > 0;
        if (rises ? index < slice_.first() : index > slice_.first()) return size_;
        std::uint64_t const from_first =
            rises ? distance_up(slice_.first(), index) : distance_up(index, slice_.first());
        std::uint64_t const step = magnitude(stride());
        std::uint64_t const i = from_first / step;
        if (i * step != from_first || i >= static_cast<std::uint64_t>(count())) return size_;
        return piece_of(static_cast<index_t>(i));
    }

    /// The lowest and the highest chunk touched. **Expects** size() > 0.
    [[nodiscard]] constexpr index_t lowest_chunk() const noexcept { return lowest_chunk_; }
    [[nodiscard]] constexpr index_t highest_chunk() const noexcept { return highest_chunk_; }

    /// How many pieces select every index of a stored chunk.
    [[nodiscard]] constexpr index_t full_pieces() const noexcept {
        if (size_ == 0 || chunk_length_ == 1) return size_;
        if (magnitude(stride()) != 1) return 0;
        index_t const partial_first = begin_.count != chunk_length_ ? 1 : 0;
        index_t const partial_last = size_ > 1 && (*this)[size_ - 1].count != chunk_length_ ? 1 : 0;
        return size_ - partial_first - partial_last;
    }
    /// How many runs of neighbouring indices all pieces have together.
    [[nodiscard]] constexpr index_t runs() const noexcept { return magnitude(stride()) == 1 ? size_ : count(); }

    /// A piece's selection in its chunk, as an axis plan of its own: of the chunk, cut into chunks of `chunk_length`.
    [[nodiscard]] constexpr slice_axis within(piece const& at, index_t extent, index_t chunk_length,
                                              std::size_t axis) const {
        return of_piece(at, stride(), extent, chunk_length, axis);
    }
    /// The same of a piece of a selection with that stride.
    [[nodiscard]] static constexpr slice_axis of_piece(piece const& at, index_t stride, index_t extent,
                                                       index_t chunk_length, std::size_t axis) {
        return {slice::unchecked(at.first_in_chunk, at.count, at.count > 1 ? stride : 1), extent, chunk_length, axis};
    }

    friend constexpr bool operator==(slice_axis const& a, slice_axis const& b) noexcept {
        return a.slice_ == b.slice_ && a.extent_ == b.extent_ && a.chunk_length_ == b.chunk_length_;
    }

private:
    constexpr void prepare_dense(index_t last_chunk) noexcept {
        bool const rises = stride() > 0;
        index_t const step = rises ? stride() : -stride();
        index_t const depth = rises ? begin_.first_in_chunk : chunk_length_ - 1 - begin_.first_in_chunk;
        index_t const rest = step == 1 ? 0 : chunk_length_ % step;
        index_t const left = chunk_length_ - 1 - depth;
        index_t const count_to_far_side = (step == 1 ? left : left / step) + 1;
        size_ = (rises ? last_chunk - begin_.chunk : begin_.chunk - last_chunk) + 1;
        set_range(rises, last_chunk);
        chunk_step_ = rises ? 1 : -1;
        count_ = step == 1 ? chunk_length_ : chunk_length_ / step;
        count_carry_ = 1;
        flip_ = rises ? 0 : -1;
        threshold_ = rises ? -rest : chunk_length_ - rest;
        position_step_ = rises ? -rest : rest;
        position_carry_ = stride();
        begin_.count = count_to_far_side < slice_.count() ? count_to_far_side : slice_.count();
        begin_.next_chunk = begin_.chunk + chunk_step_;
        begin_.next_in_chunk =
            step_from(begin_.first_in_chunk - (rises ? chunk_length_ : 0),
                      static_cast<std::uint64_t>(count_to_far_side), stride()) +
            (rises ? 0 : chunk_length_);
    }

    constexpr void prepare_sparse(index_t last_chunk) noexcept {
        is_sparse_ = true;
        size_ = slice_.count();
        set_range(stride() > 0, last_chunk);
        chunk_step_ = floor_divide(stride(), chunk_length_);
        chunk_carry_ = 1;
        index_t const deeper = step_from(stride(), static_cast<std::uint64_t>(chunk_length_), -chunk_step_);
        count_ = 1;
        flip_ = -1;
        threshold_ = chunk_length_ - deeper;
        position_step_ = deeper;
        position_carry_ = -chunk_length_;
        finish(begin_);
    }

    constexpr void set_range(bool rises, index_t last_chunk) noexcept {
        lowest_chunk_ = rises ? begin_.chunk : last_chunk;
        highest_chunk_ = rises ? last_chunk : begin_.chunk;
        highest_valid_ = detail::valid_length(highest_chunk_, extent_, chunk_length_);
    }

    /// Completes a piece of which all is known but its count, its valid length and its successor's position.
    [[gnu::always_inline]] constexpr void finish(cursor& at) const noexcept {
        index_t const carries = ((at.first_in_chunk ^ flip_) + threshold_) >> 63;  // all ones or 0
        index_t const count = count_ + (carries & count_carry_);
        index_t const left = slice_.count() - at.first_in_array;
        at.count = count < left ? count : left;
        at.valid = at.chunk == highest_chunk_ ? highest_valid_ : chunk_length_;
        at.next_in_chunk = at.first_in_chunk + (position_step_ + (carries & position_carry_));
        at.next_chunk = at.chunk + (chunk_step_ + (carries & chunk_carry_));
    }

    [[nodiscard]] constexpr index_t chunks_from_begin(index_t chunk) const noexcept {
        return stride() > 0 ? chunk - begin_.chunk : begin_.chunk - chunk;
    }
    /// The ordinal of the first index in the k-th chunk of a dense axis. **Expects** 0 < k < size().
    [[nodiscard]] constexpr index_t first_of_dense(index_t k) const noexcept {
        return first_at_or_past(begin_.chunk + (stride() > 0 ? k : -k));
    }
    /// The ordinal of the first index that lies in `chunk` or past it, in the direction of the slice.
    /// **Expects** lowest_chunk() <= chunk <= highest_chunk().
    [[nodiscard]] constexpr index_t first_at_or_past(index_t chunk) const noexcept {
        index_t const chunk_begin = chunk * chunk_length_;
        index_t const ahead =
            stride() > 0 ? chunk_begin - slice_.first() : slice_.first() - chunk_begin - (chunk_length_ - 1);
        if (ahead <= 0) return 0;
        return static_cast<index_t>(ceil_divide(static_cast<std::uint64_t>(ahead), magnitude(stride())));
    }

    slice slice_;
    index_t extent_;
    index_t chunk_length_;
    index_t size_ = 0;
    cursor begin_;
    index_t lowest_chunk_ = 0;
    index_t highest_chunk_ = 0;
    index_t highest_valid_ = 0;
    // The two outcomes of a step: a position carries when (position ^ flip_) + threshold_ is negative.
    index_t flip_ = 0;
    index_t threshold_ = 0;
    index_t position_step_ = 0;
    index_t position_carry_ = 0;
    index_t count_ = 0;
    index_t count_carry_ = 0;
    index_t chunk_step_ = 0;
    index_t chunk_carry_ = 0;
    bool is_sparse_ = false;
};

}  // namespace slabwise
