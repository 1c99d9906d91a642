// Reading for tests: a whole array chunk by chunk, then any slices of it, one element at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include <slabwise/index/hyperslab.hpp>
#include <slabwise/zarr/array.hpp>

/// Calls f(index) for each index of an array of that shape, in C order.
template <std::size_t R, class F>
void for_each_index(slabwise::shape<R> const& shape, F f) {
    slabwise::coord_t<R> index{};
    for (slabwise::index_t n = shape.element_count(); n > 0; --n) {
        f(index);
        for (std::size_t axis = R; axis-- > 0;) {
            if (++index[axis] < shape[axis]) break;
            index[axis] = 0;
        }
    }
}

/// All elements in C order, little-endian.
template <std::size_t R>
std::vector<std::byte> whole_array(slabwise::zarr::array<R> const& array) {
    auto const& grid = array.grid();
    auto const& layout = array.layout();
    std::size_t const size = layout.type.size;
    std::size_t const word = layout.byte_order == std::endian::big ? layout.type.swap_size() : 1;
    std::vector<std::byte> out(static_cast<std::size_t>(grid.shape().element_count()) * size);
    std::vector<std::byte> chunk(array.metadata().chunk_bytes());
    for_each_index<R>(grid.chunk_counts(), [&](auto const& coord) {
        bool const is_present = array.read_chunk(coord, chunk) == slabwise::chunk_state::present;
        for_each_index<R>(grid.valid_extent(coord), [&](auto const& local) {
            std::size_t from = 0;
            std::size_t to = 0;
            for (std::size_t axis = 0; axis != R; ++axis) {
                from += static_cast<std::size_t>(local[axis] * layout.byte_strides[axis]);
                auto const index = static_cast<std::size_t>(coord[axis] * grid.chunk_shape()[axis] + local[axis]);
                to = to * static_cast<std::size_t>(grid.shape()[axis]) + index;
            }
            std::byte* const element = out.data() + to * size;
            std::memcpy(element, is_present ? chunk.data() + from : layout.fill.data(), size);
            for (std::size_t at = 0; at < size; at += word) std::reverse(element + at, element + at + word);
        });
    });
    return out;
}

/// The elements of a slab, in C order, of what whole_array gave.
template <std::size_t R>
std::vector<std::byte> sliced(std::vector<std::byte> const& whole, slabwise::shape<R> const& shape, std::size_t size,
                              slabwise::hyperslab<R> const& slab) {
    std::vector<std::byte> out;
    for_each_index<R>(slab.shape(), [&](auto const& index) {
        std::size_t from = 0;
        for (std::size_t axis = 0; axis != R; ++axis) {
            from = from * static_cast<std::size_t>(shape[axis]) + static_cast<std::size_t>(slab[axis][index[axis]]);
        }
        auto const element = whole.begin() + static_cast<std::ptrdiff_t>(from * size);
        out.insert(out.end(), element, element + static_cast<std::ptrdiff_t>(size));
    });
    return out;
}
