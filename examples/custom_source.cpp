// An array that is computed as it is read: any type with a grid and a way to get one chunk is a source.
//
//     custom_source
#include <cmath>
#include <cstddef>
#include <iostream>
#include <span>
#include <vector>

#include <slabwise/slabwise.hpp>

namespace sw = slabwise;

// A million by a million waves; none is stored anywhere.
struct waves {
    using value_type = double;

    sw::chunk_grid<2> grid() const { return {{1'000'000, 1'000'000}, {64, 64}}; }

    bool read(sw::coord_t<2> const& chunk, std::span<double> values) const {
        for (sw::index_t i = 0; i < 64; ++i) {
            for (sw::index_t j = 0; j < 64; ++j) {
                auto const x = static_cast<double>(64 * chunk[0] + i), y = static_cast<double>(64 * chunk[1] + j);
                values[static_cast<std::size_t>(64 * i + j)] = std::sin(x / 10) * std::cos(y / 10);
            }
        }
        return true;
    }
};

int main() {
    waves const source;
    // Rows 10 and 500,010, columns 40 down to 20 in steps of 10.
    sw::hyperslab const slab{sw::slice{10, 1'000'000, 500'000}, sw::slice{40, 19, -10}};
    auto const values = sw::read<std::vector<double>>(source, slab);
    for (std::size_t row = 0; row < 2; ++row) {
        std::cout << values[3 * row] << ' ' << values[3 * row + 1] << ' ' << values[3 * row + 2] << '\n';
    }

    // Row by row: a reader keeps the last chunk, so that 64 rows compute one chunk.
    sw::reader rows(source);
    std::vector<double> row(64);
    sw::index_t computed = 0;
    for (sw::index_t i = 0; i < 640; ++i) {
        auto const report = rows.read_into(sw::hyperslab{sw::slice{i, i + 1}, sw::slice{0, 64}}, row);
        computed += report.chunks - report.hits;
    }
    std::cout << "640 rows from " << computed << " chunks\n";
}
