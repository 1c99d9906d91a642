// One axis of a copy.
#pragma once

#include <slabwise/index/arithmetic.hpp>

namespace slabwise {

/// One axis of a copy: count elements, whose places on either side follow from a byte stride or are listed in a table
/// of count byte offsets, which takes the place of the stride. **Units** bytes, from the first element of the copy.
struct copy_axis {
    index_t count;
    index_t source_byte_stride;
    index_t destination_byte_stride;
    index_t const* source_offsets;
    index_t const* destination_offsets;

    /// An axis without values.
    copy_axis() = default;
    copy_axis(index_t elements, index_t source_stride, index_t destination_stride,
              index_t const* source_table = nullptr, index_t const* destination_table = nullptr) noexcept
        : count(elements), source_byte_stride(source_stride), destination_byte_stride(destination_stride),
          source_offsets(source_table), destination_offsets(destination_table) {}

    /// True when either side has a table.
    [[nodiscard]] bool has_table() const noexcept {
        return source_offsets != nullptr || destination_offsets != nullptr;
    }
    /// The place of the i-th element in the source. **Units** bytes. **Expects** 0 <= i < count.
    [[nodiscard]] index_t source_offset(index_t i) const noexcept {
        return source_offsets != nullptr ? source_offsets[i] : i * source_byte_stride;
    }
    /// The place of the i-th element in the destination. **Units** bytes. **Expects** 0 <= i < count.
    [[nodiscard]] index_t destination_offset(index_t i) const noexcept {
        return destination_offsets != nullptr ? destination_offsets[i] : i * destination_byte_stride;
    }
};

}  // namespace slabwise
