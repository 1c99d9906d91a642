// Reads into, from and as xtensor.
#include <slabwise/interop/xtensor.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#if __has_include(<xtensor/containers/xadapt.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xarray.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/generators/xbuilder.hpp>
#include <xtensor/views/xstrided_view.hpp>
#include <xtensor/views/xview.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xstrided_view.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>
#endif

#include <expect_error.hpp>
#include <slabwise/slabwise.hpp>

namespace sw = slabwise;
using namespace xt::placeholders;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;

namespace {

xt::xtensor<float, 3> numbers(std::array<std::size_t, 3> shape = {7, 8, 5}) {
    return xt::arange<float>(1, static_cast<float>(shape[0] * shape[1] * shape[2] + 1)).reshape(shape);
}

// Element by element, since xt::operator== compares less strictly.
template <class A, class B>
void expect_same(A const& read, B const& view) {
    ASSERT_EQ(read.dimension(), view.dimension());
    for (std::size_t axis = 0; axis < view.dimension(); ++axis)
        ASSERT_EQ(read.shape()[axis], view.shape()[axis]) << axis;
    auto at = view.begin();
    std::size_t i = 0;
    for (auto const& each : read) EXPECT_EQ(each, *at++) << "element " << i++;
}

}  // namespace

// A read of make_view_plan(grid, slices...) equals xt::view(array, slices...).
#define EXPECT_LIKE_VIEW(RANK, ...)                                                                                    \
    expect_same(sw::read<xt::xtensor<float, RANK>>(source, sw::make_view_plan(source.grid(), __VA_ARGS__)),            \
                xt::view(array, __VA_ARGS__))

TEST(xtensor_slice, reads_equal_views) {
    auto const array = numbers();
    auto const source = sw::xtensor_source(array, sw::shape{3, 2, 4});
    EXPECT_LIKE_VIEW(3, xt::all(), xt::all(), xt::all());
    EXPECT_LIKE_VIEW(3, xt::range(0, 10, 2), xt::range(1, 4), xt::all());
    EXPECT_LIKE_VIEW(3, xt::range(-3, -1), xt::range(-100, 3), xt::range(3, 100));
    EXPECT_LIKE_VIEW(3, xt::range(2, _), xt::range(_, 5), xt::range(_, _));
    EXPECT_LIKE_VIEW(3, xt::range(-2, _), xt::range(_, -5), xt::range(_, _, 2));
    EXPECT_LIKE_VIEW(3, xt::range(_, _, -1), xt::range(6, 1, -2), xt::range(_, 1, -1));
    EXPECT_LIKE_VIEW(3, xt::range(4, _, -1), xt::range(-1, -9, -3), xt::range(100, _, -2));
    EXPECT_LIKE_VIEW(3, xt::range(_, _, 9), xt::range(1, -1, 3), xt::range(_, 4, 2));
    EXPECT_LIKE_VIEW(3, xt::range(3, 3), xt::range(5, 2), xt::range(9, 12));
    EXPECT_LIKE_VIEW(3, xt::range(std::size_t{1}, std::size_t{6}, 2), xt::range(1U, 3U), xt::all());
}

TEST(xtensor_slice, integers_drop_their_axis) {
    auto const array = numbers();
    auto const source = sw::xtensor_source(array, sw::shape{3, 2, 4});
    EXPECT_LIKE_VIEW(2, xt::range(0, 10, 2), 5, xt::all());
    EXPECT_LIKE_VIEW(2, -1, xt::all(), xt::range(_, _, -1));
    EXPECT_LIKE_VIEW(1, 3, xt::range(1, _), std::size_t{4});
    EXPECT_LIKE_VIEW(1, 3, -8);
    EXPECT_LIKE_VIEW(2, 6);
    EXPECT_LIKE_VIEW(3, xt::range(1, 3));
    EXPECT_EQ((sw::read<xt::xtensor<float, 0>>(source, sw::make_view_plan(source.grid(), 1, 2, 3))()), array(1, 2, 3));
    expect_selection_error([&] { return sw::make_view_plan(source.grid(), 1, -9, xt::all()); }, 1, -9, 8,
                           "axis 1: index -9 is out of bounds for extent 8");
    expect_selection_error([&] { return sw::make_view_plan(source.grid(), 7, xt::all()); }, 0, 7, 7,
                           "axis 0: index 7 is out of bounds for extent 7");
}

TEST(xtensor_slice, every_short_range) {
    auto const check = [](xt::xtensor<int, 1> const& array, auto range) {
        auto const view = xt::view(array, range);
        auto const selected = sw::to_slice(range, static_cast<index_t>(array.size()));
        // Where bounds lie the wrong way round, xtensor counts below 0.
        auto const count = std::max<index_t>(static_cast<index_t>(view.shape()[0]), 0);
        ASSERT_EQ(selected.count(), count);
        for (index_t i = 0; i < count; ++i) ASSERT_EQ(selected[i], view(static_cast<std::size_t>(i)));
    };
    for (std::size_t extent = 0; extent <= 5; ++extent) {
        xt::xtensor<int, 1> const array = xt::arange<int>(0, static_cast<int>(extent));
        for (int first = -7; first <= 7; ++first) {
            check(array, xt::range(first, _));
            check(array, xt::range(_, first));
            for (int stop = -7; stop <= 7; ++stop) check(array, xt::range(first, stop));
            for (int const step : {-6, -3, -2, -1, 1, 2, 3, 6}) {
                for (int stop = -7; stop <= 7; ++stop) check(array, xt::range(first, stop, step));
                check(array, xt::range(_, first, step));
                check(array, xt::range(first, _, step));
                check(array, xt::range(_, _, step));
            }
        }
    }
}

TEST(xtensor_slice, hyperslabs) {
    sw::shape const extents{7, 8, 5};
    EXPECT_EQ(sw::to_hyperslab(extents, xt::range(0, 10, 2), xt::all(), xt::range(_, _, -1)),
              (sw::hyperslab{sw::slice{0, 7, 2}, sw::slice{0, 8}, sw::slice{4, -1, -1}}));
    EXPECT_EQ(sw::to_hyperslab(extents, xt::range(-2, _)),
              (sw::hyperslab{sw::slice{5, 7}, sw::slice{0, 8}, sw::slice{0, 5}}));
    EXPECT_EQ(sw::to_hyperslab(extents), sw::hyperslab<3>::all(extents));
    EXPECT_EQ(sw::to_hyperslab(extents, xt::range(7, 3, 2))[0], sw::slice());
    expect_selection_error([&] { return sw::to_hyperslab(extents, xt::range(0, 3, 0)); }, no_axis, 0, 1,
                           "slice: stride is 0; a stride is at least 1 or at most -1");
}

TEST(xtensor_array, results) {
    auto const array = numbers();
    auto const source = sw::xtensor_source(array, sw::shape{3, 2, 4});
    auto const slab = sw::to_hyperslab(source.grid().shape(), xt::range(5, 0, -2), xt::range(1, 6), xt::range(0, _, 3));
    auto const view = xt::view(array, xt::range(5, 0, -2), xt::range(1, 6), xt::range(0, _, 3));
    expect_same(sw::read<xt::xtensor<float, 3>>(source, slab), view);
    expect_same(sw::read<xt::xarray<float>>(source, slab), view);
    auto const columns = sw::read<xt::xtensor<float, 3, xt::layout_type::column_major>>(source, slab);
    expect_same(xt::xtensor<float, 3>(columns), view);
    EXPECT_EQ(columns.strides()[0], 1);
    auto const dynamic = sw::read<xt::xarray<float, xt::layout_type::dynamic>>(source, slab);
    expect_same(xt::xarray<float>(dynamic), view);
    EXPECT_EQ(sw::read<xt::xarray<float>>(source, sw::make_plan(source.grid(), 1, 2, 3))(), array(1, 2, 3));
    EXPECT_EQ(sw::read<xt::xarray<float>>(source, sw::hyperslab<3>{}).size(), 0U);
}

TEST(xtensor_array, destinations_of_any_layout) {
    auto const array = numbers();
    auto const source = sw::xtensor_source(array, sw::shape{3, 2, 4});
    sw::hyperslab const slab{sw::slice{6, 0, -2}, sw::slice{1, 2}, sw::slice{0, 5, 2}};  // of shape 3, 1, 3
    auto const wanted = xt::view(array, xt::range(6, 0, -2), xt::range(1, 2), xt::range(0, 5, 2));

    xt::xtensor<float, 3> rows({3, 1, 3}, -1.0F);
    EXPECT_EQ(sw::read_into(source, slab, rows).chunks, 6);
    expect_same(rows, wanted);
    xt::xarray<float, xt::layout_type::column_major> columns(xt::xarray<float>::shape_type{3, 1, 3}, -1.0F);
    sw::read_into(source, slab, columns);
    expect_same(xt::xarray<float>(columns), wanted);

    // The rest of an array that a view is taken of stays as it is.
    xt::xtensor<float, 3> whole({4, 3, 8}, -1.0F);
    sw::read_into(source, slab, xt::view(whole, xt::range(3, 0, -1), xt::range(1, 2), xt::range(1, 7, 2)));
    xt::xtensor<float, 3> expected({4, 3, 8}, -1.0F);
    xt::view(expected, xt::range(3, 0, -1), xt::range(1, 2), xt::range(1, 7, 2)) = wanted;
    expect_same(whole, expected);
    whole.fill(-1.0F);
    sw::read_into(source, slab, xt::strided_view(whole, {xt::range(3, 0, -1), xt::range(1, 2), xt::range(1, 7, 2)}));
    expect_same(whole, expected);
    // A view that drops an axis.
    whole.fill(-1.0F);
    sw::read_into(source, sw::make_plan(source.grid(), slab[0], 1, slab[2]),
                  xt::view(whole, xt::range(3, 0, -1), 1, xt::range(1, 7, 2)));
    expect_same(whole, expected);
    // A view of a view.
    whole.fill(-1.0F);
    auto backwards = xt::view(whole, xt::range(_, _, -1), xt::all(), xt::range(1, _));
    sw::read_into(source, slab, xt::view(backwards, xt::range(0, 3), xt::range(1, 2), xt::range(0, 6, 2)));
    expect_same(whole, expected);

    std::vector<float> memory(9, -1.0F);
    sw::read_into(source, slab, xt::adapt(memory, std::array<std::size_t, 3>{3, 1, 3}));
    EXPECT_TRUE(std::equal(memory.begin(), memory.end(), rows.begin()));
    memory.assign(9, -1.0F);
    auto adapted = xt::adapt(memory.data(), memory.size(), xt::no_ownership(), std::vector<std::size_t>{3, 1, 3});
    sw::read_into(source, slab, adapted);
    EXPECT_TRUE(std::equal(memory.begin(), memory.end(), rows.begin()));
}

TEST(xtensor_array, errors) {
    auto const array = numbers();
    auto const source = sw::xtensor_source(array, sw::shape{3, 2, 4});
    sw::hyperslab const slab{sw::slice{0, 3}, sw::slice{1, 5}, sw::slice{0, 5, 2}};
    xt::xtensor<float, 3> narrow({3, 4, 2});
    expect_selection_error([&] { return sw::read_into(source, slab, narrow); }, 2, 2, 3,
                           "read: axis 2 of the destination has extent 2, but the selection has 3");
    xt::xarray<float> flat(xt::xarray<float>::shape_type{3, 12});
    expect_selection_error([&] { return sw::read_into(source, slab, flat); }, no_axis, 2, 3,
                           "xtensor: the array has rank 2, but rank 3 is wanted");
    expect_selection_error(
        [&] {
            return sw::xtensor_source(flat, sw::shape{3, 1, 1});
        },
        no_axis, 2, 3, "xtensor: the array has rank 2, but rank 3 is wanted");
    expect_selection_error([&] { return sw::read<xt::xtensor<int, 3>>(source, slab); }, no_axis, 0, 0,
                           "conversion: float32 to int32 is not within one kind or to a wider kind; "
                           "conversion_rule::saturate or conversion_rule::check permits it");
}

TEST(xtensor_array, what_is_no_destination) {
    using tensor = xt::xtensor<float, 2>;
    static_assert(sw::OutputContainer<tensor, 2> && sw::ResultContainer<tensor, 2>);
    static_assert(!sw::OutputContainer<tensor, 3> && !sw::ResultContainer<tensor, 3>);
    static_assert(!sw::OutputContainer<tensor const, 2>);
    static_assert(sw::OutputContainer<xt::xarray<float>, 5> && sw::ResultContainer<xt::xarray<float>, 5>);
    using view = decltype(xt::view(std::declval<tensor&>(), xt::all(), 0));
    static_assert(sw::OutputContainer<view, 1> && !sw::OutputContainer<view, 2> && !sw::ResultContainer<view, 1>);
    using kept = decltype(xt::view(std::declval<tensor&>(), xt::keep(1, 0)));
    static_assert(!sw::OutputContainer<kept, 2>);
}

TEST(xtensor_source, of_any_layout) {
    auto const array = numbers();
    auto const check = [](auto const& from, auto const& chunk_shape) {
        auto const source = sw::xtensor_source(from, chunk_shape);
        expect_same(sw::read<xt::xarray<typename std::remove_cvref_t<decltype(from)>::value_type>>(
                        source, sw::to_hyperslab(source.grid().shape())),
                    from);
    };
    check(array, sw::shape{2, 3, 4});
    check(xt::xtensor<float, 3, xt::layout_type::column_major>(array), sw::shape{2, 3, 9});
    check(xt::xarray<float>(array), sw::shape{7, 8, 5});
    check(xt::view(array, xt::range(6, 0, -2), 3, xt::range(1, _)), sw::shape{2, 3});
    check(xt::strided_view(array, {xt::range(1, 6, 2), xt::all(), 2}), sw::shape{1, 5});
    check(xt::xtensor<std::complex<double>, 1>({{1.0, 2.0}, {3.0, -4.0}, {5.0, 0.5}}), sw::shape{2});
    check(xt::xtensor<bool, 1>({true, false, true, true}), sw::shape{3});
    check(xt::xtensor<float, 3>(std::array<std::size_t, 3>{3, 0, 2}), sw::shape{1, 1, 1});
}
