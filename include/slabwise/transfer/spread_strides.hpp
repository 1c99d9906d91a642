// Where the elements of a chunk lie that is kept for many reads: so that neighbours along an axis do not compete for one
// place in the processor's caches.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include <slabwise/index/shape.hpp>

namespace slabwise::detail {

/// The bytes that a chunk spans whose elements lie so.
template <std::size_t R>
struct spread_chunk {
    std::array<index_t, R> byte_strides;
    std::size_t bytes;
};

/// The layout of a chunk when each stride that is a multiple of 4 KiB, along an axis of 16 indices or more, is a cache
/// line longer: a cache of 64 sets of 64 bytes has one set for all addresses that are such a stride apart, and 8 or 12
/// places in it. Without such strides nothing changes, nor where the elements do not lie side by side in some order of
/// the axes. **Units** of the element size, bytes. **Cost** O(R log R).
template <std::size_t R>
spread_chunk<R> spread(std::array<index_t, R> const& byte_strides, shape<R> const& extents, std::size_t element_size) {
    constexpr index_t set_distance = 4096;
    constexpr index_t gap = 64;
    constexpr index_t many = 16;
    std::array<std::size_t, R> inner_first{};
    std::iota(inner_first.begin(), inner_first.end(), std::size_t{0});
    std::sort(inner_first.begin(), inner_first.end(),
              [&](std::size_t a, std::size_t b) { return byte_strides[a] < byte_strides[b]; });
    spread_chunk<R> result{byte_strides, 0};
    auto dense = static_cast<index_t>(element_size);
    index_t bytes = dense;
    bool is_dense = true;
    for (std::size_t const axis : inner_first) {
        if (extents[axis] == 1) continue;  // its stride is never taken
        is_dense = is_dense && byte_strides[axis] == dense;
        if (extents[axis] >= many && bytes % set_distance == 0) bytes += gap;
        result.byte_strides[axis] = bytes;
        bytes *= extents[axis];
        dense *= extents[axis];
    }
    if (!is_dense) return {byte_strides, static_cast<std::size_t>(dense)};
    result.bytes = static_cast<std::size_t>(bytes);
    return result;
}

}  // namespace slabwise::detail
