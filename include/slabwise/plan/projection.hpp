// What one chunk contributes to a selection: the product of one piece an axis.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <slabwise/index/hyperslab.hpp>
#include <slabwise/plan/piece.hpp>

namespace slabwise {

/// One chunk of a plan: which one, what to take from it and where to put it. A value without any tie to its plan.
/// `Dropped` has bit d set when axis d does not occur in the selection's array; `IsAffine` is false when some axis lists
/// its indices one by one.
/// **Shape** rank R in the chunk, array_rank in the array. **Cost** every member is O(R); no allocation.
template <std::size_t R, std::uint64_t Dropped = 0, bool IsAffine = true>
class projection {
public:
    static constexpr std::size_t rank = R;
    /// The rank of the selection's own array.
    static constexpr std::size_t array_rank = [] {
        std::size_t kept = 0;
        for (std::size_t axis = 0; axis < R; ++axis) kept += (Dropped >> axis & 1) == 0 ? 1U : 0U;
        return kept;
    }();

    /// Which axis of the chunk each axis of the selection's array is.
    static constexpr std::array<std::size_t, array_rank> axis_of_array = [] {
        std::array<std::size_t, array_rank> axes{};
        std::size_t kept = 0;
        for (std::size_t axis = 0; axis < R; ++axis) {
            if ((Dropped >> axis & 1) == 0) axes[kept++] = axis;
        }
        return axes;
    }();

    /// One piece, one stride and one chunk length an axis, as a plan makes them.
    constexpr projection(std::array<slabwise::piece, R> const& pieces, std::array<index_t, R> const& strides,
                         std::array<index_t, R> const& chunk_lengths) noexcept
        : pieces_(pieces), strides_(strides), chunk_lengths_(chunk_lengths) {}

    /// Which chunk. **Units** chunks.
    [[nodiscard]] constexpr coord_t<R> coord() const noexcept {
        return coord_from(std::make_index_sequence<R>{});
    }

    /// What to take: the selected elements, counted from the start of the chunk.
    [[nodiscard]] constexpr hyperslab<R> in_chunk() const noexcept
        requires IsAffine
    {
        return hyperslab<R>::generate([this](std::size_t axis) {
            return slice::unchecked(pieces_[axis].first_in_chunk, pieces_[axis].count, strides_[axis]);
        });
    }

    /// Where to put it: the box of the selection's own array that these elements are.
    [[nodiscard]] constexpr hyperslab<array_rank> in_array() const noexcept
        requires IsAffine
    {
        return hyperslab<array_rank>::generate([this](std::size_t kept) {
            slabwise::piece const& part = pieces_[axis_of_array[kept]];
            return slice::unchecked(part.first_in_array, part.count, 1);
        });
    }

    /// True when every element of the chunk that lies inside the array is selected, in whatever direction: a write need
    /// not read the chunk first, a cache need not keep it.
    [[nodiscard]] constexpr bool covers_chunk() const noexcept
        requires IsAffine
    {
        return covers_axes(std::make_index_sequence<R>{});
    }

    /// True when the stored chunk, taken as it lies, is the piece: it is covered, every stride is +1, and the end of the
    /// array clips no axis.
    [[nodiscard]] constexpr bool copies_chunk_in_order() const noexcept
        requires IsAffine
    {
        return copies_axes(std::make_index_sequence<R>{});
    }

    /// The number of elements selected.
    [[nodiscard]] constexpr index_t element_count() const noexcept {
        return product_of_counts(std::make_index_sequence<R>{});
    }

    /// The piece of axis D.
    template <std::size_t D>
    [[nodiscard]] constexpr slabwise::piece const& piece() const noexcept {
        static_assert(D < R, "slabwise: a projection has no such axis");
        return pieces_[D];
    }
    /// All pieces.
    [[nodiscard]] constexpr std::array<slabwise::piece, R> const& pieces() const noexcept { return pieces_; }
    /// The stride of each axis in the chunk. **Units** elements.
    [[nodiscard]] constexpr std::array<index_t, R> const& strides() const noexcept { return strides_; }
    /// The lengths of the stored chunk. **Units** elements.
    [[nodiscard]] constexpr std::array<index_t, R> const& chunk_lengths() const noexcept { return chunk_lengths_; }

    friend constexpr bool operator==(projection const&, projection const&) noexcept = default;

private:
    // Folds, since GCC 12 at -O2 leaves loops over the axes as they are and then keeps the whole projection in memory.
    template <std::size_t... D>
    [[nodiscard]] constexpr coord_t<R> coord_from(std::index_sequence<D...>) const noexcept {
        return {pieces_[D].chunk...};
    }
    template <std::size_t... D>
    [[nodiscard]] constexpr bool covers_axes(std::index_sequence<D...>) const noexcept {
        return (true && ... && (pieces_[D].count == pieces_[D].valid));
    }
    template <std::size_t... D>
    [[nodiscard]] constexpr bool copies_axes(std::index_sequence<D...>) const noexcept {
        return (true && ... && (pieces_[D].count == chunk_lengths_[D] && (strides_[D] == 1 || pieces_[D].count == 1)));
    }
    template <std::size_t... D>
    [[nodiscard]] constexpr index_t product_of_counts(std::index_sequence<D...>) const noexcept {
        return (index_t{1} * ... * pieces_[D].count);
    }

    std::array<slabwise::piece, R> pieces_;
    std::array<index_t, R> strides_;
    std::array<index_t, R> chunk_lengths_;
};

}  // namespace slabwise
