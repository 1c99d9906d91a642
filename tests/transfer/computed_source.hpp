// An array of any layout whose elements follow from their index, as a source that counts, records and fails as asked;
// and the brute force that says what a read of it must give.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

#include <seeded_random.hpp>
#include <slabwise/plan/list_axis.hpp>
#include <slabwise/source/chunk_source.hpp>

namespace transfer_test {

using slabwise::coord_t;
using slabwise::index_t;
using bytes = std::vector<std::byte>;

/// Calls visit(index) for each index of a shape, in C order.
template <std::size_t R, class Visit>
void for_each_index(slabwise::shape<R> const& extents, Visit visit) {
    coord_t<R> index{};
    for (index_t left = extents.element_count(); left > 0; --left) {
        visit(index);
        for (std::size_t axis = R; axis-- > 0;) {
            if (++index[axis] < extents[axis]) break;
            index[axis] = 0;
        }
    }
}

/// Elements of `type` at places in memory that no two share: byte strides of a nest in a random order of its axes,
/// with gaps or without, forwards or (where it may) backwards.
template <std::size_t R>
std::array<index_t, R> random_byte_strides(slabwise::shape<R> const& extents, std::size_t element_size,
                                           slabwise_test::random_numbers& numbers, bool has_gaps) {
    std::array<std::size_t, R> order{};
    for (std::size_t i = 0; i < R; ++i) order[i] = i;
    for (std::size_t i = R; i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(numbers.number(0, static_cast<index_t>(i) - 1))]);
    }
    std::array<index_t, R> byte_strides{};
    auto byte_stride = static_cast<index_t>(element_size);
    for (std::size_t const axis : order) {
        if (has_gaps) byte_stride += numbers.number(0, 7);
        byte_strides[axis] = has_gaps && numbers.number(0, 2) == 0 ? -byte_stride : byte_stride;
        byte_stride *= std::max<index_t>(extents[axis], 1);
    }
    return byte_strides;
}

template <std::size_t R>
class computed_source {
public:
    computed_source(slabwise::chunk_grid<R> const& grid, slabwise::chunk_layout<R> const& layout)
        : grid_(grid), layout_(layout) {}

    [[nodiscard]] slabwise::chunk_grid<R> const& grid() const { return grid_; }
    [[nodiscard]] slabwise::chunk_layout<R> const& layout() const { return layout_; }

    slabwise::chunk_state read_chunk(coord_t<R> const& coord, std::span<std::byte> out) const {
        coords.push_back(coord);
        spans.push_back(out);
        if (static_cast<index_t>(coords.size()) == fails_at) {
            std::fill(out.begin(), out.end(), std::byte{0xdd});
            throw std::runtime_error("no such luck");
        }
        if (is_absent(coord)) return slabwise::chunk_state::absent;
        auto const size = layout_.type.size;
        if (out.size() != static_cast<std::size_t>(grid_.chunk_elements()) * size)
            throw std::logic_error("size of span");
        std::fill(out.begin(), out.end(), std::byte{0xee});
        std::size_t const word = layout_.byte_order == std::endian::native ? 1 : layout_.type.swap_size();
        for_each_index<R>(grid_.valid_extent(coord), [&](coord_t<R> const& local) {
            coord_t<R> index{};
            index_t byte = 0;
            for (std::size_t axis = 0; axis < R; ++axis) {
                index[axis] = coord[axis] * grid_.chunk_shape()[axis] + local[axis];
                byte += local[axis] * layout_.byte_strides[axis];
            }
            bytes element = computed(index);
            for (std::size_t at = 0; at < size; at += word) {
                std::reverse(element.begin() + static_cast<index_t>(at),
                             element.begin() + static_cast<index_t>(at + word));
            }
            std::copy(element.begin(), element.end(), out.begin() + byte);
        });
        return slabwise::chunk_state::present;
    }

    /// What a read must give for one element: in native byte order, the fill where its chunk is absent.
    [[nodiscard]] bytes element(coord_t<R> const& index) const {
        coord_t<R> coord{};
        for (std::size_t axis = 0; axis < R; ++axis) coord[axis] = index[axis] / grid_.chunk_shape()[axis];
        return is_absent(coord) ? native_fill : computed(index);
    }

    std::function<bool(coord_t<R> const&)> is_absent = [](coord_t<R> const&) { return false; };
    /// The fill in native byte order, said apart from layout().fill so that they are compared.
    bytes native_fill;
    /// Which call of read_chunk throws, from 1; 0 for none.
    index_t fails_at = 0;
    /// What was asked for.
    mutable std::vector<coord_t<R>> coords;
    mutable std::vector<std::span<std::byte>> spans;

private:
    [[nodiscard]] bytes computed(coord_t<R> const& index) const {
        std::uint64_t ordinal = 1;
        for (std::size_t axis = 0; axis < R; ++axis) {
            ordinal =
                ordinal * static_cast<std::uint64_t>(grid_.shape()[axis] + 1) + static_cast<std::uint64_t>(index[axis]);
        }
        bytes result(layout_.type.size);
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < result.size(); ++i) {
            if (i % 8 == 0) bits = (bits + ordinal) * 0x9e3779b97f4a7c15U, bits ^= bits >> 29;
            result[i] = static_cast<std::byte>(bits >> (8 * (i % 8)));
        }
        return result;
    }

    slabwise::chunk_grid<R> grid_;
    slabwise::chunk_layout<R> layout_;
};

/// A source of random byte order, byte strides and fill; about a third of its chunks are absent.
template <std::size_t R>
computed_source<R> random_source(slabwise::chunk_grid<R> const& grid, slabwise::element_type type,
                                 slabwise_test::random_numbers& numbers) {
    slabwise::chunk_layout<R> layout = slabwise::chunk_layout<R>::c_order(type, grid.chunk_shape());
    if (numbers.number(0, 1) == 1) {
        layout.byte_strides = random_byte_strides(grid.chunk_shape(), type.size, numbers, false);
    }
    bytes native_fill(type.size);
    for (auto& each : native_fill) each = static_cast<std::byte>(numbers.number(1, 255));
    layout.fill = native_fill;
    if (numbers.number(0, 1) == 1) {
        layout.byte_order = std::endian::native == std::endian::little ? std::endian::big : std::endian::little;
        auto const word = static_cast<index_t>(type.swap_size());
        for (auto at = layout.fill.begin(); at != layout.fill.end(); at += word) std::reverse(at, at + word);
    }
    computed_source<R> source(grid, layout);
    source.native_fill = native_fill;
    auto const salt = static_cast<std::uint64_t>(numbers.number(1, 1000));
    source.is_absent = [salt](coord_t<R> const& coord) {
        std::uint64_t mixed = salt;
        for (index_t const each : coord) mixed = mixed * 31 + static_cast<std::uint64_t>(each);
        return mixed % 3 == 0;
    };
    return source;
}

/// The indices that a selector lists.
inline std::vector<index_t> indices_of(slabwise::slice const& selected) {
    std::vector<index_t> indices;
    for (index_t i = 0; i < selected.count(); ++i) indices.push_back(selected.first() + i * selected.stride());
    return indices;
}
inline std::vector<index_t> indices_of(index_t index) { return {index}; }
inline std::vector<index_t> indices_of(slabwise::index_list const& list) {
    return {list.indices().begin(), list.indices().end()};
}

/// Memory for elements of any byte strides, poisoned, with sentinels on both sides.
template <std::size_t R>
struct destination {
    destination(slabwise::shape<R> const& extents, std::array<index_t, R> const& strides, std::size_t element_size,
                slabwise_test::random_numbers& numbers)
        : byte_strides(strides) {
        index_t highest = static_cast<index_t>(element_size);
        for (std::size_t axis = 0; axis < R; ++axis) {
            index_t const reach = std::max<index_t>(extents[axis] - 1, 0) * strides[axis];
            (reach < 0 ? first : highest) += reach < 0 ? -reach : reach;
        }
        memory.resize(static_cast<std::size_t>(first + highest + 2 * first_sentinels));
        for (auto& each : memory) each = static_cast<std::byte>(numbers.number(0, 255));
        first += first_sentinels;
        expected = memory;
    }

    [[nodiscard]] std::byte* data() { return memory.data() + first; }

    static constexpr index_t first_sentinels = 64;
    std::array<index_t, R> byte_strides;
    index_t first = 0;
    bytes memory;
    /// The memory as it must be afterwards; expect() writes here.
    bytes expected;
};

/// Writes to `to.expected` what a read must leave: loops over the products of listed indices, element by element.
template <std::size_t R, std::size_t Kept>
void expect(computed_source<R> const& source, std::array<std::vector<index_t>, R> const& selected,
            std::array<std::size_t, Kept> const& kept_axes, destination<Kept>& to) {
    std::array<index_t, R> counts{};
    for (std::size_t axis = 0; axis < R; ++axis) counts[axis] = static_cast<index_t>(selected[axis].size());
    for_each_index<R>(counts, [&](coord_t<R> const& at) {
        coord_t<R> index{};
        for (std::size_t axis = 0; axis < R; ++axis) index[axis] = selected[axis][static_cast<std::size_t>(at[axis])];
        index_t byte = to.first;
        for (std::size_t kept = 0; kept < Kept; ++kept) byte += at[kept_axes[kept]] * to.byte_strides[kept];
        bytes const element = source.element(index);
        std::copy(element.begin(), element.end(), to.expected.begin() + byte);
    });
}

}  // namespace transfer_test
