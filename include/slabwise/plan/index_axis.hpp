// One axis, one index: the axis is fixed and does not occur in the selection's array.
#pragma once

#include <cassert>
#include <cstddef>

#include <slabwise/plan/slice_axis.hpp>

namespace slabwise {

/// The axis plan of a single index that drops its axis. **Cost** everything is O(1); no allocation.
class index_axis {
public:
    using cursor = piece;

    static constexpr bool drops_axis = true;
    static constexpr bool is_affine = true;
    static constexpr bool is_monotone = true;
    static constexpr bool is_regular = true;

    /// **Expects** extent >= 0, chunk_length >= 1. **Throws** selection_error when the index lies outside the extent.
    constexpr index_axis(index_t index, index_t extent, index_t chunk_length, std::size_t axis)
        : extent_(extent), chunk_length_(chunk_length) {
        if (index < 0 || index >= extent) detail::throw_index_outside(axis, index, extent);
        piece_.chunk = index / chunk_length;
        piece_.first_in_chunk = index % chunk_length;
        piece_.count = 1;
        piece_.valid = detail::valid_length(piece_.chunk, extent, chunk_length);
    }

    [[nodiscard]] constexpr index_t size() const noexcept { return 1; }
    [[nodiscard]] constexpr index_t count() const noexcept { return 1; }
    [[nodiscard]] constexpr index_t extent() const noexcept { return extent_; }
    [[nodiscard]] constexpr index_t chunk_length() const noexcept { return chunk_length_; }
    /// The length at which the chunk of a piece is stored. **Units** elements.
    [[nodiscard]] constexpr index_t stored_length(piece const&) const noexcept { return chunk_length_; }
    [[nodiscard]] constexpr index_t stride() const noexcept { return 1; }

    [[nodiscard]] constexpr cursor begin() const noexcept { return piece_; }
    [[nodiscard]] constexpr cursor operator[](index_t k) const noexcept {
        assert(k == 0);
        (void)k;
        return piece_;
    }
    constexpr void advance(cursor&) const noexcept {}  // never called: the only piece is the last
    [[nodiscard]] constexpr bool is_last(cursor const&) const noexcept { return true; }
    [[nodiscard]] constexpr index_t piece_of(index_t) const noexcept { return 0; }
    [[nodiscard]] constexpr index_t find(index_t chunk) const noexcept { return chunk == piece_.chunk ? 0 : 1; }
    [[nodiscard]] constexpr index_t find_index(index_t index) const noexcept {
        return index == piece_.chunk * chunk_length_ + piece_.first_in_chunk ? 0 : 1;
    }
    [[nodiscard]] constexpr index_t lowest_chunk() const noexcept { return piece_.chunk; }
    [[nodiscard]] constexpr index_t highest_chunk() const noexcept { return piece_.chunk; }
    [[nodiscard]] constexpr index_t full_pieces() const noexcept { return chunk_length_ == 1 ? 1 : 0; }
    [[nodiscard]] constexpr index_t runs() const noexcept { return 1; }

    /// The index in its chunk, as an axis plan of its own: of the chunk, cut into chunks of `chunk_length`.
    [[nodiscard]] constexpr index_axis within(piece const& at, index_t extent, index_t chunk_length,
                                              std::size_t axis) const {
        return {at.first_in_chunk, extent, chunk_length, axis};
    }

    friend constexpr bool operator==(index_axis const&, index_axis const&) noexcept = default;

private:
    index_t extent_;
    index_t chunk_length_;
    piece piece_;
};

}  // namespace slabwise
