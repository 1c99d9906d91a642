// R slices, one an axis: a regular sub-box of an array.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <utility>

#include <slabwise/index/shape.hpp>
#include <slabwise/index/slice.hpp>

namespace slabwise {

/// The product of R slices. **Shape** rank R; the array that it selects has shape().
template <std::size_t R>
class hyperslab {
public:
    static constexpr std::size_t rank = R;

    /// R empty slices; for rank 0 the one element of a scalar.
    constexpr hyperslab() noexcept = default;

    /// One slice an axis.
    template <std::same_as<slice>... Slices>
        requires(sizeof...(Slices) == R && R > 0)
    constexpr hyperslab(Slices... slices) noexcept : slices_{slices...} {}

    constexpr hyperslab(std::array<slice, R> const& slices) noexcept : slices_(slices) {}

    /// The slices slice_of(0), ..., slice_of(R - 1), each made in its place.
    template <class SliceOf>
    static constexpr hyperslab generate(SliceOf slice_of) {
        return hyperslab(slice_of, std::make_index_sequence<R>{});
    }

    /// The whole of an array.
    static constexpr hyperslab all(slabwise::shape<R> const& extents) noexcept {
        return generate([&](std::size_t axis) { return slice::all(extents[axis]); });
    }

    [[nodiscard]] constexpr slice const& operator[](std::size_t axis) const noexcept { return slices_[axis]; }
    [[nodiscard]] constexpr slice const* begin() const noexcept { return slices_.data(); }
    [[nodiscard]] constexpr slice const* end() const noexcept { return slices_.data() + R; }
    [[nodiscard]] static constexpr std::size_t size() noexcept { return R; }
    [[nodiscard]] constexpr std::array<slice, R> const& slices() const noexcept { return slices_; }

    /// The counts of the slices. **Units** elements.
    [[nodiscard]] constexpr slabwise::shape<R> shape() const noexcept {
        std::array<index_t, R> counts{};
        for (std::size_t axis = 0; axis < R; ++axis) counts[axis] = slices_[axis].count();
        return counts;
    }
    /// The number of elements selected. **Throws** selection_error when it exceeds 2^63 - 1.
    [[nodiscard]] constexpr index_t element_count() const { return shape().element_count(); }

    friend constexpr bool operator==(hyperslab const&, hyperslab const&) noexcept = default;

private:
    template <class SliceOf, std::size_t... D>
    constexpr hyperslab(SliceOf& slice_of, std::index_sequence<D...>) : slices_{slice_of(D)...} {}

    std::array<slice, R> slices_{};
};

template <std::same_as<slice>... Slices>
hyperslab(Slices...) -> hyperslab<sizeof...(Slices)>;
template <std::size_t R>
hyperslab(std::array<slice, R>) -> hyperslab<R>;

}  // namespace slabwise
