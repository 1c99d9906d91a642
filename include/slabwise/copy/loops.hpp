// The kernels without vectors: for any strides, units and tables.
#pragma once

#include <cstddef>
#include <cstring>

#include <slabwise/copy/copy_axis.hpp>

namespace slabwise::detail {

/// A byte stride that only the axis knows, not the compiler.
inline constexpr index_t any_step = -1;

/// Copies units 0 to Count - 1 of a row.
template <class Unit, index_t Count>
void copy_units(std::byte* destination, index_t destination_step, std::byte const* source, index_t source_step,
                std::size_t unit_size) noexcept {
    if constexpr (Count > 0) {
        copy_units<Unit, Count - 1>(destination, destination_step, source, source_step, unit_size);
        Unit::copy(destination + (Count - 1) * destination_step, source + (Count - 1) * source_step, unit_size);
    }
}

/// A plane whose axes have byte strides; the compiler may know that of the inner axis in the destination.
template <class Unit, index_t DestinationStep = any_step>
void copy_strided(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                  std::byte* destination) noexcept {
    index_t const count = axes[0].count;
    index_t const source_step = axes[0].source_byte_stride;
    index_t const destination_step = DestinationStep == any_step ? axes[0].destination_byte_stride : DestinationStep;
    copy_axis const rows = axes[1];
    for (index_t row = 0; row < rows.count; ++row) {
        std::byte const* __restrict from = source + row * rows.source_byte_stride;
        std::byte* __restrict to = destination + row * rows.destination_byte_stride;
        index_t left = count;
        // Several at a time: g++ 12 does not unroll by itself, which takes up to three times as long.
        if constexpr (Unit::at_once > 1) {
            for (; left >= Unit::at_once; left -= Unit::at_once) {
                copy_units<Unit, Unit::at_once>(to, destination_step, from, source_step, unit_size);
                from += Unit::at_once * source_step;
                to += Unit::at_once * destination_step;
            }
            if (Unit::at_once > 4 && left >= 4) {
                copy_units<Unit, 4>(to, destination_step, from, source_step, unit_size);
                from += 4 * source_step;
                to += 4 * destination_step;
                left -= 4;
            }
        }
        for (; left > 0; --left) {
            Unit::copy(to, from, unit_size);
            from += source_step;
            to += destination_step;
        }
    }
}

/// A plane whose inner axis writes one unit again and again, contiguously: what is written doubles by copies of itself,
/// up to a stretch that stays in the fastest cache.
inline void copy_repeated(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                          std::byte* destination) noexcept {
    constexpr std::size_t longest_step = 4096;
    copy_axis const rows = axes[1];
    std::size_t const row_size = static_cast<std::size_t>(axes[0].count) * unit_size;
    for (index_t row = 0; row < rows.count; ++row) {
        std::byte* const to = destination + row * rows.destination_byte_stride;
        if (row > 0 && rows.source_byte_stride == 0 && row_size <= longest_step) {
            std::memcpy(to, destination, row_size);
            continue;
        }
        std::memcpy(to, source + row * rows.source_byte_stride, unit_size);
        std::size_t step = unit_size;
        for (std::size_t done = unit_size; done < row_size; done += step) {
            if (done <= longest_step) step = done;
            if (step > row_size - done) step = row_size - done;
            std::memcpy(to + done, to, step);
        }
    }
}

/// A plane of which any axis has a table of offsets on either side.
template <class Unit>
void copy_listed(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                 std::byte* destination) noexcept {
    for (index_t row = 0; row < axes[1].count; ++row) {
        std::byte const* const from = source + axes[1].source_offset(row);
        std::byte* const to = destination + axes[1].destination_offset(row);
        for (index_t i = 0; i < axes[0].count; ++i) {
            Unit::copy(to + axes[0].destination_offset(i), from + axes[0].source_offset(i), unit_size);
        }
    }
}

}  // namespace slabwise::detail
