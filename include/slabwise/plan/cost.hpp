// What a plan will cost, before anything is read.
#pragma once

#include <concepts>

#include <slabwise/error.hpp>
#include <slabwise/index/arithmetic.hpp>

namespace slabwise {

/// The cost of a plan, in whole chunks and in what is used of them.
struct plan_cost {
    /// Chunks touched.
    index_t chunks = 0;
    /// Elements selected.
    index_t elements = 0;
    /// Bytes of the touched chunks, each decoded and at its full chunk shape.
    index_t bytes_chunks = 0;
    /// Bytes of the elements selected.
    index_t bytes_used = 0;
    /// Runs of elements that lie side by side in a chunk in C order, over all chunks.
    index_t contiguous_runs = 0;

    /// Bytes of chunks for each byte used; 1 is best; 0 when nothing is selected.
    [[nodiscard]] constexpr double read_amplification() const noexcept {
        return bytes_used == 0 ? 0.0 : static_cast<double>(bytes_chunks) / static_cast<double>(bytes_used);
    }
};

namespace detail {

/// count * size in bytes. **Throws** selection_error naming `what` when it exceeds 2^63 - 1.
constexpr index_t byte_count(index_t count, std::integral auto size, char const* what) {
    index_t bytes = count;
    if (!multiply_into(bytes, size)) {
        throw selection_error(error_text("the bytes of ").append(what).append(" exceed 2^63 - 1"),
                              selection_error::no_axis, max_index, max_index);
    }
    return bytes;
}

}  // namespace detail

}  // namespace slabwise
