// One level of chunks: those of the array, or those within a shard.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include <slabwise/copy/fill_program.hpp>
#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/grid/rectilinear_grid.hpp>
#include <slabwise/index/byte_strides.hpp>
#include <slabwise/source/chunk_source.hpp>
#include <slabwise/zarr/metadata.hpp>

namespace slabwise::zarr::detail {

/// What stays the same for all chunks of one level. It refers to the encoding, which must outlive it.
template <std::size_t R, class Grid = chunk_grid<R>>
struct chunk_level {
    /// The chunks of what they divide, the array or a shard.
    Grid grid;
    /// Of a whole decoded chunk; of a shard in C order and native byte order.
    chunk_layout<R> layout;
    chunk_encoding const* encoding;
    /// The axes in the order in which an enclosing shard counts these chunks.
    std::vector<std::size_t> counting_order;
    /// The level of the inner chunks of a whole chunk; null when the chunks hold elements.
    std::shared_ptr<chunk_level<R> const> inner;
    /// The most bytes that a chunk of this level has when it is stored. **Units** bytes.
    std::size_t largest_stored = 0;

    /// The shape at which a chunk is stored: within a shard the last ones may be shorter.
    [[nodiscard]] shape<R> stored_shape(coord_t<R> const& coord, bool is_in_shard) const noexcept {
        if (is_in_shard) return grid.valid_extent(coord);
        if constexpr (std::is_same_v<Grid, chunk_grid<R>>) {
            return grid.chunk_shape();
        } else {
            return grid.stored_shape(coord);
        }
    }
    /// The level of the inner chunks of a chunk that is stored at that shape.
    [[nodiscard]] std::shared_ptr<chunk_level<R> const> inner_of(shape<R> const& stored_shape) const {
        if (stored_shape == inner->grid.shape()) return inner;
        auto resized = std::make_shared<chunk_level<R>>(*inner);
        resized->grid = chunk_grid<R>(stored_shape, inner->grid.chunk_shape());
        return resized;
    }
    [[nodiscard]] std::size_t bytes_of(shape<R> const& stored_shape) const noexcept {
        std::size_t bytes = layout.stored_size;
        for (std::size_t axis = 0; axis < R; ++axis) bytes *= static_cast<std::size_t>(stored_shape[axis]);
        return bytes;
    }
    [[nodiscard]] std::size_t chunk_bytes() const noexcept { return bytes_of(grid.chunk_shape()); }
    /// Where the elements of a chunk of that shape lie. **Units** bytes.
    [[nodiscard]] std::array<index_t, R> byte_strides(shape<R> const& stored_shape) const noexcept {
        std::array<index_t, R> byte_strides{};
        auto byte_stride = static_cast<index_t>(layout.stored_size);
        for (std::size_t j = R; j-- > 0;) {
            std::size_t const axis = inner != nullptr ? j : encoding->axis_order[j];
            byte_strides[axis] = byte_stride;
            byte_stride *= stored_shape[axis];
        }
        return byte_strides;
    }
    /// Which place the chunk has among the chunks of its shard.
    [[nodiscard]] std::size_t place_of(coord_t<R> const& coord) const noexcept {
        auto const counts = grid.chunk_counts();
        index_t place = 0;
        for (std::size_t const axis : counting_order) place = place * counts[axis] + coord[axis];
        return static_cast<std::size_t>(place);
    }
};

/// The grid of an array. **Expects** metadata of rank R and, for a chunk_grid, metadata.is_regular().
template <class Grid>
Grid grid_of(array_metadata const& metadata) {
    constexpr std::size_t R = Grid::rank;
    std::array<index_t, R> extents{};
    std::copy_n(metadata.shape.begin(), R, extents.begin());
    if constexpr (std::is_same_v<Grid, chunk_grid<R>>) {
        std::array<index_t, R> lengths{};
        std::copy_n(metadata.chunk_shape.begin(), R, lengths.begin());
        return Grid(extents, lengths);
    } else {
        std::array<chunk_edges, R> edges;
        std::copy_n(metadata.edges.begin(), R, edges.begin());
        return Grid(extents, std::move(edges));
    }
}

/// The level of the chunks of a grid, and those within, whose elements are those of the array, or one field of them when
/// `part` is given. **Expects** what array_metadata ensures.
template <std::size_t R, class Grid>
chunk_level<R, Grid> make_chunk_level(Grid const& grid, chunk_encoding const& encoding,
                                      std::vector<std::size_t> const& counting_order, array_metadata const& array,
                                      field const* part) {
    chunk_level<R, Grid> level{grid, {}, &encoding, counting_order, nullptr};
    level.layout.type = part != nullptr ? part->type : array.type;
    level.layout.stored_size = array.type.size;
    level.layout.byte_order = part != nullptr ? part->byte_order : array.byte_order;
    level.layout.fill = array.fill;
    if (part != nullptr) {
        auto const begin = array.fill.begin() + static_cast<std::ptrdiff_t>(part->offset);
        level.layout.fill.assign(begin, begin + static_cast<std::ptrdiff_t>(part->type.size));
        level.layout.first_byte = static_cast<index_t>(part->offset);
    }
    std::size_t decoded_bytes = level.chunk_bytes();
    if (encoding.shards != nullptr) {
        sharding const& shards = *encoding.shards;
        std::array<index_t, R> lengths{};
        std::copy_n(shards.chunk_shape.begin(), R, lengths.begin());
        level.inner = std::make_shared<chunk_level<R> const>(make_chunk_level<R>(
            chunk_grid<R>(grid.chunk_shape(), lengths), shards.inner, encoding.axis_order, array, part));
        // Each inner chunk and the index, and as much again for gaps between them.
        auto const chunks = static_cast<std::size_t>(level.inner->grid.chunk_count());
        constexpr std::size_t most = static_cast<std::size_t>(max_index) / 4;
        bool const is_large = level.inner->largest_stored > most / chunks;
        decoded_bytes = is_large ? 2 * most : 2 * chunks * (level.inner->largest_stored + 20);
        // A shard that is decoded as a whole is put together of the elements that are read, in native byte order.
        if (level.layout.byte_order != std::endian::native) {
            reverse_words(level.layout.fill, level.layout.type.swap_size());
        }
        level.layout.byte_order = std::endian::native;
        level.layout.first_byte = 0;
        level.layout.stored_size = level.layout.type.size;
    }
    level.layout.byte_strides = level.byte_strides(level.grid.chunk_shape());
    level.largest_stored = encoding.codecs.largest_encoding(decoded_bytes);
    return level;
}

}  // namespace slabwise::zarr::detail
