// Fills a strided array with one element: the values of a chunk that is absent.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include <slabwise/copy/copy_program.hpp>
#include <slabwise/copy/kernels.hpp>

namespace slabwise {

/// Reverses the bytes of each word of swap_size bytes in place: turns a fill element into the byte order of the
/// destination, once. swap_size 1 changes nothing. **Expects** the size a multiple of swap_size.
inline void reverse_words(std::span<std::byte> bytes, std::size_t swap_size) noexcept {
    assert(swap_size > 0 && bytes.size() % swap_size == 0);
    for (std::size_t word = 0; word < bytes.size(); word += swap_size) {
        for (std::size_t i = 0; i < swap_size / 2; ++i) {
            std::byte const first = bytes[word + i];
            bytes[word + i] = bytes[word + swap_size - 1 - i];
            bytes[word + swap_size - 1 - i] = first;
        }
    }
}

/// A prepared fill: the copy program whose source is one element over and over. It differs from a copy program in that
/// the source of its axes does not count.
class fill_program {
public:
    /// Fills elements of element_size bytes on the destination side of the axes. **Throws**, **Expects**, **Cost** as
    /// copy_program.
    fill_program(std::size_t element_size, std::span<copy_axis const> axes) : program_(prepare(element_size, axes)) {}

    /// The same for axes that all have byte strides.
    template <std::size_t R>
    fill_program(std::size_t element_size, shape<R> const& counts, std::array<index_t, R> const& byte_strides)
        : program_(element_size, 1, counts, std::array<index_t, R>{}, byte_strides) {}

    /// Writes the element, in the byte order of the destination, to every place; `destination` is the element of
    /// index 0 on all axes. **Expects** that the element lies outside the destination.
    void operator()(std::byte const* element, std::byte* destination) const noexcept { program_(element, destination); }

private:
    static copy_program prepare(std::size_t element_size, std::span<copy_axis const> axes) {
        if (axes.size() > copy_program::max_axes) {
            detail::throw_too_many_axes(axes.size(), copy_program::max_axes);
        }
        std::array<copy_axis, copy_program::max_axes> from_one;
        for (std::size_t i = 0; i < axes.size(); ++i) {
            from_one[i] = {axes[i].count, 0, axes[i].destination_byte_stride, nullptr, axes[i].destination_offsets};
        }
        return {element_size, 1, std::span<copy_axis const>(from_one.data(), axes.size())};
    }

    copy_program program_;
};

}  // namespace slabwise
