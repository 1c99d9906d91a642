// Where decoded chunks come from. A ChunkSource says how its chunks lie in memory and fills a buffer with one; it speaks
// bytes, so that byte order and type stay the business of the one copy that follows.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include <slabwise/copy/element_type.hpp>
#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/grid/rectilinear_grid.hpp>
#include <slabwise/index/byte_strides.hpp>

namespace slabwise {

/// Whether a source holds a chunk. An absent chunk consists of fill values; it is no error.
enum class chunk_state : unsigned char { absent, present };

/// How the elements of a decoded chunk lie in memory.
/// **Shape** byte_strides has one entry an axis, of the full chunk shape, none negative. **Units** bytes.
template <std::size_t R>
struct chunk_layout {
    element_type type;
    std::endian byte_order = std::endian::native;
    std::array<index_t, R> byte_strides{};
    /// One element in the byte order of the chunk, type.size bytes: the value of every element of an absent chunk.
    std::vector<std::byte> fill;
    /// Where the first element begins in its chunk, and how many bytes of the chunk belong to each element: more than it
    /// has when elements are fields of larger ones. **Units** bytes.
    index_t first_byte = 0;
    std::size_t stored_size = type.size;

    /// The layout of chunks in C order, whose last axis lies fastest, in native byte order, filled with zero bytes.
    /// **Throws** selection_error when a chunk exceeds 2^63 - 1 bytes.
    static chunk_layout c_order(element_type type, shape<R> const& chunk_shape) {
        return {type, std::endian::native, c_order_byte_strides(chunk_shape, type.size),
                std::vector<std::byte>(type.size), 0, type.size};
    }
};

namespace detail {

template <class T>
inline constexpr std::size_t rank_of_grid = 0;
template <std::size_t R>
inline constexpr std::size_t rank_of_grid<chunk_grid<R>> = R;
template <std::size_t R>
inline constexpr std::size_t rank_of_grid<rectilinear_grid<R>> = R;
template <class T>
inline constexpr bool is_chunk_grid = false;
template <std::size_t R>
inline constexpr bool is_chunk_grid<chunk_grid<R>> = true;
template <std::size_t R>
inline constexpr bool is_chunk_grid<rectilinear_grid<R>> = true;

}  // namespace detail

/// `source.grid()` gives the chunk_grid<R>, or the rectilinear_grid<R>.
template <class Source>
concept HasGrid = requires(Source const& source) {
    requires detail::is_chunk_grid<std::remove_cvref_t<decltype(source.grid())>>;
};

/// The rank of a source's array.
template <HasGrid Source>
inline constexpr std::size_t source_rank =
    detail::rank_of_grid<std::remove_cvref_t<decltype(std::declval<Source const&>().grid())>>;

/// The type of a source's grid.
template <HasGrid Source>
using source_grid = std::remove_cvref_t<decltype(std::declval<Source const&>().grid())>;
template <class Source>
inline constexpr bool has_regular_grid = std::is_same_v<source_grid<Source>, chunk_grid<source_rank<Source>>>;

/// `source.layout()` gives the chunk_layout<R>.
template <class Source>
concept HasLayout = HasGrid<Source> && requires(Source const& source) {
    { source.layout() } -> std::convertible_to<chunk_layout<source_rank<Source>>>;
};

/// `source.read_chunk(coord, bytes)` fills `bytes`, which has room for exactly one chunk as it is stored, and
/// answers chunk_state::present, or leaves it alone and answers absent. Throws when the chunk cannot be had. Any number
/// of threads may call it at once.
template <class Source>
concept ReadsChunks =
    HasGrid<Source> && requires(Source const& source, coord_t<source_rank<Source>> coord, std::span<std::byte> bytes) {
        { source.read_chunk(coord, bytes) } -> std::same_as<chunk_state>;
    };

/// A source of decoded chunks:
///
/// | expression                      | result            | meaning                                      |
/// |---------------------------------|-------------------|----------------------------------------------|
/// | `source.grid()`                 | `chunk_grid<R>`   | the array's shape and its chunks             |
/// | `source.layout()`               | `chunk_layout<R>` | type, byte order, byte strides, fill         |
/// | `source.read_chunk(coord, out)` | `chunk_state`     | the chunk's bytes in `out`, or that it is absent |
///
/// Chunks on a rectilinear_grid have shapes of their own; what VariesChunkShape names tells them.
template <class Source>
concept ChunkSource = HasGrid<Source> && HasLayout<Source> && ReadsChunks<Source>;

namespace detail {

[[noreturn]] inline void throw_fill_size(std::size_t fill_bytes, std::size_t element_size) {
    throw selection_error(error_text("source: the layout's fill has ")
                              .append(std::uint64_t{fill_bytes})
                              .append(" bytes, but an element has ")
                              .append(std::uint64_t{element_size}),
                          selection_error::no_axis, static_cast<index_t>(fill_bytes),
                          static_cast<index_t>(element_size));
}
[[noreturn]] inline void throw_layout_leaves_chunk(std::size_t axis, index_t byte_stride, index_t chunk_bytes) {
    throw selection_error(error_text("source: the layout's byte stride ")
                              .append(byte_stride)
                              .append(" of axis ")
                              .append(std::uint64_t{axis})
                              .append(" leaves the chunk of ")
                              .append(chunk_bytes)
                              .append(" bytes"),
                          axis, byte_stride, chunk_bytes);
}

[[noreturn]] inline void throw_first_leaves_chunk(index_t first_byte, index_t chunk_bytes) {
    throw selection_error(error_text("source: the layout's first element, at byte ")
                              .append(first_byte)
                              .append(", leaves the chunk of ")
                              .append(chunk_bytes)
                              .append(" bytes"),
                          selection_error::no_axis, first_byte, chunk_bytes);
}

/// **Throws** selection_error when elements of a layout lie outside a chunk of chunk_bytes bytes, and when its fill is
/// not one element.
template <std::size_t R>
void require_layout(chunk_layout<R> const& layout, shape<R> const& chunk_shape, index_t chunk_bytes) {
    if (layout.fill.size() != layout.type.size || layout.type.size == 0) {
        throw_fill_size(layout.fill.size(), layout.type.size);
    }
    byte_hull hull{0, layout.first_byte};
    if (layout.first_byte < 0 || !add_into(hull.highest, static_cast<index_t>(layout.type.size)) ||
        hull.highest > chunk_bytes) {
        throw_first_leaves_chunk(layout.first_byte, chunk_bytes);
    }
    for (std::size_t axis = 0; axis < R; ++axis) {
        index_t const byte_stride = layout.byte_strides[axis];
        if (!hull.add_axis(chunk_shape[axis], byte_stride) || hull.lowest < 0 || hull.highest > chunk_bytes) {
            throw_layout_leaves_chunk(axis, byte_stride, chunk_bytes);
        }
    }
}

/// Says in one sentence what a type lacks that is meant to be a ChunkSource. The result is deduced, since g++ 12 puts
/// off other functions until it has complained of all that follows the call.
template <class Source>
constexpr auto require_chunk_source() {
    static_assert(HasGrid<Source>,
                  "slabwise: a ChunkSource needs `grid() const` that returns a slabwise::chunk_grid");
    if constexpr (HasGrid<Source>) {
        static_assert(HasLayout<Source>,
                      "slabwise: a ChunkSource needs `layout() const` that returns a slabwise::chunk_layout of its "
                      "grid's rank, or else a `value_type` and `bool read(coord, std::span<value_type>) const`");
        static_assert(!HasLayout<Source> || ReadsChunks<Source>,
                      "slabwise: a ChunkSource needs `read_chunk(coord, std::span<std::byte>) const` that returns a "
                      "slabwise::chunk_state");
    }
}

}  // namespace detail

}  // namespace slabwise
