// The points of the plot of speed against stride.
#pragma once

#include <cstdio>
#include <vector>

#include "copy_strided.hpp"

namespace copy_bench {

template <class Use>
void for_each_plot_point(Use use) {
    for (level const& at : {L1, L2}) {
        for (std::size_t element_size : {1u, 2u, 4u, 8u}) {
            for (index_t stride : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 32, 48, 64}) {
                use(strided_case(at, element_size, stride));
            }
        }
    }
}

/// A line of the level, the element size, the stride, and speeds. **Units** elements a nanosecond.
inline void print_plot_point(strided_case const& one, std::vector<double> const& speeds) {
    std::printf("%s %zu %lld", one.copy.name.substr(0, one.copy.name.find('/')).c_str(), one.copy.element_size,
                static_cast<long long>(one.stride()));
    for (double speed : speeds) std::printf(" %.4g", speed);
    std::printf("\n");
}

}  // namespace copy_bench
