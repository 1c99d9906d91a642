// One level of chunks: those of the array, or those within a shard.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include <slabwise/copy/fill_program.hpp>
#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/index/byte_strides.hpp>
#include <slabwise/source/chunk_source.hpp>
#include <slabwise/zarr/metadata.hpp>

namespace slabwise::zarr::detail {

/// What stays the same for all chunks of one level. It refers to the encoding, which must outlive it.
template <std::size_t R>
struct chunk_level {
    /// The chunks of what they divide, the array or a shard.
    chunk_grid<R> grid;
    /// Of a whole decoded chunk; of a shard in C order and native byte order.
    chunk_layout<R> layout;
    chunk_encoding const* encoding;
    /// The axes in the order in which an enclosing shard counts these chunks.
    std::vector<std::size_t> counting_order;
    /// The level of the inner chunks; null when the chunks hold elements.
    std::unique_ptr<chunk_level const> inner;
    /// The most bytes that a chunk of this level has when it is stored. **Units** bytes.
    std::size_t largest_stored = 0;

    /// The shape at which a chunk is stored: within a shard the last ones may be shorter.
    [[nodiscard]] shape<R> stored_shape(coord_t<R> const& coord, bool is_in_shard) const noexcept {
        return is_in_shard ? grid.valid_extent(coord) : grid.chunk_shape();
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

/// The level of chunks of that shape, and those within, whose elements are those of the array, or one field of them when
/// `part` is given. **Expects** what array_metadata ensures.
template <std::size_t R>
chunk_level<R> make_chunk_level(shape<R> const& extents, std::vector<index_t> const& chunk_shape,
                                chunk_encoding const& encoding, std::vector<std::size_t> const& counting_order,
                                array_metadata const& array, field const* part) {
    std::array<index_t, R> lengths{};
    std::copy_n(chunk_shape.begin(), R, lengths.begin());
    chunk_level<R> level{chunk_grid<R>(extents, lengths), {}, &encoding, counting_order, nullptr};
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
        level.inner = std::make_unique<chunk_level<R> const>(
            make_chunk_level(shape<R>(lengths), shards.chunk_shape, shards.inner, encoding.axis_order, array, part));
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
