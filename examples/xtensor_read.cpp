// Reads into xtensor, with xtensor's own slices.
//
//     xtensor_read
#include <iostream>

#include <slabwise/interop/xtensor.hpp>
#include <slabwise/slabwise.hpp>
#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/generators/xbuilder.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xbuilder.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif

namespace sw = slabwise;
using namespace xt::placeholders;

int main() {
    // Any source would do; here, an xtensor in memory that is read in chunks of 4 x 5 x 6.
    xt::xtensor<float, 3> const array = xt::arange<float>(0, 10 * 20 * 30).reshape({10, 20, 30});
    auto const source = sw::xtensor_source(array, sw::shape{4, 5, 6});

    // A new tensor that equals xt::view(array, xt::range(_, _, -3), 5, xt::range(-4, _)).
    auto const plan = sw::make_view_plan(source.grid(), xt::range(_, _, -3), 5, xt::range(-4, _));
    auto const read = sw::read<xt::xtensor<float, 2>>(source, plan);
    std::cout << read.shape(0) << " x " << read.shape(1) << ", from " << read(0, 0) << " to " << read(3, 3) << '\n';

    // The same into a part of a tensor that is there already.
    xt::xtensor<float, 3> several({2, 4, 4}, -1.0F);
    auto const report = sw::read_into(source, plan, xt::view(several, 1, xt::all(), xt::all()));
    std::cout << report.chunks << " chunks; " << several(0, 0, 0) << " stays, " << several(1, 0, 0) << " is new\n";
}
