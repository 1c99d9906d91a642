// The arithmetic that the rest stands on: the signed index type, magnitudes without overflow, rounding divisions and
// checked products. Every formula has its one home here.
#pragma once

#include <concepts>
#include <cstdint>

namespace slabwise {

/// An index, an extent, a count or a stride. **Units** elements or chunks, as the name of the variable says.
using index_t = std::int64_t;

/// The largest index_t, 2^63 - 1.
inline constexpr index_t max_index = INT64_MAX;

/// |value| as an unsigned number; right for -2^63 too. **Cost** O(1).
constexpr std::uint64_t magnitude(index_t value) noexcept {
    auto const bits = static_cast<std::uint64_t>(value);
    return value < 0 ? 0 - bits : bits;
}

/// to - from as an unsigned number. **Expects** to >= from. **Cost** O(1); cannot overflow.
constexpr std::uint64_t distance_up(index_t from, index_t to) noexcept {
    return static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

/// start + count * step in the arithmetic modulo 2^64: exact whenever the result fits an index_t. **Cost** O(1).
constexpr index_t step_from(index_t start, std::uint64_t count, index_t step) noexcept {
    return static_cast<index_t>(static_cast<std::uint64_t>(start) + count * static_cast<std::uint64_t>(step));
}

/// a / b rounded up. Written as (a - 1) / b + 1 since a + b - 1 may overflow. **Expects** b > 0.
template <std::integral T>
constexpr T ceil_divide(T a, T b) noexcept {
    return a == 0 ? T{0} : static_cast<T>((a - 1) / b + 1);
}

/// a / b rounded towards minus infinity. **Expects** b > 0.
constexpr index_t floor_divide(index_t a, index_t b) noexcept {
    index_t const quotient = a / b;
    return quotient - (quotient * b > a ? 1 : 0);
}

/// Multiplies into `product`. **Ensures** returns true exactly when the product fits an index_t.
constexpr bool multiply_into(index_t& product, std::integral auto factor) noexcept {
    return !__builtin_mul_overflow(product, factor, &product);
}

/// Adds into `sum`. **Ensures** returns true exactly when the sum fits an index_t.
constexpr bool add_into(index_t& sum, index_t term) noexcept { return !__builtin_add_overflow(sum, term, &sum); }

/// The first of the n nearly equal shares of `total` that have the ordinal `share` or more: share i is
/// [share_begin(total, n, i), share_begin(total, n, i + 1)). **Expects** n > 0, 0 <= share <= n, total >= 0.
/// **Ensures** sizes differ by at most one, larger ones first. **Cost** O(1); cannot overflow.
constexpr index_t share_begin(index_t total, index_t n, index_t share) noexcept {
    index_t const rest = total % n;
    return share * (total / n) + (share < rest ? share : rest);
}

}  // namespace slabwise
