// Opt-in: arrays of xtensor as destinations and results of reads, and as sources. xtensor itself need not be included:
// an array is known by its members.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include <slabwise/copy/strided_view.hpp>
#include <slabwise/source/memory_source.hpp>
#include <slabwise/transfer/output_traits.hpp>

namespace slabwise {

/// A container of xtensor, or a view of one whose elements lie at fixed distances in memory: xt::xtensor, xt::xarray,
/// xt::adapt, xt::strided_view, and xt::view unless it keeps or drops listed indices.
template <class Array>
concept XtensorArray = requires(Array& array) {
    typename Array::value_type;
    { *array.data() } -> std::convertible_to<typename Array::value_type const&>;
    { array.dimension() } -> std::convertible_to<std::size_t>;
    { array.shape()[0] } -> std::convertible_to<std::size_t>;
    { array.strides()[0] } -> std::convertible_to<std::ptrdiff_t>;
    { array.data_offset() } -> std::convertible_to<std::size_t>;
};

namespace detail {

/// False where the type says that the array has another rank than R.
template <class Array, std::size_t R>
inline constexpr bool may_have_rank = true;
template <class Array, std::size_t R>
    requires requires { std::tuple_size<std::remove_cvref_t<decltype(std::declval<Array&>().shape())>>::value; }
inline constexpr bool may_have_rank<Array, R> =
    std::tuple_size<std::remove_cvref_t<decltype(std::declval<Array&>().shape())>>::value == R;

[[noreturn]] inline void throw_array_rank(std::size_t rank, std::size_t wanted) {
    throw selection_error(error_text("xtensor: the array has rank ")
                              .append(std::uint64_t{rank})
                              .append(", but rank ")
                              .append(std::uint64_t{wanted})
                              .append(" is wanted"),
                          selection_error::no_axis, static_cast<index_t>(rank), static_cast<index_t>(wanted));
}

/// The elements of an array, const where it is.
template <std::size_t R, class Array>
auto elements_of(Array& array) {
    using element = std::remove_pointer_t<decltype(array.data())>;
    if (array.dimension() != R) throw_array_rank(array.dimension(), R);
    std::array<std::size_t, R> extents{};
    std::array<index_t, R> byte_strides{};
    for (std::size_t axis = 0; axis < R; ++axis) {
        extents[axis] = array.shape()[axis];
        byte_strides[axis] = static_cast<index_t>(array.strides()[axis]) * index_t{sizeof(element)};
    }
    return strided_view<element, R>(array.data() + static_cast<std::ptrdiff_t>(array.data_offset()), extents,
                                    byte_strides);
}

}  // namespace detail

/// An array of xtensor takes a read of its own shape, in whatever layout it has. A result is made without first setting
/// its elements.
template <XtensorArray Array>
struct output_traits<Array> {
    template <std::size_t R>
        requires(detail::may_have_rank<Array, R>)
    static Array make(shape<R> const& extents)
        requires requires(std::array<std::size_t, R> counts) { Array::from_shape(counts); }
    {
        std::array<std::size_t, R> counts{};
        for (std::size_t axis = 0; axis < R; ++axis) counts[axis] = static_cast<std::size_t>(extents[axis]);
        return Array::from_shape(counts);
    }

    /// **Throws** selection_error when the array has another rank or shape.
    template <std::size_t R>
        requires(detail::may_have_rank<Array, R>)
    static auto view(Array& array, shape<R> const& extents) {
        auto const elements = detail::elements_of<R>(array);
        return output_traits<std::remove_const_t<decltype(elements)>>::view(elements, extents);
    }
};

/// An array of xtensor, cut into chunks of any shape, as a source. It refers to the array, which must outlive it and
/// stay as it is while it is read. **Throws** selection_error for an array of another rank than R, and as memory_source.
template <XtensorArray Array, std::size_t R>
    requires(detail::may_have_rank<Array const, R>)
[[nodiscard]] auto xtensor_source(Array const& array, shape<R> const& chunk_shape) {
    return memory_source(detail::elements_of<R>(array), chunk_shape);
}

}  // namespace slabwise
