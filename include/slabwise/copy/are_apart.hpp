// Whether a copy reads what it writes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/index/byte_strides.hpp>

namespace slabwise::detail {

/// Makes a hull as long as an axis of one side. **Expects** count > 0.
inline void widen(byte_hull& hull, index_t count, index_t byte_stride, index_t const* offsets) noexcept {
    if (offsets == nullptr) {
        hull.add_axis(count, byte_stride);
        return;
    }
    byte_hull listed{offsets[0], offsets[0]};
    for (index_t i = 1; i < count; ++i) {
        if (offsets[i] < listed.lowest) listed.lowest = offsets[i];
        if (offsets[i] > listed.highest) listed.highest = offsets[i];
    }
    hull.lowest += listed.lowest;
    hull.highest += listed.highest;
}

/// True when the stretches of memory that the two sides of a copy span do not overlap. **Expects** counts above 0.
inline bool are_apart(std::span<copy_axis const> axes, std::byte const* source, std::size_t source_size,
                      std::byte const* destination, std::size_t destination_size) noexcept {
    byte_hull from{0, 0};
    byte_hull to{0, 0};
    for (copy_axis const& axis : axes) {
        widen(from, axis.count, axis.source_byte_stride, axis.source_offsets);
        widen(to, axis.count, axis.destination_byte_stride, axis.destination_offsets);
    }
    auto const begin_of = [](std::byte const* address, byte_hull const& hull) {
        return reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(hull.lowest);
    };
    auto const end_of = [](std::byte const* address, byte_hull const& hull, std::size_t size) {
        return reinterpret_cast<std::uintptr_t>(address) + static_cast<std::uintptr_t>(hull.highest) + size;
    };
    return end_of(source, from, source_size) <= begin_of(destination, to) ||
           end_of(destination, to, destination_size) <= begin_of(source, from);
}

}  // namespace slabwise::detail
