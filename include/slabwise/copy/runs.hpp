// Copies planes of runs of some dozens or hundreds of bytes, for which a call of memcpy would take longer than the
// copy; and of longer ones that go past the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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

/// Units are runs of more than a cache line, whose whole lines are stored past the caches.
template <class Model>
struct stream_runs {
    SLABWISE_ALWAYS_INLINE static void run(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                                           std::byte* destination) noexcept {
        for (index_t row = 0; row < axes[1].count; ++row) {
            std::byte const* const from = source + row * axes[1].source_byte_stride;
            std::byte* const to = destination + row * axes[1].destination_byte_stride;
            for (index_t i = 0; i < axes[0].count; ++i) {
                stream(from + i * axes[0].source_byte_stride, to + i * axes[0].destination_byte_stride, unit_size);
            }
        }
        end_stream();
    }

private:
    static constexpr std::size_t line = 64;
    static_assert(line % Model::bytes == 0);

    SLABWISE_ALWAYS_INLINE static void stream(std::byte const* from, std::byte* to, std::size_t size) noexcept {
        std::size_t const before = (line - reinterpret_cast<std::uintptr_t>(to) % line) % line;
        std::memcpy(to, from, before);
        std::size_t const end = before + (size - before) / line * line;
        for (std::size_t byte = before; byte < end; byte += Model::bytes) {
            Model::template lanes<1>::load(from + byte).stream(to + byte);
        }
        std::memcpy(to + end, from + end, size - end);
    }
};

}  // namespace slabwise::detail
