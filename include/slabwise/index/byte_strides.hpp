// Where the elements of an array lie in memory: byte strides, and the bytes that they reach.
#pragma once

#include <array>
#include <cstddef>

#include <slabwise/error.hpp>
#include <slabwise/index/shape.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_too_many_bytes(std::size_t element_size) {
    throw selection_error(error_text("shape: with elements of ")
                              .append(std::uint64_t{element_size})
                              .append(" bytes the array exceeds 2^63 - 1 bytes"),
                          selection_error::no_axis, static_cast<index_t>(element_size), max_index);
}

}  // namespace detail

/// The byte strides of a contiguous array in C order, whose last axis lies fastest; all 0 when it has no elements.
/// **Units** bytes. **Throws** selection_error when the array exceeds 2^63 - 1 bytes. **Cost** R multiplications.
template <std::size_t R>
constexpr std::array<index_t, R> c_order_byte_strides(shape<R> const& extents, std::size_t element_size) {
    std::array<index_t, R> byte_strides{};
    bool fits = element_size <= static_cast<std::size_t>(max_index);
    auto byte_stride = static_cast<index_t>(element_size);
    for (std::size_t axis = R; axis-- > 0;) {
        if (extents[axis] == 0) return {};
        byte_strides[axis] = byte_stride;
        // A later extent may be 0, so an overflow is no error yet.
        fits = fits && multiply_into(byte_stride, extents[axis]);
    }
    if (!fits) detail::throw_too_many_bytes(element_size);
    return byte_strides;
}

/// The lowest and the highest offset at which an element of an array begins, seen from its first element.
/// **Units** bytes. **Ensures** lowest <= 0 <= highest.
struct byte_hull {
    index_t lowest = 0;
    index_t highest = 0;

    /// Adds an axis. **Expects** count > 0. **Ensures** returns true exactly when both offsets fit an index_t.
    constexpr bool add_axis(index_t count, index_t byte_stride) noexcept {
        index_t reach = count - 1;
        return multiply_into(reach, byte_stride) && add_into(reach < 0 ? lowest : highest, reach);
    }
};

}  // namespace slabwise
