// Copies by copy_program against the assignment of xtensor's views: what the programs with xsimd and without share.
//
//     NAME --plot-data      prints the elements a nanosecond that copy_plot.py draws
//
// Each file that includes this is a program of its own: XTENSOR_USE_XSIMD changes what xtensor's templates are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include "bars.hpp"
#include "copy_blocks.hpp"
#include "copy_case.hpp"
#include "copy_plot_points.hpp"
#include "copy_strided.hpp"

namespace copy_bench {

/// The assignment alone: the view is made before.
template <class Destination, class View>
SLABWISE_MEASURED void assign(Destination& destination, View const& view) {
    xt::noalias(destination) = view;
}

/// xtensor's arrays of the source and of the destination.
template <class Element, std::size_t R>
auto adapt_source(std::array<std::size_t, R> const& shape) {
    std::size_t size = 1;
    for (std::size_t length : shape) size *= length;
    return xt::adapt(reinterpret_cast<Element const*>(source_bytes()), size, xt::no_ownership(), shape);
}
template <class Element, std::size_t R>
auto adapt_destination(std::array<std::size_t, R> const& shape) {
    std::size_t size = 1;
    for (std::size_t length : shape) size *= length;
    return xt::adapt(reinterpret_cast<Element*>(destination()), size, xt::no_ownership(), shape);
}

/// The assignment of the view that make_view makes of an array of `shape`.
template <class Element, std::size_t R, class MakeView>
side assignment(copy_case const& one, std::array<std::size_t, R> const& shape, MakeView make_view) {
    std::array<std::size_t, R> counts{};
    for (std::size_t d = 0; d < R; ++d) counts[d] = static_cast<std::size_t>(one.counts[d]);
    struct both {
        decltype(adapt_source<Element>(shape)) source;
        decltype(adapt_destination<Element>(counts)) destination;
        decltype(make_view(source)) view;
        both(std::array<std::size_t, R> const& array_shape, std::array<std::size_t, R> const& block_counts,
             MakeView const& make)
            : source(adapt_source<Element>(array_shape)), destination(adapt_destination<Element>(block_counts)),
              view(make(source)) {}
    };
    auto const sides = std::make_shared<both>(shape, counts, make_view);
    return one.repeated([sides] { assign(sides->destination, sides->view); });
}

/// A strided_view of a block at the origin, and a view.
template <std::size_t R>
std::array<side, 2> block_views(copy_case const& one, block const& shape) {
    std::array<std::size_t, R> array_shape{};
    for (std::size_t d = 0; d < R; ++d) array_shape[d] = static_cast<std::size_t>(shape.array_shape[d]);
    auto const& counts = one.counts;
    return {assignment<float>(one, array_shape,
                              [&](auto& source) {
                                  xt::xstrided_slice_vector slices;
                                  for (index_t count : counts) slices.push_back(xt::range(index_t{0}, count));
                                  return xt::strided_view(source, slices);
                              }),
            assignment<float>(one, array_shape, [&](auto& source) {
                if constexpr (R == 2) {
                    return xt::view(source, xt::range(index_t{0}, counts[0]), xt::range(index_t{0}, counts[1]));
                } else {
                    return xt::view(source, xt::range(index_t{0}, counts[0]), xt::range(index_t{0}, counts[1]),
                                    xt::range(index_t{0}, counts[2]));
                }
            })};
}

/// A strided_view of one axis.
inline side strided_assignment(strided_case const& one) {
    return with_element(one.copy.element_size, [&]<class Element>(Element) {
        index_t const end = (one.count() - 1) * one.stride() + 1;
        if constexpr (sizeof(Element) > sizeof(std::uint64_t)) {
            return side{};
        } else {
            return assignment<Element>(one.copy, std::array{static_cast<std::size_t>(end)}, [&](auto& source) {
                return xt::strided_view(source, {xt::range(index_t{0}, end, one.stride())});
            });
        }
    });
}

/// The main function of a program: `xtensor_name` says how xtensor is built.
inline int run_over_xtensor(int argc, char** argv, std::string const& xtensor_name, double bound) {
    if (argc == 2 && std::strcmp(argv[1], "--plot-data") == 0) {
        std::printf("level bytes stride %s\n", xtensor_name.c_str());
        for_each_plot_point([](strided_case const& one) {
            side const rival = strided_assignment(one);
            one.copy.verify(rival, "xtensor");
            print_plot_point(one, {1 / median_nanoseconds({rival}, 9)[0]});
        });
        return 0;
    }
    return bars::run(argc, argv, [&] {
        bars::offer offered;
        std::vector<std::array<bars::contest, 2>> contests;
        for (auto const& shape : blocks_of_rows()) {
            auto const one = shape.copy();
            auto const views = one.counts.size() == 2 ? block_views<2>(one, shape) : block_views<3>(one, shape);
            contests.push_back({verified(one, xtensor_name + "_strided_view", views[0]),
                                verified(one, xtensor_name + "_view", views[1])});
        }
        for (auto const& both : contests) offered.rows.insert(offered.rows.end(), both.begin(), both.end());
        for (level const& at : {L1, L2}) {
            for (index_t stride : {2, 3, 4, 8}) {
                strided_case const one(at, 4, stride);
                offered.rows.push_back(verified(one.copy, xtensor_name, strided_assignment(one)));
            }
        }
        offered.promised.push_back(
            {"rows_mean_over_" + xtensor_name, bars::better::higher, bound, [contests] {
                 // The faster of the two views.
                 std::vector<bars::figure> figures;
                 for (auto const& [strided_view, view] : contests) {
                     figures.push_back(bars::least({strided_view.times_faster(), view.times_faster()}));
                 }
                 return bars::geometric_mean(figures);
             }});
        return offered;
    });
}

}  // namespace copy_bench
