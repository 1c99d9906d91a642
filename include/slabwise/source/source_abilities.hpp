// What a ChunkSource may offer besides decoding one chunk after another. Each ability is found by its concept; a source
// without it is read in the plain way.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <span>

#include <slabwise/source/chunk_source.hpp>
#include <slabwise/store/shared_bytes.hpp>

namespace slabwise {

/// `source.view_chunk(coord)` gives a decoded chunk where it lies, without a copy; nothing when that cannot be done or
/// does not pay: then read_chunk tells.
template <class Source>
concept ViewsChunks = ChunkSource<Source> && requires(Source const& source, coord_t<source_rank<Source>> coord) {
    { source.view_chunk(coord) } -> std::same_as<std::optional<shared_bytes>>;
};

/// A source whose views may be laid out otherwise than its chunks are. `source.view_spread_chunk(coord)` is view_chunk for
/// a copy that takes few bytes from each of many places far apart, `source.view_byte_strides(coord, bytes)` gives where the
/// elements lie in a view that has so many bytes.
template <class Source>
concept LaysOutViews = ViewsChunks<Source> && requires(Source const& source, coord_t<source_rank<Source>> coord) {
    { source.view_spread_chunk(coord) } -> std::same_as<std::optional<shared_bytes>>;
    { source.view_byte_strides(coord, std::size_t{}) } -> std::same_as<std::array<index_t, source_rank<Source>>>;
};

/// `source.has_chunk(coord)` tells whether a chunk is there without reading it. Asked before memory is taken for a large
/// chunk, which a stranger's metadata may promise without any bytes behind it.
template <class Source>
concept TellsPresence = ChunkSource<Source> && requires(Source const& source, coord_t<source_rank<Source>> coord) {
    { source.has_chunk(coord) } -> std::same_as<bool>;
};

/// Where the chunks of one request for many go.
class chunk_sink {
public:
    /// Room for the decoded bytes of the i-th chunk; one at a time, until ready() is called for it.
    virtual std::span<std::byte> room(std::size_t i) = 0;
    /// The room of the i-th chunk holds it, or it is absent.
    virtual void ready(std::size_t i, chunk_state state) = 0;

protected:
    ~chunk_sink() = default;
};

/// `source.read_chunks(coords, sink)` reads many chunks, in an order of its own, each once: better than one by one where
/// their bytes lie together.
template <class Source>
concept ReadsManyChunks =
    ChunkSource<Source> &&
    requires(Source const& source, std::span<coord_t<source_rank<Source>> const> coords, chunk_sink& sink) {
        source.read_chunks(coords, sink);
    };

/// A source whose chunks may be shorter than the grid's: `source.stored_shape(coord)` gives the shape at which a chunk
/// is stored, `source.byte_strides(coord)` where its elements lie.
template <class Source>
concept VariesChunkShape = ChunkSource<Source> && requires(Source const& source, coord_t<source_rank<Source>> coord) {
    { source.stored_shape(coord) } -> std::same_as<shape<source_rank<Source>>>;
    { source.byte_strides(coord) } -> std::same_as<std::array<index_t, source_rank<Source>>>;
};

/// A source whose chunks may hold chunks of their own. When `source.is_nested()`, `source.open_chunk(coord)` gives a
/// chunk as a source of these, whose grid covers the chunk; nothing when the chunk is absent.
template <class Source>
concept NestsChunks = ChunkSource<Source> && requires(Source const& source, coord_t<source_rank<Source>> coord) {
    { source.is_nested() } -> std::same_as<bool>;
    requires ChunkSource<typename std::remove_cvref_t<decltype(source.open_chunk(coord))>::value_type>;
};

}  // namespace slabwise
