// Which byte ranges of which chunks does a selection need? The slice math alone answers: no file is opened, and nothing
// but slabwise::plan and the standard library is used.
//
//     plan_only
#include <iostream>

#include <slabwise/index/byte_strides.hpp>
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;

// Daily rainfall: 365 days, 180 latitudes, 360 longitudes, in chunks of 100 x 60 x 120 numbers of 4 bytes.
constexpr sw::chunk_grid<3> grid{{365, 180, 360}, {100, 60, 120}};
constexpr sw::index_t element_size = 4;

// Every hundredth day from day 50 on, the latitudes 61 down to 58, the longitudes 180 and 181.
constexpr sw::hyperslab<3> selected{sw::slice{50, 365, 100}, sw::slice{61, 57, -1}, sw::slice{180, 182}};
constexpr auto plan = sw::make_plan(grid, selected);

// All of this is known before the program runs.
static_assert(plan.size() == 4 * 2 * 1);
static_assert(plan.shape() == sw::shape<3>{4, 4, 2});
static_assert(plan.cost(element_size).bytes_used == 4 * 4 * 2 * 4);

int main() {
    auto const bytes = sw::c_order_byte_strides(grid.chunk_shape(), element_size);
    for (auto const part : plan) {
        auto const chunk = part.coord();
        std::cout << "chunk " << chunk[0] << '.' << chunk[1] << '.' << chunk[2] << '\n';
        // The last axis has stride 1, so that each of its rows is one run of bytes.
        auto const [days, latitudes, longitudes] = part.in_chunk().slices();
        for (sw::index_t i = 0; i < days.count(); ++i) {
            for (sw::index_t j = 0; j < latitudes.count(); ++j) {
                sw::index_t const first = days[i] * bytes[0] + latitudes[j] * bytes[1] + longitudes.first() * bytes[2];
                std::cout << "    bytes " << first << " to " << first + longitudes.count() * element_size << '\n';
            }
        }
    }
    auto const cost = plan.cost(element_size);
    std::cout << cost.chunks << " chunks: " << cost.bytes_used << " bytes in " << cost.contiguous_runs << " runs, of "
              << cost.bytes_chunks << " bytes in whole chunks\n";
}
