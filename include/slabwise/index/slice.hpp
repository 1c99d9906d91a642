// A slice: count indices that start at first and lie stride apart.
#pragma once

#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <slabwise/error.hpp>
#include <slabwise/index/arithmetic.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_stride_zero() {
    throw selection_error("slice: stride is 0; a stride is at least 1 or at most -1", selection_error::no_axis, 0, 1);
}
[[noreturn]] inline void throw_slice_too_long(index_t first, index_t stop) {
    throw selection_error(
        error_text("slice: ").append(first).append(":").append(stop).append(" lists more than 2^63 - 1 indices"),
        selection_error::no_axis, max_index, max_index);
}
[[noreturn]] inline void throw_negative_count(index_t count) {
    throw selection_error(error_text("slice: count ").append(count).append(" is below 0"), selection_error::no_axis,
                          count, 0);
}
[[noreturn]] inline void throw_slice_overflow(index_t first, index_t count, index_t stride) {
    throw selection_error(error_text("slice: ")
                              .append(count)
                              .append(" indices from ")
                              .append(first)
                              .append(" by ")
                              .append(stride)
                              .append(" leave the range of 64-bit indices"),
                          selection_error::no_axis, first, stride > 0 ? max_index : -max_index - 1);
}
[[noreturn]] inline void throw_negative_extent(index_t extent) {
    throw selection_error(error_text("extent ").append(extent).append(" is below 0"), selection_error::no_axis, extent,
                          0);
}

}  // namespace detail

/// The indices first, first + stride, ..., count of them. Written first:stop:stride, half-open; the stride may be
/// negative, never 0.
/// **Ensures** S1 canonical: no index is {0, 0, 1}, a single one has stride 1, so slices are equal exactly when they
/// list equal indices in equal order. S2 last() and stop() fit an index_t.
class slice {
public:
    /// No index.
    constexpr slice() noexcept = default;

    /// first:stop:stride taken literally: nothing wraps, nothing clamps; -1 as the stop of a negative stride means
    /// "through 0". A stop on the wrong side of first lists nothing. **Throws** selection_error for stride 0, for
    /// more than 2^63 - 1 indices, and for 2^63 - 1 as the only index, which has no stop. **Cost** one division.
    constexpr slice(index_t first, index_t stop, index_t stride = 1)
        : slice(canonical{}, first, count_between(first, stop, stride), stride) {}

    /// count indices from first on. **Throws** selection_error for stride 0, for a negative count and for indices
    /// outside 64 bits. **Cost** O(1).
    static constexpr slice counted(index_t first, index_t count, index_t stride = 1) {
        if (stride == 0) detail::throw_stride_zero();
        if (count < 0) detail::throw_negative_count(count);
        if (count > 0 && !reaches(first, count, stride)) detail::throw_slice_overflow(first, count, stride);
        return slice(canonical{}, first, count, stride);
    }

    /// Python's first:stop:step on an axis of the given extent: negative bounds count from the end, bounds outside
    /// clamp, absent ones reach to the end. **Throws** selection_error for step 0 and for a negative extent.
    /// **Source** Python language reference, 6.3.2 "Slicings" with slice.indices.
    static constexpr slice python(std::optional<index_t> first, std::optional<index_t> stop,
                                  std::optional<index_t> step, index_t extent) {
        if (extent < 0) detail::throw_negative_extent(extent);
        index_t const stride = step.value_or(1);
        if (stride == 0) detail::throw_stride_zero();
        index_t const lowest = stride < 0 ? -1 : 0;
        index_t const highest = stride < 0 ? extent - 1 : extent;
        auto const bound = [=](std::optional<index_t> given, index_t absent) {
            if (!given) return absent;
            index_t const wrapped = *given < 0 ? *given + extent : *given;
            return wrapped < lowest ? lowest : wrapped > highest ? highest : wrapped;
        };
        return stride < 0 ? slice(bound(first, highest), bound(stop, lowest), stride)
                          : slice(bound(first, lowest), bound(stop, highest), stride);
    }

    /// first:stop:stride whose stop may lie past the end, as netCDF's first + count * stride does; it is drawn back to
    /// the extent (or to -1 downwards). first is taken literally. **Throws** as slice(first, stop, stride), and for a
    /// negative extent.
    static constexpr slice clamped(index_t first, index_t stop, index_t stride, index_t extent) {
        if (extent < 0) detail::throw_negative_extent(extent);
        if (stride > 0 && stop > extent) stop = extent;
        if (stride < 0 && stop < -1) stop = -1;
        return slice(first, stop, stride);
    }

    /// Every index of an axis. **Throws** selection_error for a negative extent.
    static constexpr slice all(index_t extent) {
        if (extent < 0) detail::throw_negative_extent(extent);
        return slice(canonical{}, 0, extent, 1);
    }

    /// count indices from first on, for callers that know that all of them fit. **Expects** count >= 1 and what counted()
    /// checks. **Cost** no division, no branch.
    static constexpr slice unchecked(index_t first, index_t count, index_t stride) noexcept {
        assert(count >= 1);
        return slice(nonempty{}, first, count, stride);
    }

    [[nodiscard]] constexpr index_t first() const noexcept { return first_; }
    [[nodiscard]] constexpr index_t count() const noexcept { return count_; }
    [[nodiscard]] constexpr index_t stride() const noexcept { return stride_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return count_ == 0; }

    /// The i-th index. **Expects** 0 <= i < count().
    [[nodiscard]] constexpr index_t operator[](index_t i) const noexcept {
        return step_from(first_, static_cast<std::uint64_t>(i), stride_);
    }
    /// The last index. **Expects** not empty().
    [[nodiscard]] constexpr index_t last() const noexcept { return (*this)[count_ - 1]; }
    /// The stop of the half-open form: last() + 1, or last() - 1 when the stride is negative; 0 when empty().
    [[nodiscard]] constexpr index_t stop() const noexcept {
        return count_ == 0 ? 0 : last() + (stride_ > 0 ? 1 : -1);
    }

    friend constexpr bool operator==(slice const&, slice const&) noexcept = default;

private:
    struct canonical {};
    constexpr slice(canonical, index_t first, index_t count, index_t stride) noexcept
        : first_(count == 0 ? 0 : first), count_(count), stride_(count <= 1 ? 1 : stride) {}
    struct nonempty {};
    constexpr slice(nonempty, index_t first, index_t count, index_t stride) noexcept
        : first_(first), count_(count), stride_(count == 1 ? 1 : stride) {}

    /// True when first + (count - 1) * stride, and the stop behind it, fit an index_t. **Expects** count >= 1.
    static constexpr bool reaches(index_t first, index_t count, index_t stride) noexcept {
        if (count == 1) return first < max_index;  // a single index has stride 1
        index_t const furthest = stride > 0 ? max_index - 1 : -max_index;
        if (stride > 0 ? first > furthest : first < furthest) return false;
        std::uint64_t const room = stride > 0 ? distance_up(first, furthest) : distance_up(furthest, first);
        return magnitude(stride) <= room / static_cast<std::uint64_t>(count - 1);
    }

    static constexpr index_t count_between(index_t first, index_t stop, index_t stride) {
        if (stride == 0) detail::throw_stride_zero();
        if (stride > 0 ? first >= stop : first <= stop) return 0;
        std::uint64_t const span = stride > 0 ? distance_up(first, stop) : distance_up(stop, first);
        std::uint64_t const count = ceil_divide(span, magnitude(stride));
        if (count > static_cast<std::uint64_t>(max_index)) detail::throw_slice_too_long(first, stop);
        if (count == 1 && first == max_index) detail::throw_slice_overflow(first, 1, stride);
        return static_cast<index_t>(count);
    }

    index_t first_ = 0;
    index_t count_ = 0;
    index_t stride_ = 1;
};

}  // namespace slabwise
