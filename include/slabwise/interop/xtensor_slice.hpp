// Opt-in: what xt::view(array, slices...) selects, as a hyperslab or a plan.
#pragma once

#if __has_include(<xtensor/views/xslice.hpp>)
#include <xtensor/views/xslice.hpp>
#else
#include <xtensor/xslice.hpp>
#endif

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include <slabwise/plan/plan.hpp>

namespace slabwise {

namespace detail {

template <class T>
inline constexpr bool is_xtensor_range = false;
template <class A, class B, class C>
inline constexpr bool is_xtensor_range<xt::xrange_adaptor<A, B, C>> = true;

/// A bound of a range, absent where it is the placeholder _.
template <class Bound>
std::optional<index_t> bound_of(Bound bound) {
    if constexpr (std::integral<Bound>) {
        return static_cast<index_t>(bound);
    } else {
        return std::nullopt;
    }
}

}  // namespace detail

/// A slice of xtensor that keeps its axis: xt::range(...), with placeholders _ or without, or xt::all().
template <class Slice>
concept XtensorRange = std::same_as<Slice, xt::xall_tag> || detail::is_xtensor_range<Slice>;

/// What selects on one axis in xt::view: an XtensorRange, or an integer, which drops the axis.
template <class Slice>
concept XtensorSlice = XtensorRange<Slice> || std::integral<Slice>;

/// The indices that xt::view takes: bounds below 0 count from the end, bounds outside clamp. Where xtensor's own count
/// would be negative, such as for xt::range(7, 3, 2), there are none.
/// **Throws** selection_error for step 0 and for a negative extent.
template <XtensorRange Range>
[[nodiscard]] slice to_slice(Range const& range, index_t extent) {
    if constexpr (std::same_as<Range, xt::xall_tag>) {
        return slice::all(extent);
    } else {
        return slice::python(detail::bound_of(range.start()), detail::bound_of(range.stop()),
                             detail::bound_of(range.step()), extent);
    }
}

/// The hyperslab that xt::view(array, ranges...) selects in an array of the given shape; axes without a range are taken
/// whole. An integer drops its axis, which a hyperslab cannot: see make_view_plan. **Throws** as to_slice.
template <std::size_t R, XtensorRange... Ranges>
    requires(sizeof...(Ranges) <= R)
[[nodiscard]] hyperslab<R> to_hyperslab(shape<R> const& extents, Ranges const&... ranges) {
    std::array<slice, R> slices{};
    std::size_t axis = 0;
    ((slices[axis] = to_slice(ranges, extents[axis]), ++axis), ...);
    for (; axis < R; ++axis) slices[axis] = slice::all(extents[axis]);
    return slices;
}

namespace detail {

/// An xtensor slice as a selector of make_plan; an index below 0 counts from the end.
template <XtensorSlice Slice>
auto selector_of(Slice const& given, index_t extent) {
    if constexpr (XtensorRange<Slice>) {
        return to_slice(given, extent);
    } else if constexpr (std::signed_integral<Slice>) {
        auto const index = static_cast<index_t>(given);
        return index < 0 && index >= -extent ? index + extent : index;
    } else {
        return given;
    }
}

template <std::size_t R, class Slices, std::size_t... D>
auto view_plan(chunk_grid<R> const& grid, Slices const& slices, std::index_sequence<D...>) {
    auto const selector = [&]<std::size_t Axis>(std::integral_constant<std::size_t, Axis>) {
        index_t const extent = grid.shape()[Axis];
        if constexpr (Axis < std::tuple_size_v<Slices>) {
            return selector_of(std::get<Axis>(slices), extent);
        } else {
            return slice::all(extent);
        }
    };
    return make_plan(grid, selector(std::integral_constant<std::size_t, D>{})...);
}

}  // namespace detail

/// The plan of what xt::view(array, slices...) selects in an array on the given grid: a read of it equals the view.
/// Axes without a slice are taken whole. **Throws** selection_error for step 0 and for an integer outside its axis (which
/// xt::view does not check), otherwise as make_plan.
template <std::size_t R, XtensorSlice... Slices>
    requires(R > 0 && sizeof...(Slices) <= R)
[[nodiscard]] auto make_view_plan(chunk_grid<R> const& grid, Slices const&... slices) {
    return detail::view_plan(grid, std::tuple<Slices...>(slices...), std::make_index_sequence<R>{});
}

}  // namespace slabwise
