// The copy that the fast one is measured by: element by element, in order, without a thought.
#pragma once

#include <cassert>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <slabwise/copy/strided_view.hpp>

namespace slabwise {

/// Copies each element of `source` to the same index of `destination`, in C order. **Expects** equal shapes, and what
/// strided_view::operator() does. **Cost** one index computation of O(R) an element, and no vectors.
template <class Source, class T, std::size_t R>
    requires std::same_as<std::remove_const_t<Source>, T>
constexpr void reference_copy(strided_view<Source, R> source, strided_view<T, R> destination) noexcept {
    assert(source.shape() == destination.shape());
    shape<R> const& counts = destination.shape();
    for (index_t const count : counts) {
        if (count == 0) return;
    }
    coord_t<R> index{};
    for (;;) {
        destination(index) = source(index);
        std::size_t axis = R;
        for (; axis > 0 && ++index[axis - 1] == counts[axis - 1]; --axis) index[axis - 1] = 0;
        if (axis == 0) return;
    }
}

}  // namespace slabwise
