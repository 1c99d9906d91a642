// How many inner chunks a slice touches on one axis of shards, in closed form, whether or not their length divides the
// shard's.
//
// An axis lies in shards of length S, each in n = ceil(S/c) inner chunks of length c, the last of which has r = S mod c
// indices unless r is 0. Numbered through, I(x) = (x / S) * n + (x mod S) / c is the inner chunk of index x, and never
// falls. A selection of step a touches
//
//   a >= c:        one inner chunk for each index;
//   a <= r, r = 0: every inner chunk from the first to the last: I(last) - I(first) + 1;
//   r < a < c:     the same, less the short ones between that it jumps over. The short chunk of shard j holds at most one
//                  index; it holds floor(((j+1)S - 1 - x)/a) - floor(((j+1)S - r - 1 - x)/a) of those counted from x. So
//                  the number touched is the difference of two sums of such floors, for which Euclid's algorithm has
//                  O(log) steps.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include <slabwise/index/slice.hpp>

namespace slabwise::detail {

__extension__ typedef unsigned __int128 wide_unsigned;

/// The sum of floor((step * i + start) / divisor) for 0 <= i < count, modulo 2^64. **Expects** divisor > 0, and the last
/// of these numerators below 2^126. **Cost** O(log divisor). **Source** the Euclid-like algorithm for sums of floors.
constexpr std::uint64_t sum_of_floors(std::uint64_t count, std::uint64_t step, std::uint64_t start,
                                      std::uint64_t divisor) noexcept {
    std::uint64_t sum = 0;
    while (count > 0) {
        // count * (count - 1) / 2, halved before it can overflow.
        std::uint64_t const pairs = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
        sum += pairs * (step / divisor) + count * (start / divisor);
        step %= divisor;
        start %= divisor;
        // What is left is the number of points below a line; seen from the other side it is a shorter sum.
        wide_unsigned const highest = static_cast<wide_unsigned>(step) * count + start;
        if (highest < divisor) break;
        count = static_cast<std::uint64_t>(highest / divisor);
        start = static_cast<std::uint64_t>(highest % divisor);
        std::uint64_t const next_divisor = step;
        step = divisor;
        divisor = next_divisor;
    }
    return sum;
}

/// How many inner chunks the first `count` indices of a slice touch. **Expects** 0 <= count <= selected.count(), indices
/// from 0 on, 1 <= inner_length <= shard_length. **Cost** O(1) unless the length of an inner chunk does not divide the
/// shard's, then O(log shard_length).
constexpr index_t count_inner_chunks(slice const& selected, index_t count, index_t shard_length,
                                     index_t inner_length) noexcept {
    if (count == 0) return 0;
    std::uint64_t const step = magnitude(selected.stride());
    if (step >= static_cast<std::uint64_t>(inner_length)) return count;
    index_t const first = selected[0];
    index_t const last = selected[count - 1];
    index_t const lowest = first < last ? first : last;
    index_t const highest = first < last ? last : first;
    index_t const chunks = ceil_divide(shard_length, inner_length);
    auto const chunk_of = [&](index_t x) { return x / shard_length * chunks + x % shard_length / inner_length; };
    index_t const between = chunk_of(highest) - chunk_of(lowest) + 1;
    index_t const rest = shard_length % inner_length;
    if (rest == 0 || step <= static_cast<std::uint64_t>(rest)) return between;
    // The shards whose short chunk lies between the first and the last inner chunk.
    bool const starts_in_short = lowest % shard_length / inner_length == chunks - 1;
    index_t const begin = lowest / shard_length + (starts_in_short ? 1 : 0);
    index_t const end = highest / shard_length;
    if (begin >= end) return between;
    auto const shards = static_cast<std::uint64_t>(end - begin);
    // Offsets from the lowest index to the last index of a shard, and to the last one before its short chunk.
    auto const to_last = static_cast<std::uint64_t>((begin + 1) * shard_length - 1 - lowest);
    auto const to_before = to_last - static_cast<std::uint64_t>(rest);
    auto const length = static_cast<std::uint64_t>(shard_length);
    std::uint64_t const touched =
        sum_of_floors(shards, length, to_last, step) - sum_of_floors(shards, length, to_before, step);
    return between - static_cast<index_t>(shards - touched);
}

}  // namespace slabwise::detail
