// All extents of an array, and indices into it.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>

#include <slabwise/error.hpp>
#include <slabwise/index/arithmetic.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_bad_extent(std::size_t axis, index_t extent) {
    throw selection_error(error_text("shape: axis ")
                              .append(std::uint64_t{axis})
                              .append(" has extent ")
                              .append(extent)
                              .append(", below 0"),
                          axis, extent, 0);
}
[[noreturn]] inline void throw_extent_too_large(std::size_t axis, std::uint64_t extent) {
    throw selection_error(error_text("shape: axis ")
                              .append(std::uint64_t{axis})
                              .append(" has extent ")
                              .append(extent)
                              .append(", above 2^63 - 1"),
                          axis, max_index, max_index);
}
[[noreturn]] inline void throw_too_many_elements() {
    throw selection_error("shape: the number of elements exceeds 2^63 - 1", selection_error::no_axis, max_index,
                          max_index);
}

/// Any integer as an extent of `axis`; unsigned ones are checked here, at the edge.
template <std::integral T>
constexpr index_t extent_from(T extent, std::size_t axis) {
    if constexpr (std::signed_integral<T>) {
        if (extent < 0) throw_bad_extent(axis, static_cast<index_t>(extent));
    } else {
        if (extent > static_cast<std::uint64_t>(max_index)) throw_extent_too_large(axis, extent);
    }
    return static_cast<index_t>(extent);
}

}  // namespace detail

/// An index of an array of rank R, or the place of a chunk in its grid (then a *chunk coord*).
template <std::size_t R>
using coord_t = std::array<index_t, R>;

/// The R extents of an array or of a chunk. **Units** elements. **Ensures** every extent is 0 or more.
template <std::size_t R>
class shape {
public:
    static constexpr std::size_t rank = R;

    /// All extents 0; for rank 0 the shape of a scalar.
    constexpr shape() noexcept = default;

    /// **Throws** selection_error for a negative extent and for an unsigned one above 2^63 - 1.
    template <std::integral... Extents>
        requires(sizeof...(Extents) == R && R > 0)
    constexpr shape(Extents... extents) {
        std::size_t axis = 0;
        ((extents_[axis] = detail::extent_from(extents, axis), ++axis), ...);
    }

    /// **Throws** as above.
    template <std::integral Extent>
    constexpr shape(std::array<Extent, R> const& extents) {
        for (std::size_t axis = 0; axis < R; ++axis) extents_[axis] = detail::extent_from(extents[axis], axis);
    }

    [[nodiscard]] constexpr index_t operator[](std::size_t axis) const noexcept { return extents_[axis]; }
    [[nodiscard]] constexpr index_t const* begin() const noexcept { return extents_.data(); }
    [[nodiscard]] constexpr index_t const* end() const noexcept { return extents_.data() + R; }
    [[nodiscard]] static constexpr std::size_t size() noexcept { return R; }
    [[nodiscard]] constexpr std::array<index_t, R> const& extents() const noexcept { return extents_; }

    /// The product of the extents, 1 for rank 0. **Throws** selection_error when it exceeds 2^63 - 1.
    [[nodiscard]] constexpr index_t element_count() const {
        index_t product = 1;
        bool fits = true;
        for (index_t extent : extents_) {
            if (extent == 0) return 0;
            fits = fits && multiply_into(product, extent);
        }
        if (!fits) detail::throw_too_many_elements();
        return product;
    }

    friend constexpr bool operator==(shape const&, shape const&) noexcept = default;

private:
    std::array<index_t, R> extents_{};
};

template <std::integral... Extents>
shape(Extents...) -> shape<sizeof...(Extents)>;
template <std::integral Extent, std::size_t R>
shape(std::array<Extent, R>) -> shape<R>;

}  // namespace slabwise
