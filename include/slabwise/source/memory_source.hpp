// An array in memory as a ChunkSource.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <slabwise/copy/copy_program.hpp>
#include <slabwise/copy/strided_view.hpp>
#include <slabwise/source/chunk_source.hpp>

namespace slabwise {

/// An array in memory, cut into chunks of any shape. It refers to the array, which must outlive it and stay as it is
/// while it is read.
template <class T, std::size_t R>
class memory_source {
public:
    /// **Throws** selection_error for a chunk extent 0 and for a chunk of more than 2^63 - 1 bytes.
    memory_source(strided_view<T const, R> const& array, shape<R> const& chunk_shape)
        : array_(array), grid_(array.shape(), chunk_shape),
          layout_(chunk_layout<R>::c_order(element_type_of<T>, chunk_shape)) {}

    [[nodiscard]] chunk_grid<R> const& grid() const noexcept { return grid_; }
    [[nodiscard]] chunk_layout<R> const& layout() const noexcept { return layout_; }

    /// Copies the part of the chunk that lies inside the array; the rest of `bytes` stays as it is.
    chunk_state read_chunk(coord_t<R> const& coord, std::span<std::byte> bytes) const {
        auto const valid = grid_.valid_extent(coord);
        auto const from = array_.subview(hyperslab<R>::generate([&](std::size_t axis) {
            return slice::counted(coord[axis] * grid_.chunk_shape()[axis], valid[axis]);
        }));
        copy_program const program(sizeof(T), 1, valid, from.byte_strides(), layout_.byte_strides);
        program(reinterpret_cast<std::byte const*>(from.data()), bytes.data());
        return chunk_state::present;
    }

private:
    strided_view<T const, R> array_;
    chunk_grid<R> grid_;
    chunk_layout<R> layout_;
};

template <class T, std::size_t R>
memory_source(strided_view<T, R>, shape<R>) -> memory_source<std::remove_const_t<T>, R>;

}  // namespace slabwise
