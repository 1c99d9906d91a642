// How a container becomes the destination of a read: the one customisation point for containers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <slabwise/copy/strided_view.hpp>

namespace slabwise {

/// Specialise for a container C of elements T with two static members:
///
/// | expression       | result               | meaning                                                    |
/// |------------------|----------------------|------------------------------------------------------------|
/// | `make(shape)`    | `C`                  | a container with room for `shape`, its values unspecified  |
/// | `view(c, shape)` | `strided_view<T, R>` | its elements; throws selection_error if c has another shape |
template <class Container>
struct output_traits;

/// A type that can be the destination of a read of rank R.
template <class Container, std::size_t R>
concept OutputContainer = requires(Container& container, shape<R> const& extents) {
    output_traits<std::remove_cv_t<Container>>::view(container, extents);
};

/// A type that can be the result of a read of rank R.
template <class Container, std::size_t R>
concept ResultContainer = OutputContainer<Container, R> && requires(shape<R> const& extents) {
    { output_traits<Container>::make(extents) } -> std::same_as<Container>;
};

namespace detail {

[[noreturn]] inline void throw_destination_extent(std::size_t axis, index_t extent, index_t wanted) {
    throw selection_error(error_text("read: axis ")
                              .append(std::uint64_t{axis})
                              .append(" of the destination has extent ")
                              .append(extent)
                              .append(", but the selection has ")
                              .append(wanted),
                          axis, extent, wanted);
}

}  // namespace detail

/// A span takes the elements in C order.
template <class T, std::size_t N>
struct output_traits<std::span<T, N>> {
    template <std::size_t R>
    static strided_view<T, R> view(std::span<T, N> elements, shape<R> const& extents) {
        return {std::span<T>(elements), extents};
    }
};

/// A vector takes the elements in C order. One of bool does not: it has bits, not elements.
template <class T, class Allocator>
    requires(!std::is_same_v<T, bool>)
struct output_traits<std::vector<T, Allocator>> {
    template <std::size_t R>
    static std::vector<T, Allocator> make(shape<R> const& extents) {
        return std::vector<T, Allocator>(static_cast<std::size_t>(extents.element_count()));
    }
    template <std::size_t R>
    static strided_view<T, R> view(std::vector<T, Allocator>& elements, shape<R> const& extents) {
        return {std::span<T>(elements), extents};
    }
};

/// A strided_view is its own destination.
template <class T, std::size_t Rank>
struct output_traits<strided_view<T, Rank>> {
    template <std::size_t R>
    static strided_view<T, R> view(strided_view<T, R> const& elements, shape<R> const& extents) {
        for (std::size_t axis = 0; axis < R; ++axis) {
            index_t const extent = elements.shape()[axis];
            if (extent != extents[axis]) detail::throw_destination_extent(axis, extent, extents[axis]);
        }
        return elements;
    }
};

}  // namespace slabwise
