// Memory for one decoded chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include <slabwise/error.hpp>
#include <slabwise/source/source_abilities.hpp>

namespace slabwise::detail {

inline constexpr std::align_val_t chunk_alignment{64};

struct free_chunk_memory {
    void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes, chunk_alignment); }
};
using chunk_memory = std::unique_ptr<std::byte, free_chunk_memory>;

/// Memory for a chunk of that many bytes, aligned to a cache line. **Throws** selection_error when there is not so much.
inline chunk_memory allocate_chunk(std::size_t bytes) {
    chunk_memory memory(static_cast<std::byte*>(::operator new(bytes, chunk_alignment, std::nothrow)));
    if (!memory) {
        throw selection_error(
            error_text("read: no memory for a chunk of ").append(std::uint64_t{bytes}).append(" bytes"),
            selection_error::no_axis, static_cast<index_t>(bytes), 0);
    }
    return memory;
}

/// True when a chunk of that many bytes is so large that its absence should be known before memory is taken for it, and
/// is absent as far as the source can tell. **Cost** of a large chunk, one look at whether it is there.
template <class Source>
bool is_large_and_absent([[maybe_unused]] Source const& source,
                         [[maybe_unused]] coord_t<source_rank<Source>> const& coord,
                         [[maybe_unused]] std::size_t bytes) {
    if constexpr (TellsPresence<Source>) {
        constexpr std::size_t large = std::size_t{64} << 20;
        return bytes >= large && !source.has_chunk(coord);
    } else {
        return false;
    }
}

}  // namespace slabwise::detail
