#include <slabwise/copy/copy_program.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>

namespace sw = slabwise;
using copy_test::copies_by_every_set;
using copy_test::copy_axis;
using copy_test::index_t;
using guard = copies_by_every_set::guard;
using reads = copies_by_every_set::reads;

namespace {

struct element {
    std::size_t size;
    std::size_t swap_size;
};

constexpr element plain_elements[] = {{1, 1}, {2, 1}, {4, 1}, {8, 1}, {16, 1}, {3, 1}, {6, 1}, {12, 1}, {300, 1}};
constexpr element reversed_elements[] = {{2, 2}, {4, 4},  {8, 8}, {16, 16}, {4, 2},
                                         {8, 4}, {16, 8}, {6, 3}, {12, 4},  {32, 16}};

// The longest row: one element more than two registers of 64 bytes, and some rows of large elements.
index_t longest_row(std::size_t element_size) {
    return std::max<index_t>(2 * 64 / static_cast<index_t>(element_size) + 1, 5);
}

// One, two or three rows, from top to bottom or from bottom to top, at odd distances, so that no axis can be merged.
class rows {
public:
    rows(index_t count, index_t source_byte_stride, index_t destination_byte_stride, index_t element_size)
        : axes_{copy_axis{1 + count % 3, 0, 0}, copy_axis{count, source_byte_stride, destination_byte_stride}} {
        auto const reach = [&](index_t stride) { return std::max<index_t>(count - 1, 0) * std::abs(stride); };
        index_t const source_pitch = reach(source_byte_stride) + element_size + 13;
        axes_[0].source_byte_stride = count % 2 == 0 ? source_pitch : -source_pitch;
        axes_[0].destination_byte_stride = reach(destination_byte_stride) + element_size + 7;
    }
    std::span<copy_axis const> axes() const { return axes_; }

private:
    std::array<copy_axis, 2> axes_;
};

// Every misalignment on either side, each at both guards.
void expect_right_everywhere(copies_by_every_set& copies) {
    for (std::size_t k = 0; k < 64; ++k) {
        copies.expect_right(guard::before, k, (k * 5 + 3) % 64);
        copies.expect_right(guard::after, k, (k * 11 + 1) % 64);
    }
}

// Every pair of misalignments within 16 bytes.
void expect_right_at_all_pairs(copies_by_every_set& copies) {
    for (std::size_t source = 0; source < 16; ++source) {
        for (std::size_t destination = 0; destination < 16; ++destination) {
            copies.expect_right(guard::before, source, destination);
        }
    }
}

// The two guards.
void expect_right(copies_by_every_set& copies) {
    copies.expect_right(guard::before, 0, 5);
    copies.expect_right(guard::after, 0, 14);
}

// Rows of every length that are contiguous in the destination.
void expect_contiguous_rows(copies_by_every_set& copies, element const& each, index_t source_byte_stride) {
    auto const size = static_cast<index_t>(each.size);
    for (index_t count = 0; count <= longest_row(each.size); ++count) {
        rows const made(count, source_byte_stride, size, size);
        copies.prepare(each.size, each.swap_size, made.axes(), reads::each_row);
        if (std::abs(source_byte_stride) > 16 * size) {
            expect_right(copies);
        } else if (count == longest_row(each.size) || count == 64 / size + 1 || count == 17) {
            expect_right_at_all_pairs(copies);
        } else {
            expect_right_everywhere(copies);
        }
        if (copies.has_failed()) return;
    }
}

// Rows of every length that leave gaps in the destination, or go backwards through it.
void expect_strided_rows(copies_by_every_set& copies, element const& each) {
    auto const size = static_cast<index_t>(each.size);
    index_t const destination_byte_strides[] = {-size, 2 * size, 3 * size, 5 * size, -2 * size, size + 1};
    index_t const source_byte_strides[] = {size, 2 * size, 3 * size, -size, size + 1, 0};
    for (index_t const destination : destination_byte_strides) {
        for (index_t const source : source_byte_strides) {
            for (index_t count = 0; count <= longest_row(each.size); ++count) {
                rows const made(count, source, destination, size);
                copies.prepare(each.size, each.swap_size, made.axes(), reads::each_row);
                expect_right(copies);
                copies.expect_right(guard::before, static_cast<std::size_t>(count % 64), 1);
                if (copies.has_failed()) return;
            }
        }
    }
}

}  // namespace

// C1, C2
TEST(kernels, contiguous_rows_of_elements_from_every_stride) {
    copies_by_every_set copies(std::size_t{1} << 23, std::size_t{1} << 13);
    for (element const& each : plain_elements) {
        auto const size = static_cast<index_t>(each.size);
        for (index_t stride = -9; stride <= 9; ++stride) expect_contiguous_rows(copies, each, stride * size);
        for (index_t const stride : {16, 17, 64, 1000}) expect_contiguous_rows(copies, each, stride * size);
        for (index_t const stride : {size + 1, 2 * size + 1, 3 * size + 1, 4 * size + 1, 8 * size + 1, -size - 1}) {
            expect_contiguous_rows(copies, each, stride);
        }
    }
}

TEST(kernels, contiguous_rows_of_reversed_words_from_every_stride) {
    copies_by_every_set copies(std::size_t{1} << 16, std::size_t{1} << 13);
    for (element const& each : reversed_elements) {
        auto const size = static_cast<index_t>(each.size);
        for (index_t const stride : {-3, -2, -1, 0, 1, 2, 3, 4, 8}) expect_contiguous_rows(copies, each, stride * size);
        for (index_t const stride : {size + 1, 2 * size + 1, -size - 1}) expect_contiguous_rows(copies, each, stride);
    }
}

TEST(kernels, rows_that_are_not_contiguous_in_the_destination) {
    copies_by_every_set copies(std::size_t{1} << 16, std::size_t{1} << 16);
    for (element const& each : plain_elements) expect_strided_rows(copies, each);
    for (element const& each : reversed_elements) expect_strided_rows(copies, each);
}

// Elements of which each becomes a row of its own, as the channels of an image do.
TEST(kernels, interleaved_rows_that_come_apart) {
    copies_by_every_set copies(std::size_t{1} << 16, std::size_t{1} << 16);
    for (std::span<element const> const elements : {std::span<element const>(plain_elements), {reversed_elements}}) {
        for (element const& each : elements) {
            auto const size = static_cast<index_t>(each.size);
            for (index_t const channels : {2, 3, 4, 8}) {
                for (index_t count = 0; count <= longest_row(each.size); ++count) {
                    copy_axis const axes[] = {{channels, size, count * size + 5}, {count, channels * size, size}};
                    copies.prepare(each.size, each.swap_size, axes);
                    expect_right(copies);
                    copies.expect_right(guard::before, static_cast<std::size_t>(count % 64), 1);
                    if (copies.has_failed()) return;
                }
            }
        }
    }
}

// Rows about as long as those for which another register, or another way to store, is chosen.
TEST(kernels, long_rows) {
    copies_by_every_set copies(std::size_t{1} << 20, std::size_t{1} << 18);
    for (element const& each : {element{1, 1}, {2, 1}, {4, 1}, {8, 1}, {2, 2}, {4, 4}, {8, 8}}) {
        auto const size = static_cast<index_t>(each.size);
        for (index_t const row_bytes : {4096, 16384, 32768}) {
            for (index_t const stride : {1, 2, 3, 4, 8, -1}) {
                for (index_t more = -1; more <= 1; ++more) {
                    index_t const count = row_bytes / size + more;
                    copy_axis const axes[] = {{2, stride * size * count + 9, size * count + 11},
                                              {count, stride * size, size}};
                    copies.prepare(each.size, each.swap_size, axes);
                    expect_right(copies);
                    if (copies.has_failed()) return;
                }
            }
        }
    }
}

// So much that it would push everything else out of the cache: with rows at every alignment to words, at none, and one
// row. They share their source, so that it stays small.
TEST(kernels, rows_beyond_the_cache) {
    constexpr index_t beyond = (index_t{16} << 20) + 4096;
    copies_by_every_set copies(std::size_t{18} << 20, std::size_t{18} << 20);
    struct {
        element each;
        index_t stride, row_count, gap;
        std::size_t misalignment;
    } const cases[] = {
        {{1, 1}, 2, 67, 5, 3},  {{2, 1}, -1, 4000, 2, 62}, {{4, 1}, 3, 67, 12, 20}, {{4, 1}, 4, 67, 68, 16},
        {{8, 1}, 2, 67, 8, 56}, {{8, 1}, 3, 67, 72, 8},    {{8, 1}, -1, 1, 0, 40},  {{4, 1}, 3, 67, 5, 4},
        {{4, 1}, 3, 67, 8, 6},  {{2, 2}, 1, 67, 2, 6},     {{4, 4}, 2, 67, 60, 60}, {{8, 8}, 2, 67, 16, 0},
    };
    for (auto const& [each, stride, row_count, gap, misalignment] : cases) {
        auto const size = static_cast<index_t>(each.size);
        index_t const count = beyond / size / row_count + 1;
        copy_axis const axes[] = {{row_count, 3 * size, size * count + gap}, {count, stride * size, size}};
        copies.prepare(each.size, each.swap_size, axes);
        copies.expect_right(stride < 0 ? guard::before : guard::after, 0, misalignment);
        if (copies.has_failed()) return;
    }
}

// What the constructor makes of them is one run, or one row of words.
TEST(kernels, contiguous_copies_of_every_length) {
    copies_by_every_set copies(std::size_t{1} << 16, std::size_t{1} << 13);
    for (std::span<element const> const elements : {std::span<element const>(plain_elements), {reversed_elements}}) {
        for (element const& each : elements) {
            auto const size = static_cast<index_t>(each.size);
            for (index_t count = 0; count <= longest_row(each.size); ++count) {
                copy_axis const axes[] = {{count, size, size}};
                copies.prepare(each.size, each.swap_size, axes);
                expect_right_everywhere(copies);
                if (copies.has_failed()) return;
            }
        }
    }
}

// Rows and planes of runs, of every length up to those that are left to memcpy.
TEST(kernels, runs_of_every_length) {
    copies_by_every_set copies(std::size_t{1} << 16, std::size_t{1} << 14);
    for (std::size_t size = 1; size <= 600; size += size < 300 ? 1 : 23) {
        auto const run = static_cast<index_t>(size);
        for (index_t const gap : {index_t{1}, index_t{16}, -2 * run - 3}) {
            copy_axis const axes[] = {{2, 11 * (run + 20), 4 * run + 41}, {3, run + gap, run + std::abs(gap) % 5}};
            copies.prepare(size, 1, axes);
            ASSERT_EQ(sw::copy_program(size, 1, axes).unit_size(), size);
            for (std::size_t k = 0; k < 4; ++k) {
                copies.expect_right(guard::before, k * 5 % 16, k * 3);
                copies.expect_right(guard::after, k, 63 - k * 7);
            }
            if (copies.has_failed()) return;
        }
    }
}

// One element to all places of a row; what is written doubles up to 4096 bytes.
TEST(kernels, repeats_of_every_length) {
    copies_by_every_set copies(std::size_t{1} << 13, std::size_t{1} << 17);
    for (element const& each : plain_elements) {
        auto const size = static_cast<index_t>(each.size);
        for (index_t const row_bytes : {512, 4094, 4096, 4098, 4100, 8191, 8192, 8208, 12288, 12300, 20000}) {
            for (index_t const source_pitch : {index_t{0}, size, -size - 3}) {
                for (index_t row = row_bytes / size; row <= row_bytes / size + 1; ++row) {
                    copy_axis const axes[] = {{3, source_pitch, (row + 1) * size + 1}, {row, 0, size}};
                    copies.prepare(each.size, 1, axes);
                    expect_right(copies);
                    if (copies.has_failed()) return;
                }
            }
        }
    }
}

namespace {

// Byte strides of a nest in the given order of the axes, the first of which has a step of its own.
void nest(std::span<std::size_t const> order, std::span<index_t const> counts, index_t step, index_t element_size,
          copy_test::random& numbers, std::span<index_t> byte_strides) {
    index_t reach = std::max(std::abs(step), element_size);
    bool is_first = true;
    for (std::size_t const axis : order) {
        if (numbers.chance(30)) reach += is_first ? 0 : numbers.number(1, 9);
        byte_strides[axis] = is_first ? step : numbers.chance(20) ? -reach : reach;
        reach *= counts[axis];
        is_first = false;
    }
}

void shuffle(std::span<std::size_t> order, copy_test::random& numbers) {
    for (std::size_t i = order.size(); i-- > 1;) {
        std::swap(order[i], order[numbers.number<std::size_t>(0, static_cast<index_t>(i))]);
    }
}

// Axes of which one or two are long; mostly contiguous along one of them on either side.
struct random_program {
    std::array<copy_axis, 5> axes{};
    std::array<std::vector<index_t>, 5> tables;
    std::size_t rank;

    random_program(index_t element_size, copy_test::random& numbers) : rank(numbers.number<std::size_t>(1, 5)) {
        std::array<std::size_t, 5> ranked{0, 1, 2, 3, 4};
        std::span<std::size_t> const order(ranked.data(), rank);
        std::array<index_t, 5> counts{}, from{}, to{};
        shuffle(order, numbers);
        index_t elements = 1;
        for (std::size_t i = 0; i < rank; ++i) {
            bool const is_long = i == 0 || (i == 1 && numbers.chance(50));
            counts[order[i]] = std::min(numbers.number(1, is_long ? 150 : 4), 20000 / elements / element_size + 1);
            elements *= counts[order[i]];
        }
        if (numbers.chance(1)) counts[order[0]] = 0;
        constexpr index_t steps[] = {1, 1, 1, 2, 2, 3, 4, 5, 8, -1, -1, -2};
        nest(order, counts, element_size, element_size, numbers, to);
        if (numbers.chance(20)) to[order[0]] *= -1;
        if (numbers.chance(50)) shuffle(order, numbers);
        nest(order, counts, steps[numbers.number<std::size_t>(0, std::size(steps) - 1)] * element_size, element_size,
             numbers, from);
        for (std::size_t i = 0; i < rank; ++i) {
            if (numbers.chance(5)) from[i] = 0;
            axes[i] = {counts[i], from[i], to[i]};
            if (counts[i] == 0 || !numbers.chance(5)) continue;
            tables[i].resize(static_cast<std::size_t>(counts[i]));
            for (index_t& offset : tables[i]) offset = numbers.number(-500, 500);
            axes[i].source_offsets = tables[i].data();
        }
    }
};

}  // namespace

// C1, C2, C4
TEST(kernels, random_programs_by_every_set) {
    copy_test::random numbers(21);
    copies_by_every_set copies(std::size_t{1} << 22, std::size_t{1} << 20, 22);
    for (int trial = 0; trial < 300; ++trial) {
        for (std::span<element const> const elements :
             {std::span<element const>(plain_elements), {reversed_elements}}) {
            for (element const& each : elements) {
                random_program const made(static_cast<index_t>(each.size), numbers);
                copies.prepare(each.size, each.swap_size, {made.axes.data(), made.rank});
                auto const distance = numbers.number<std::size_t>(0, 15);
                copies.expect_right(guard::before, distance, numbers.number<std::size_t>(0, 63));
                copies.expect_right(guard::after, distance / 4, numbers.number<std::size_t>(0, 63));
                if (copies.has_failed()) return;
            }
        }
    }
}
