#include <slabwise/copy/copy_program.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>

using copy_test::copies_by_every_set;
using copy_test::copy_axis;
using copy_test::index_t;
using guard = copies_by_every_set::guard;
using reads = copies_by_every_set::reads;

namespace {

constexpr std::size_t element_sizes[] = {1, 2, 4, 8, 16, 3};
constexpr index_t extents[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100, 129, 200};

// Where the axes of an array begin again: dense, or with some bytes between its rows and between its planes.
template <std::size_t R>
std::array<index_t, R> byte_strides_of(std::array<index_t, R> const& counts, index_t element_size, index_t padding) {
    std::array<index_t, R> strides{};
    index_t stride = element_size;
    for (std::size_t axis = R; axis-- > 0;) {
        strides[axis] = stride;
        stride = stride * counts[axis] + padding;
    }
    return strides;
}

// A plane of rows that become columns. **Units** bytes.
struct plane {
    index_t source_padding;
    index_t destination_padding;
    bool source_rows_upwards;
};
constexpr plane planes[] = {{0, 0, false}, {5, 11, false}, {3, 0, true}, {16, 64, true}};

void expect_transpose(copies_by_every_set& copies, std::size_t element_size, index_t rows, index_t columns,
                      plane const& each) {
    auto const size = static_cast<index_t>(element_size);
    index_t const source_pitch = columns * size + each.source_padding;
    copy_axis const axes[] = {{rows, each.source_rows_upwards ? -source_pitch : source_pitch, size},
                              {columns, size, rows * size + each.destination_padding}};
    // Short rows are not worth tiles: their columns may be gathered from all that lies between their elements.
    bool const has_room_for_tiles = rows * size >= 16 && columns * size >= 16;
    copies.prepare(element_size, 1, axes, has_room_for_tiles ? reads::each_row : reads::everything);
    auto const n = static_cast<std::size_t>(rows + 3 * columns);
    copies.expect_right(guard::before, each.source_padding == 0 ? n % 16 : 0, n % 64);
    copies.expect_right(guard::after, 0, n % 61);
}

}  // namespace

// C1, C2
TEST(transpose, planes_of_every_shape) {
    copies_by_every_set copies(std::size_t{1} << 20, std::size_t{1} << 20);
    for (std::size_t const size : element_sizes) {
        for (index_t const rows : extents) {
            for (index_t const columns : extents) {
                if (rows == columns) continue;
                for (plane const& each : planes) {
                    expect_transpose(copies, size, rows, columns, each);
                    if (copies.has_failed()) return;
                }
            }
        }
    }
}

TEST(transpose, every_misalignment) {
    copies_by_every_set copies(std::size_t{1} << 16, std::size_t{1} << 16);
    for (std::size_t const size : element_sizes) {
        auto const element_size = static_cast<index_t>(size);
        copy_axis const axes[] = {{33, -(17 * element_size + 3), element_size},
                                  {17, element_size, 33 * element_size + 9}};
        copies.prepare(size, 1, axes, reads::each_row);
        for (std::size_t source = 0; source < 16; ++source) {
            for (std::size_t destination = 0; destination < 16; ++destination) {
                copies.expect_right(guard::before, source, destination);
            }
        }
        if (copies.has_failed()) return;
    }
}

TEST(transpose, permutations_of_three_axes) {
    copies_by_every_set copies(std::size_t{1} << 18, std::size_t{1} << 18);
    using three = std::array<index_t, 3>;
    for (three const& counts : {three{17, 33, 9}, three{33, 5, 18}, three{2, 40, 21}, three{35, 16, 1}}) {
        for (auto const& order : {std::array{2, 1, 0}, {2, 0, 1}, {1, 2, 0}, {0, 2, 1}, {1, 0, 2}}) {
            for (std::size_t const size : element_sizes) {
                for (index_t const padding : {0, 5}) {
                    auto const element_size = static_cast<index_t>(size);
                    three const source = byte_strides_of(counts, element_size, padding);
                    three permuted_counts{}, destination{};
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        permuted_counts[axis] = counts[static_cast<std::size_t>(order[axis])];
                    }
                    three const permuted = byte_strides_of(permuted_counts, element_size, padding);
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        destination[static_cast<std::size_t>(order[axis])] = permuted[axis];
                    }
                    std::array<copy_axis, 3> axes;
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        axes[axis] = {counts[axis], source[axis], destination[axis]};
                    }
                    copies.prepare(size, 1, axes);
                    copies.expect_right(guard::before, 0, 1);
                    copies.expect_right(guard::after, 0, 10);
                    if (copies.has_failed()) return;
                }
            }
        }
    }
}

// Arrays so large that the lines that are next are asked for, rather wide, rather high, and in planes.
TEST(transpose, beyond_the_cache) {
    copies_by_every_set copies(std::size_t{1} << 22, std::size_t{1} << 22);
    for (index_t const size : {1, 2, 4, 8}) {
        for (auto const& [rows, columns] : {std::array<index_t, 2>{700, 600 * 4 / size}, {4000 / size, 283}}) {
            copy_axis const axes[] = {{rows, columns * size + 24, size}, {columns, size, rows * size + 3}};
            copies.prepare(static_cast<std::size_t>(size), 1, axes, reads::each_row);
            copies.expect_right(guard::after, 0, 7);
            copies.expect_right(guard::before, 0, 0);
            if (copies.has_failed()) return;
        }
    }
}
