// Copies planes whose contiguous axis is another one in the source than in the destination.
//
// A tile is read by rows of 16 bytes, which hold count = 16 / size words, and written by columns. The rows k and
// k + count / 2 of a tile interleave to the rows 2k and 2k + 1 of the next, and after log2(count) such steps the rows
// are the columns. A wider register does as many tiles at once as it has 16 bytes, one behind the other along the axis
// that is contiguous in the destination, so that it writes one long row.
// Tiles that share the cache lines of the source are taken one after the other, down the destination's contiguous axis,
// block by block, since they share the cache lines of the destination and the pages of both with the tiles around them.
#pragma once

#include <cstddef>
#include <utility>

#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/lanes.hpp>

namespace slabwise::detail {

/// Words of a and b in turn, from the lower (Half 0) or upper (Half 1) half of each 16 bytes of both.
template <std::size_t Half, std::size_t Size>
struct interleaved {
    static constexpr std::size_t words = 16 / Size;
    static constexpr std::size_t at(std::size_t i, std::size_t count) {
        return i / words * words + i % words / 2 + Half * words / 2 + (i % 2) * count;
    }
};

/// Axis 0 is contiguous in the destination, axis 1 in the source; words have Size bytes. There is room for a tile.
template <class Model, std::size_t Size>
struct transpose {
    /// The words of a tile along axis 0 and along axis 1.
    static constexpr auto width = static_cast<index_t>(Model::bytes / Size);
    static constexpr index_t columns = 16 / Size;

    SLABWISE_ALWAYS_INLINE static void run(copy_axis const* axes, std::size_t, std::byte const* source,
                                           std::byte* destination) noexcept {
        index_t const count_0 = axes[0].count;
        index_t const count_1 = axes[1].count;
        bool const prefetches = count_0 >= cache_bytes / index_t{Size} / count_1;
        for (index_t block_1 = 0; block_1 < count_1; block_1 += block) {
            index_t const end_1 = lesser(block_1 + block, count_1);
            for (index_t block_0 = 0; block_0 < count_0; block_0 += block) {
                index_t const end_0 = lesser(block_0 + block, count_0);
                for (index_t line_1 = block_1; line_1 < end_1; line_1 += line) {
                    for (index_t tile_0 = block_0; tile_0 < end_0; tile_0 += width) {
                        // The last tiles overlap with those before instead of leaving words over.
                        index_t const i0 = lesser(tile_0, count_0 - width);
                        if (prefetches) prefetch(axes, source, destination, i0, line_1);
                        for (index_t tile_1 = line_1; tile_1 < lesser(line_1 + line, end_1); tile_1 += columns) {
                            index_t const i1 = lesser(tile_1, count_1 - columns);
                            copy_tile(axes, source + i0 * axes[0].source_byte_stride + i1 * index_t{Size},
                                      destination + i0 * index_t{Size} + i1 * axes[1].destination_byte_stride);
                        }
                    }
                }
            }
        }
    }

private:
    using lanes = typename Model::template lanes<Size>;
    static constexpr std::size_t rows = 16 / Size;
    static constexpr index_t block = 128;
    // The words of a cache line.
    static constexpr index_t line = 64 / Size;
    // From so many bytes on, an array is taken to lie outside the cache, and the lines that are next are asked for: of
    // 4096 x 4096 words of 4 bytes that is 1.2 times faster; within the cache it costs as much.
    static constexpr index_t cache_bytes = index_t{1} << 20;

    SLABWISE_ALWAYS_INLINE static index_t lesser(index_t a, index_t b) noexcept { return a < b ? a : b; }

    /// Asks for the lines of the source below those of the tile at (i0, i1), and those of the destination after it.
    SLABWISE_ALWAYS_INLINE static void prefetch(copy_axis const* axes, std::byte const* source, std::byte* destination,
                                                index_t i0, index_t i1) noexcept {
        if (i0 + 2 * width <= axes[0].count) {
            for (index_t row = i0 + width; row < i0 + 2 * width; ++row) {
                __builtin_prefetch(source + row * axes[0].source_byte_stride + i1 * index_t{Size});
            }
        }
        if (i1 + 2 * line <= axes[1].count) {
            for (index_t column = i1 + line; column < i1 + 2 * line; ++column) {
                __builtin_prefetch(destination + i0 * index_t{Size} + column * axes[1].destination_byte_stride, 1);
            }
        }
    }

    SLABWISE_ALWAYS_INLINE static void copy_tile(copy_axis const* axes, std::byte const* source,
                                                 std::byte* destination) noexcept {
        copy_tile(axes, source, destination, std::make_index_sequence<rows>{}, std::make_index_sequence<rows / 2>{});
    }
    template <std::size_t... Row, std::size_t... Pair>
    SLABWISE_ALWAYS_INLINE static void copy_tile(copy_axis const* axes, std::byte const* source, std::byte* destination,
                                                 std::index_sequence<Row...>,
                                                 std::index_sequence<Pair...> pairs) noexcept {
        index_t const step = axes[0].source_byte_stride;
        lanes tile[rows] = {lanes::load_pieces(source + index_t{Row} * step, columns * step)...};
        for (std::size_t columns_done = 1; columns_done < rows; columns_done *= 2) interleave(tile, pairs);
        (tile[Row].store(destination + index_t{Row} * axes[1].destination_byte_stride), ...);
    }
    template <std::size_t... Pair>
    SLABWISE_ALWAYS_INLINE static void interleave(lanes (&tile)[rows], std::index_sequence<Pair...>) noexcept {
        lanes const next[rows / 2][2] = {
            {lanes::template shuffle<interleaved<0, Size>>(tile[Pair], tile[Pair + rows / 2]),
             lanes::template shuffle<interleaved<1, Size>>(tile[Pair], tile[Pair + rows / 2])}...};
        ((tile[2 * Pair] = next[Pair][0], tile[2 * Pair + 1] = next[Pair][1]), ...);
    }
};

}  // namespace slabwise::detail
