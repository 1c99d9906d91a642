// Copies planes of runs of some dozens or hundreds of bytes, for which a call of memcpy would take longer than the
// copy.
#pragma once

#include <cstddef>

#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/lanes.hpp>

namespace slabwise::detail {

/// Units are runs of a register or more. Of each, the last register overlaps with the one before.
template <class Model>
struct copy_runs {
    SLABWISE_ALWAYS_INLINE static void run(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                                           std::byte* destination) noexcept {
        using lanes = typename Model::template lanes<1>;
        for (index_t row = 0; row < axes[1].count; ++row) {
            std::byte const* from = source + row * axes[1].source_byte_stride;
            std::byte* to = destination + row * axes[1].destination_byte_stride;
            for (index_t i = 0; i < axes[0].count; ++i) {
                auto const last = lanes::load(from + unit_size - Model::bytes);
                for (std::size_t byte = 0; byte + Model::bytes < unit_size; byte += Model::bytes) {
                    lanes::load(from + byte).store(to + byte);
                }
                last.store(to + unit_size - Model::bytes);
                from += axes[0].source_byte_stride;
                to += axes[0].destination_byte_stride;
            }
        }
    }
};

}  // namespace slabwise::detail
