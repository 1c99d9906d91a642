// A source whose chunks are decoded once as long as a cache keeps them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <slabwise/source/source_abilities.hpp>
#include <slabwise/transfer/chunk_cache.hpp>
#include <slabwise/transfer/chunk_memory.hpp>

namespace slabwise {

/// A ChunkSource over another one, a copy of which it holds, and a cache. Of chunks that hold chunks, the inner ones are
/// kept. Chunks that a read decodes straight into its destination do not pass through the cache.
///
///     cached_source const array{zarr::open<float, 3>(store, "pr"), chunk_cache{256 << 20}};
template <ChunkSource Source>
class cached_source {
public:
    static constexpr std::size_t rank = source_rank<Source>;

    cached_source(Source source, chunk_cache cache)
        : source_(std::move(source)), cache_(std::move(cache)), source_number_(chunk_cache::new_source()),
          outer_number_(0), counts_(source_.grid().chunk_counts()) {}

    [[nodiscard]] source_grid<Source> grid() const { return source_.grid(); }
    [[nodiscard]] chunk_layout<rank> layout() const { return source_.layout(); }
    chunk_state read_chunk(coord_t<rank> const& coord, std::span<std::byte> bytes) const {
        return source_.read_chunk(coord, bytes);
    }
    [[nodiscard]] shape<rank> stored_shape(coord_t<rank> const& coord) const
        requires VariesChunkShape<Source>
    {
        return source_.stored_shape(coord);
    }
    [[nodiscard]] std::array<index_t, rank> byte_strides(coord_t<rank> const& coord) const
        requires VariesChunkShape<Source>
    {
        return source_.byte_strides(coord);
    }

    [[nodiscard]] bool has_chunk(coord_t<rank> const& coord) const
        requires TellsPresence<Source>
    {
        return source_.has_chunk(coord);
    }

    /// A chunk that is kept, or is from now on; nothing when it is absent, and where the grid has so many chunks that
    /// they cannot be told apart by a number.
    [[nodiscard]] std::optional<shared_bytes> view_chunk(coord_t<rank> const& coord) const {
        if (is_nested()) return std::nullopt;
        auto const number = number_of(coord);
        if (!number) return std::nullopt;
        chunk_cache::key const key{source_number_, static_cast<std::uint64_t>(*number)};
        if (auto kept = cache_.find(key)) return kept;
        auto found = load(coord);
        if (found) cache_.insert(key, *found);
        return found;
    }

    [[nodiscard]] bool is_nested() const {
        if constexpr (NestsChunks<Source>) {
            return source_.is_nested();
        } else {
            return false;
        }
    }
    /// **Expects** is_nested().
    [[nodiscard]] auto open_chunk(coord_t<rank> const& coord) const
        requires NestsChunks<Source>
    {
        using inner = typename decltype(source_.open_chunk(coord))::value_type;
        auto opened = source_.open_chunk(coord);
        if (!opened) return std::optional<cached_source<inner>>();
        auto const number = number_of(coord);
        return std::optional(
            cached_source<inner>(std::move(*opened), cache_, source_number_, number, source_.grid().chunk_shape()));
    }

private:
    template <ChunkSource Other>
    friend class cached_source;

    /// Chunks within the chunk of that number, at most so many along each axis; their numbers follow those within the
    /// chunks before.
    cached_source(Source source, chunk_cache cache, std::uint64_t source_number, std::optional<index_t> outer_number,
                  shape<rank> const& counts)
        : source_(std::move(source)), cache_(std::move(cache)), source_number_(source_number),
          outer_number_(outer_number), counts_(counts) {}

    [[nodiscard]] std::optional<index_t> number_of(coord_t<rank> const& coord) const noexcept {
        if (!outer_number_) return std::nullopt;
        index_t number = *outer_number_;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            if (!multiply_into(number, counts_[axis]) || !add_into(number, coord[axis])) return std::nullopt;
        }
        return number;
    }

    [[nodiscard]] std::optional<shared_bytes> load(coord_t<rank> const& coord) const {
        if constexpr (ViewsChunks<Source>) {
            if (auto view = source_.view_chunk(coord)) return view;
        }
        std::size_t size = source_.layout().stored_size;
        auto extents = source_.grid().chunk_shape();
        if constexpr (VariesChunkShape<Source>) extents = source_.stored_shape(coord);
        for (std::size_t axis = 0; axis < rank; ++axis) size *= static_cast<std::size_t>(extents[axis]);
        if (detail::is_large_and_absent(source_, coord, size)) return std::nullopt;
        std::shared_ptr<std::byte> const bytes = detail::allocate_chunk(size);
        if (source_.read_chunk(coord, {bytes.get(), size}) == chunk_state::absent) return std::nullopt;
        return shared_bytes(bytes, {bytes.get(), size});
    }

    Source source_;
    chunk_cache cache_;
    std::uint64_t source_number_;
    std::optional<index_t> outer_number_;
    shape<rank> counts_;
};

template <class Source>
cached_source(Source, chunk_cache) -> cached_source<Source>;

}  // namespace slabwise
