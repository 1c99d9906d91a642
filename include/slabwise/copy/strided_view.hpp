// A view of an array in memory: where its first element lies, how many there are along each axis, and how many bytes
// apart.
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>

#include <slabwise/error.hpp>
#include <slabwise/index/byte_strides.hpp>
#include <slabwise/index/hyperslab.hpp>
#include <slabwise/index/shape.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_span_size(std::size_t span_elements, index_t shape_elements) {
    throw selection_error(error_text("strided_view: the span has ")
                              .append(std::uint64_t{span_elements})
                              .append(" elements, but the shape has ")
                              .append(shape_elements),
                          selection_error::no_axis, static_cast<index_t>(span_elements), shape_elements);
}
[[noreturn]] inline void throw_reach_overflows() {
    throw selection_error("strided_view: the byte strides reach further than 2^63 - 1 bytes");
}
[[noreturn]] inline void throw_outside_span(index_t first_byte, index_t end_byte, index_t span_bytes) {
    throw selection_error(error_text("strided_view: the elements lie in the bytes ")
                              .append(first_byte)
                              .append(" to ")
                              .append(end_byte)
                              .append(", but the span has the bytes 0 to ")
                              .append(span_bytes),
                          selection_error::no_axis, first_byte < 0 ? first_byte : end_byte,
                          first_byte < 0 ? 0 : span_bytes);
}

}  // namespace detail

/// A view of R axes that owns nothing; T is const for a view to read from. Byte strides may be negative, and 0 where
/// the view is only read. **Shape** shape(). **Units** strides are in bytes and need not be multiples of sizeof(T).
template <class T, std::size_t R>
class strided_view {
    static_assert(std::is_trivially_copyable_v<T>,
                  "slabwise: the elements of a strided_view are copied as bytes, so their type is trivially copyable");

public:
    using element_type = T;
    static constexpr std::size_t rank = R;

    /// `data` is the element of index 0 on all axes, which need not be the lowest in memory.
    constexpr strided_view(T* data, slabwise::shape<R> const& shape,
                           std::array<index_t, R> const& byte_strides) noexcept
        : data_(data), shape_(shape), byte_strides_(byte_strides) {}

    /// A contiguous array in C order. **Throws** selection_error when it exceeds 2^63 - 1 bytes.
    constexpr strided_view(T* data, slabwise::shape<R> const& shape)
        : strided_view(data, shape, c_order_byte_strides(shape, sizeof(T))) {}

    /// A contiguous array in C order that takes the whole span. **Throws** selection_error when their numbers of
    /// elements differ.
    constexpr strided_view(std::span<T> elements, slabwise::shape<R> const& shape)
        : strided_view(elements.data(), shape, c_order_byte_strides(shape, sizeof(T))) {
        index_t const count = shape.element_count();
        if (elements.size() != static_cast<std::size_t>(count)) detail::throw_span_size(elements.size(), count);
    }

    /// An array within a span, whose first element lies first_byte bytes from the start of the span. **Throws**
    /// selection_error when any element reaches outside it. **Cost** O(R).
    constexpr strided_view(std::span<T> elements, slabwise::shape<R> const& shape,
                           std::array<index_t, R> const& byte_strides, index_t first_byte = 0)
        : data_(elements.data()), shape_(shape), byte_strides_(byte_strides) {
        byte_hull hull;
        bool fits = true;
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (shape[axis] == 0) return;
            fits = fits && hull.add_axis(shape[axis], byte_strides[axis]);
        }
        fits = fits && add_into(hull.lowest, first_byte) && add_into(hull.highest, first_byte) &&
               add_into(hull.highest, index_t{sizeof(T)});
        if (!fits) detail::throw_reach_overflows();
        auto const span_bytes = static_cast<index_t>(elements.size_bytes());
        if (hull.lowest < 0 || hull.highest > span_bytes) {
            detail::throw_outside_span(hull.lowest, hull.highest, span_bytes);
        }
        data_ = at_byte(first_byte);
    }

    /// A view to read from.
    constexpr operator strided_view<T const, R>() const noexcept requires(!std::is_const_v<T>) {
        return {data_, shape_, byte_strides_};
    }

    /// The element of index 0 on all axes, if there is one.
    [[nodiscard]] constexpr T* data() const noexcept { return data_; }
    [[nodiscard]] constexpr slabwise::shape<R> const& shape() const noexcept { return shape_; }
    [[nodiscard]] constexpr std::array<index_t, R> const& byte_strides() const noexcept { return byte_strides_; }

    /// One element. **Expects** an index inside the shape; at run time an element that is aligned as T asks, in a
    /// constant expression byte strides that are multiples of sizeof(T).
    [[nodiscard]] constexpr T& operator()(coord_t<R> const& index) const noexcept {
        index_t byte = 0;
        for (std::size_t axis = 0; axis < R; ++axis) {
            assert(index[axis] >= 0 && index[axis] < shape_[axis]);
            byte += index[axis] * byte_strides_[axis];
        }
        return *at_byte(byte);
    }
    template <std::integral... Indices>
        requires(sizeof...(Indices) == R)
    [[nodiscard]] constexpr T& operator()(Indices... indices) const noexcept {
        return (*this)(coord_t<R>{static_cast<index_t>(indices)...});
    }

    /// The elements that a hyperslab selects, in its order. **Expects** every listed index inside the shape.
    /// **Cost** O(R).
    [[nodiscard]] constexpr strided_view subview(hyperslab<R> const& slab) const noexcept {
        auto const counts = slab.shape();
        std::array<index_t, R> byte_strides{};
        index_t byte = 0;
        for (std::size_t axis = 0; axis < R; ++axis) {
            slice const& selected = slab[axis];
            if (selected.empty()) return {data_, counts, byte_strides_};
            assert(selected.first() >= 0 && selected.first() < shape_[axis]);
            assert(selected.last() >= 0 && selected.last() < shape_[axis]);
            byte += selected.first() * byte_strides_[axis];
            byte_strides[axis] = selected.stride() * byte_strides_[axis];
        }
        return {at_byte(byte), counts, byte_strides};
    }

private:
    [[nodiscard]] constexpr T* at_byte(index_t byte) const noexcept {
        if (std::is_constant_evaluated()) return data_ + byte / index_t{sizeof(T)};
        using byte_type = std::conditional_t<std::is_const_v<T>, std::byte const, std::byte>;
        return reinterpret_cast<T*>(reinterpret_cast<byte_type*>(data_) + byte);
    }

    T* data_;
    slabwise::shape<R> shape_;
    std::array<index_t, R> byte_strides_;
};

template <class T, std::size_t N, std::size_t R>
strided_view(std::span<T, N>, shape<R>) -> strided_view<T, R>;
template <class T, std::size_t N, std::size_t R>
strided_view(std::span<T, N>, shape<R>, std::array<index_t, R>) -> strided_view<T, R>;
template <class T, std::size_t N, std::size_t R>
strided_view(std::span<T, N>, shape<R>, std::array<index_t, R>, index_t) -> strided_view<T, R>;

}  // namespace slabwise
