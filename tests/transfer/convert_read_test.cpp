// Reads into elements of another type than the array's.
#include <slabwise/transfer/read.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <expect_error.hpp>
#include <slabwise/copy/float16.hpp>
#include <slabwise/plan/list_axis.hpp>
#include <slabwise/source/memory_source.hpp>
#include <transfer/computed_source.hpp>

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::element_type_of;
using sw::index_t;
using transfer_test::computed_source;

namespace {

// What the conversion makes of one element of the source; equal bits, NaNs too.
template <class T, std::size_t R>
void expect_element(computed_source<R> const& source, sw::coord_t<R> const& index, T const& read,
                    sw::conversion_options<T> const& options = {}) {
    auto const stored = source.element(index);
    T expected;
    auto const convert = sw::make_conversion<T>(source.layout().type, options);
    ASSERT_EQ(convert(stored.data(), reinterpret_cast<std::byte*>(&expected), 1), 1u);
    ASSERT_EQ(std::memcmp(&expected, &read, sizeof read), 0);
}

sw::slice random_slice(index_t extent, slabwise_test::random_numbers& numbers) {
    index_t const first = numbers.number(0, extent - 1);
    index_t const stride = numbers.number(0, 1) == 0 ? numbers.number(1, 3) : -numbers.number(1, 3);
    index_t const most = stride > 0 ? (extent - 1 - first) / stride + 1 : first / -stride + 1;
    return sw::slice::counted(first, numbers.number(1, most), stride);
}

template <class T>
void expect_random_reads(sw::element_type stored, std::uint64_t stream) {
    slabwise_test::random_numbers numbers(stream);
    for (int round = 0; round < 60; ++round) {
        sw::chunk_grid<3> const grid{{numbers.number(1, 20), numbers.number(1, 15), numbers.number(1, 90)},
                                     {numbers.number(1, 9), numbers.number(1, 20), numbers.number(1, 50)}};
        auto const source = transfer_test::random_source<3>(grid, stored, numbers);
        sw::reader from(source);
        for (int read = 0; read < 3; ++read) {
            auto const slab =
                sw::hyperslab<3>::generate([&](std::size_t axis) { return random_slice(grid.shape()[axis], numbers); });
            std::vector<T> to(static_cast<std::size_t>(slab.element_count()));
            from.read_into(slab, to);
            std::size_t i = 0;
            transfer_test::for_each_index<3>(slab.shape(), [&](sw::coord_t<3> const& at) {
                sw::coord_t<3> index{};
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    index[axis] = slab[axis].first() + at[axis] * slab[axis].stride();
                }
                if (!testing::Test::HasFatalFailure()) expect_element(source, index, to[i]);
                ++i;
            });
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

std::vector<std::int16_t> counted(std::size_t count) {
    std::vector<std::int16_t> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int16_t>(i);
    return values;
}

constexpr sw::hyperslab<2> all{sw::slice{0, 6}, sw::slice{0, 10}};

}  // namespace

TEST(convert_read, random_reads_are_those_of_the_elements) {
    expect_random_reads<float>(element_type_of<std::int16_t>, 1);
    expect_random_reads<double>(element_type_of<std::uint8_t>, 2);
    expect_random_reads<float>(element_type_of<double>, 3);
    expect_random_reads<std::int16_t>(element_type_of<std::int64_t>, 4);
    expect_random_reads<float>(element_type_of<sw::float16>, 5);
    expect_random_reads<sw::float16>(element_type_of<float>, 6);
    expect_random_reads<float>(element_type_of<sw::bfloat16>, 7);
    expect_random_reads<std::complex<double>>(element_type_of<std::complex<float>>, 8);
    expect_random_reads<std::complex<float>>(element_type_of<std::uint32_t>, 9);
}

TEST(convert_read, plans_with_lists_and_dropped_axes) {
    auto const values = counted(60);
    sw::memory_source const source(sw::strided_view<std::int16_t const, 2>(values.data(), {6, 10}), sw::shape{4, 3});
    auto const listed = sw::make_plan(source.grid(), sw::index_list{5, 0, 5, 3}, sw::index_list{9, 1, 2});
    EXPECT_EQ(sw::read<std::vector<float>>(source, listed),
              (std::vector<float>{59, 51, 52, 9, 1, 2, 59, 51, 52, 39, 31, 32}));
    auto const dropped = sw::make_plan(source.grid(), sw::slice{5, -1, -1}, 7);
    EXPECT_EQ(sw::read<std::vector<double>>(source, dropped), (std::vector<double>{57, 47, 37, 27, 17, 7}));
}

TEST(convert_read, scale_offset_and_fill) {
    auto const values = counted(60);
    sw::memory_source const source(sw::strided_view<std::int16_t const, 2>(values.data(), {6, 10}), sw::shape{4, 4});
    // The layout's fill value is 0.
    auto const missing = std::numeric_limits<float>::quiet_NaN();
    auto const packed = sw::read<std::vector<float>>(
        source, all, {.conversion = {.scale = 0.5, .offset = 100, .fill_replacement = missing}});
    EXPECT_TRUE(std::isnan(packed[0]));
    for (std::size_t i = 1; i < 60; ++i) EXPECT_EQ(packed[i], 100 + static_cast<float>(i) / 2);
    // Another one by the options.
    auto const other = sw::read<std::vector<float>>(
        source, all, {.conversion = {.fill_replacement = -1.0F, .stored_fill = std::int16_t{7}}});
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(other[i], i == 7 ? -1.0F : static_cast<float>(i));
    // Equal types are converted where the values change.
    auto const equal = sw::read<std::vector<std::int16_t>>(
        source, all, {.conversion = {.fill_replacement = std::int16_t{-1}, .stored_fill = std::int16_t{7}}});
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(equal[i], i == 7 ? -1 : static_cast<int>(i));
}

TEST(convert_read, absent_chunks_have_the_converted_fill) {
    sw::chunk_grid<1> const grid{{8}, {4}};
    for (bool const is_swapped : {false, true}) {
        auto layout = sw::chunk_layout<1>::c_order(element_type_of<std::int16_t>, {4});
        layout.fill = {std::byte{1}, std::byte{2}};
        std::int16_t fill = 0;
        if (is_swapped) {
            layout.byte_order = std::endian::native == std::endian::little ? std::endian::big : std::endian::little;
            std::reverse(layout.fill.begin(), layout.fill.end());
        }
        std::byte const native[] = {std::byte{1}, std::byte{2}};
        std::memcpy(&fill, native, 2);
        computed_source<1> source(grid, layout);
        source.native_fill = {native[0], native[1]};
        source.is_absent = [](auto const& coord) { return coord[0] == 1; };
        sw::hyperslab<1> const slab{sw::slice{0, 8}};
        auto const plain = sw::read<std::vector<double>>(source, slab);
        auto const scaled = sw::read<std::vector<double>>(source, slab, {.conversion = {.scale = 2, .offset = 1}});
        auto const replaced =
            sw::read<std::vector<double>>(source, slab, {.conversion = {.scale = 2, .fill_replacement = -5.0}});
        for (std::size_t i = 4; i < 8; ++i) {
            EXPECT_EQ(plain[i], fill);
            EXPECT_EQ(scaled[i], 2.0 * fill + 1);
            EXPECT_EQ(replaced[i], -5.0);
        }
        expect_element(source, {2}, plain[2]);
    }
}

TEST(convert_read, what_is_not_permitted_is_refused_before_any_chunk_is_read) {
    sw::chunk_grid<1> const grid{{8}, {4}};
    computed_source<1> const source(grid, sw::chunk_layout<1>::c_order(element_type_of<double>, {4}));
    sw::hyperslab<1> const slab{sw::slice{0, 8}};
    std::vector<std::int32_t> integers(8);
    EXPECT_THROW(sw::read_into(source, slab, integers), sw::selection_error);
    EXPECT_THROW((void)sw::read<std::vector<std::int32_t>>(source, slab), sw::selection_error);
    EXPECT_THROW(sw::reader(source).read_into(slab, integers, {.conversion = {.scale = 2}}), sw::selection_error);
    struct pair {
        float values[2];
    };
    std::vector<pair> pairs(8);
    expect_selection_error([&] { return sw::read_into(source, slab, pairs); }, no_axis, 0, 0,
                           "read: the array holds float64 elements, the destination opaque8");
    EXPECT_TRUE(source.coords.empty());
    EXPECT_NO_THROW(sw::read_into(source, slab, integers, {.conversion = {.rule = sw::conversion_rule::saturate}}));
    EXPECT_EQ(source.coords.size(), 2u);
}

TEST(convert_read, a_checked_value_that_does_not_fit) {
    auto values = counted(60);
    values[45] = 300;
    sw::memory_source const source(sw::strided_view<std::int16_t const, 2>(values.data(), {6, 10}), sw::shape{4, 4});
    std::vector<std::uint8_t> to(60);
    sw::reader from(source);
    try {
        // Chunk (1, 1) has rows 4 and 5, columns 4 to 7.
        from.read_into(all, to, {.conversion = {.rule = sw::conversion_rule::check}});
        ADD_FAILURE() << "nothing thrown";
    } catch (sw::conversion_error const& error) {
        EXPECT_EQ(error.position(), 1);
        EXPECT_STREQ(error.what(),
                     "conversion: the value 300 of element 1 does not fit uint8, of what is read from chunk (1, 1)");
    }
    // The reader is as it was.
    from.read_into(all, to, {.conversion = {.rule = sw::conversion_rule::saturate}});
    EXPECT_EQ(to[45], 255);
    EXPECT_EQ(to[46], 46);

    sw::chunk_grid<1> const grid{{8}, {4}};
    auto layout = sw::chunk_layout<1>::c_order(element_type_of<std::int8_t>, {4});
    layout.fill = {std::byte{0xff}};
    computed_source<1> absent(grid, layout);
    absent.is_absent = [](auto const&) { return true; };
    sw::hyperslab<1> const slab{sw::slice{0, 8}};
    sw::read_options<std::uint8_t> const checked{.conversion = {.rule = sw::conversion_rule::check}};
    EXPECT_THROW((void)sw::read<std::vector<std::uint8_t>>(absent, slab, checked), sw::conversion_error);
}

TEST(convert_read, one_reader_for_several_types) {
    auto const values = counted(60);
    sw::memory_source const source(sw::strided_view<std::int16_t const, 2>(values.data(), {6, 10}), sw::shape{6, 10});
    sw::reader from(source);
    sw::hyperslab<2> const slab{sw::slice{1, 6, 2}, sw::slice{9, 2, -3}};
    std::vector<float> floats(9);
    std::vector<double> doubles(9);
    std::vector<std::int16_t> integers(9);
    for (int round = 0; round < 2; ++round) {
        from.read_into(slab, floats);
        from.read_into(slab, integers);
        from.read_into(slab, doubles, {.conversion = {.scale = 2}});
        for (std::size_t i = 0; i < 9; ++i) {
            EXPECT_EQ(integers[i], static_cast<int>(10 * (1 + 2 * (i / 3)) + 9 - 3 * (i % 3)));
            EXPECT_EQ(floats[i], integers[i]);
            EXPECT_EQ(doubles[i], 2 * integers[i]);
        }
    }
}

TEST(convert_read, equal_types_are_read_in_place_still) {
    sw::chunk_grid<1> const grid{{8}, {4}};
    computed_source<1> const source(grid, sw::chunk_layout<1>::c_order(element_type_of<float>, {4}));
    sw::hyperslab<1> const slab{sw::slice{0, 8}};
    std::vector<float> to(8);
    sw::read_into(source, slab, to);
    EXPECT_EQ(source.spans[1].data(), reinterpret_cast<std::byte*>(&to[4]));
    sw::read_into(source, slab, to, {.conversion = {.scale = 2}});
    EXPECT_NE(source.spans[3].data(), reinterpret_cast<std::byte*>(&to[4]));
    for (index_t i = 0; i < 8; ++i) {
        expect_element(source, {i}, to[static_cast<std::size_t>(i)], sw::conversion_options<float>{.scale = 2});
    }
}

TEST(convert_read, types_known_at_run_time) {
    auto const values = counted(60);
    sw::memory_source const source(sw::strided_view<std::int16_t const, 2>(values.data(), {6, 10}), sw::shape{4, 4});
    sw::reader from(source);
    std::vector<double> to(60);
    auto const plan = sw::make_plan(source.grid(), sw::slice{0, 6}, sw::slice{0, 10});
    sw::byte_destination<2> const there{reinterpret_cast<std::byte*>(to.data()), {80, 8}};
    from.read_bytes(plan, there, sw::make_conversion<double>(element_type_of<std::int16_t>));
    for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(to[i], static_cast<double>(i));
    expect_selection_error(
        [&] { return from.read_bytes(plan, there, sw::make_conversion<double>(element_type_of<float>)); }, no_axis, 0,
        0, "read: the array holds int16 elements, the conversion float32");
}
