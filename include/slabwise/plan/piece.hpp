// What one chunk contributes to one axis.
#pragma once

#include <compare>

#include <slabwise/index/arithmetic.hpp>

namespace slabwise {

/// An axis piece: the part of one axis' selection that lies in one chunk. Index i of it, 0 <= i < count, is
/// first_in_chunk + i * stride of the chunk and first_in_array + i of the selection's own array, where stride is the
/// axis' own. **Units** elements; `chunk` counts chunks.
struct piece {
    /// Which chunk along the axis.
    index_t chunk = 0;
    /// The first selected index, counted from the start of the chunk.
    index_t first_in_chunk = 0;
    /// How many indices the pieces before this one select.
    index_t first_in_array = 0;
    /// How many indices it selects, at least 1.
    index_t count = 0;
    /// The chunk's length, clipped at the end of the array.
    index_t valid = 0;

    friend constexpr bool operator==(piece const&, piece const&) noexcept = default;
};

}  // namespace slabwise
