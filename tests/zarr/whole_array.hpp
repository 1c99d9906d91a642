// Reading for tests: a whole array chunk by chunk, one element at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <slabwise/zarr/array.hpp>

/// Calls f(index) for each index of an array of that shape, in C order.
template <class F>
void for_each_index(std::vector<slabwise::index_t> const& shape, F f) {
    slabwise::index_t count = 1;
    for (slabwise::index_t const extent : shape) count *= extent;
    std::vector<slabwise::index_t> index(shape.size());
    for (; count > 0; --count) {
        f(index);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            if (++index[axis] < shape[axis]) break;
            index[axis] = 0;
        }
    }
}

/// All elements in C order, little-endian.
inline std::string whole_array(slabwise::zarr::any_array const& array) {
    using index = std::vector<slabwise::index_t>;
    auto const& metadata = array.metadata();
    auto const read_chunk = array.visit([](auto const& typed) {
        return std::function([typed](index const& at, std::span<std::byte> to) {
            std::remove_cvref_t<decltype(typed.grid().shape().extents())> coord{};
            for (std::size_t axis = 0; axis < at.size(); ++axis) coord[axis] = at[axis];
            return typed.read_chunk(coord, to);
        });
    });
    std::size_t const size = metadata.type.size;
    std::size_t const word = metadata.byte_order == std::endian::big ? metadata.type.swap_size() : 1;
    std::size_t count = size;
    index chunk_counts;
    for (std::size_t axis = 0; axis < metadata.rank(); ++axis) {
        count *= static_cast<std::size_t>(metadata.shape[axis]);
        chunk_counts.push_back(slabwise::ceil_divide(metadata.shape[axis], metadata.chunk_shape[axis]));
    }
    std::string out(count, '#');
    std::vector<std::byte> chunk(metadata.chunk_bytes());
    for_each_index(chunk_counts, [&](index const& coord) {
        bool const is_present = read_chunk(coord, chunk) == slabwise::chunk_state::present;
        std::size_t from = 0;
        for_each_index(metadata.chunk_shape, [&](index const& local) {
            std::byte const* const element = is_present ? chunk.data() + from : metadata.fill.data();
            from += size;
            std::size_t to = 0;
            for (std::size_t axis = 0; axis < local.size(); ++axis) {
                auto const place = coord[axis] * metadata.chunk_shape[axis] + local[axis];
                if (place >= metadata.shape[axis]) return;
                to = to * static_cast<std::size_t>(metadata.shape[axis]) + static_cast<std::size_t>(place);
            }
            char* const destination = out.data() + to * size;
            std::memcpy(destination, element, size);
            for (std::size_t at = 0; at < size; at += word) std::reverse(destination + at, destination + at + word);
        });
    });
    return out;
}
