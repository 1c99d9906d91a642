// What a kernel is, and what chooses one.
#pragma once

#include <cstddef>

#include <slabwise/copy/copy_axis.hpp>

namespace slabwise {

/// Whether what a copy writes will be read soon, or is part of more than the caches hold.
enum class store_mode : unsigned char {
    /// By way of the caches, where it stays.
    cached,
    /// Long runs go past the caches, so that the lines they overwrite are not read before.
    streamed,
};

namespace detail {

/// Copies a plane of units: axes[0] is the inner axis, axes[1] the rows.
/// **Expects** that source and destination do not overlap.
using copy_kernel = void (*)(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                             std::byte* destination) noexcept;

/// What is to be copied, as far as it chooses a kernel with vectors. Words lie contiguously in the destination.
struct plane_kind {
    enum class access : unsigned char { gather, reversed, transpose, runs, streamed_runs };
    access how;
    /// **Units** bytes, of a word or a run.
    std::size_t size;
    /// **Units** words, on the inner axis of the source.
    index_t stride;
    /// Words on the inner axis.
    index_t count;
};

/// The kernels of a set that is not built in.
struct offered_kernels {
    /// The size of a register.
    std::size_t bytes;
    /// The kernel for a plane; nullptr where there is none.
    copy_kernel (*find)(plane_kind const& plane) noexcept;
};

}  // namespace detail
}  // namespace slabwise
