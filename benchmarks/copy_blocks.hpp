// Blocks of short rows out of a wider array: the shapes, which ours, memcpy for each row, xtensor and numpy copy.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "copy_case.hpp"
#include "copy_rivals.hpp"

namespace copy_bench {

/// A block of f32 at the origin of a C-ordered array.
struct block {
    std::string name;
    std::vector<index_t> counts;
    std::vector<index_t> array_shape;

    [[nodiscard]] copy_case copy() const {
        std::vector<index_t> strides(counts.size(), 1);
        for (std::size_t d = counts.size() - 1; d-- > 0;) strides[d] = strides[d + 1] * array_shape[d + 1];
        return {name, sizeof(float), counts, strides};
    }
};

/// Rows of 8 to 64 elements, half as long as the array's, in 2-D and in 3-D.
inline std::vector<block> blocks_of_rows() {
    std::vector<block> blocks;
    for (index_t row : {8, 16, 24, 32, 64}) {
        blocks.push_back({"rows_2d:" + std::to_string(row), {256, row}, {256, 2 * row}});
    }
    for (index_t row : {8, 16, 24, 32, 64}) {
        blocks.push_back({"rows_3d:" + std::to_string(row), {48, 40, row}, {48, 64, 2 * row}});
    }
    return blocks;
}

/// A memcpy for each row.
inline side memcpy_per_row(copy_case const& one) {
    constexpr auto element = static_cast<index_t>(sizeof(float));
    auto const row_bytes = static_cast<std::size_t>(one.counts.back() * element);
    if (one.counts.size() == 2) {
        return one.repeated([=, rows = one.counts[0], pitch = one.strides[0] * element] {
            rivals::copy_rows_2d(source_bytes(), pitch, destination(), rows, row_bytes);
        });
    }
    std::array<index_t, 2> const rows{one.counts[0], one.counts[1]};
    std::array<index_t, 2> const pitches{one.strides[0] * element, one.strides[1] * element};
    return one.repeated([=] { rivals::copy_rows_3d(source_bytes(), pitches, destination(), rows, row_bytes); });
}

}  // namespace copy_bench
