// What a reader keeps, where it reads to, and what it does after an error.
#include <slabwise/transfer/reader.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <expect_error.hpp>
#include <slabwise/source/memory_source.hpp>
#include <transfer/computed_source.hpp>

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;
using transfer_test::computed_source;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// An allocation that is too large gives a null pointer, as it does without sanitizers.
extern "C" char const* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" char const* __tsan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace {

constexpr sw::element_type float32 = sw::element_type_of<float>;

template <std::size_t R>
computed_source<R> floats(sw::chunk_grid<R> const& grid) {
    return {grid, sw::chunk_layout<R>::c_order(float32, grid.chunk_shape())};
}

template <std::size_t R>
void expect_element(computed_source<R> const& source, sw::coord_t<R> const& index, float const& read) {
    auto const expected = source.element(index);
    EXPECT_EQ(std::memcmp(expected.data(), &read, sizeof read), 0);
}

// True when the k-th chunk was read straight into the destination.
template <std::size_t R>
bool was_in_place(computed_source<R> const& source, std::size_t k, std::vector<float> const& to) {
    auto const* const begin = reinterpret_cast<std::byte const*>(to.data());
    std::byte const* const at = source.spans[k].data();
    return at >= begin && at < begin + to.size() * sizeof(float);
}

// Reads a hyperslab through a reader twice: to contiguous memory, and to memory with gaps, which is never in place.
template <std::size_t R>
std::vector<bool> in_place_chunks(computed_source<R> const& source, sw::hyperslab<R> const& slab) {
    source.coords.clear();
    source.spans.clear();
    std::vector<float> dense(static_cast<std::size_t>(slab.element_count()));
    sw::reader(source).read_into(slab, dense);
    std::vector<bool> in_place;
    for (std::size_t k = 0; k < source.spans.size(); ++k) in_place.push_back(was_in_place(source, k, dense));

    std::vector<float> wide(2 * dense.size());
    auto byte_strides = sw::c_order_byte_strides(slab.shape(), 2 * sizeof(float));
    sw::reader(source).read_into(slab, sw::strided_view<float, R>(wide.data(), slab.shape(), byte_strides));
    for (std::size_t i = 0; i < dense.size(); ++i)
        EXPECT_EQ(std::memcmp(&dense[i], &wide[2 * i], sizeof(float)), 0) << i;
    return in_place;
}

}  // namespace

TEST(in_place, chunks_that_lie_in_the_destination_as_they_are_stored) {
    auto const source = floats<3>({{7, 4, 5}, {2, 4, 5}});
    // Three whole planes of chunks; the fourth is clipped.
    EXPECT_EQ(in_place_chunks(source, {sw::slice{0, 7}, sw::slice{0, 4}, sw::slice{0, 5}}),
              (std::vector<bool>{true, true, true, false}));
    // Planes that begin within a chunk.
    EXPECT_EQ(in_place_chunks(source, {sw::slice{1, 7}, sw::slice{0, 4}, sw::slice{0, 5}}),
              (std::vector<bool>{false, true, true, false}));
}

TEST(in_place, not_backwards_nor_across_rows) {
    auto const source = floats<2>({{4, 6}, {2, 3}});
    EXPECT_EQ(in_place_chunks(source, {sw::slice{0, 4}, sw::slice{0, 6}}), (std::vector<bool>(4, false)));
    EXPECT_EQ(in_place_chunks(source, {sw::slice{0, 4}, sw::slice{0, 3}}), (std::vector<bool>(2, true)));
    EXPECT_EQ(in_place_chunks(source, {sw::slice{0, 4}, sw::slice{2, -1, -1}}), (std::vector<bool>(2, false)));
    EXPECT_EQ(in_place_chunks(source, {sw::slice{3, -1, -1}, sw::slice{0, 3}}), (std::vector<bool>(2, false)));
    EXPECT_EQ(in_place_chunks(source, {sw::slice{0, 4, 2}, sw::slice{0, 3}}), (std::vector<bool>(2, false)));
}

TEST(in_place, axes_of_one_element_have_any_stride) {
    auto const source = floats<3>({{4, 3, 5}, {1, 1, 5}});
    EXPECT_EQ(in_place_chunks(source, {sw::slice{3, -1, -2}, sw::slice{2, -1, -1}, sw::slice{0, 5}}),
              (std::vector<bool>(6, true)));
}

TEST(in_place, not_a_chunk_longer_than_the_array) {
    auto const source = floats<1>({{3}, {8}});
    EXPECT_EQ(in_place_chunks(source, {sw::slice{0, 3}}), (std::vector<bool>{false}));
}

TEST(in_place, not_in_another_byte_order_or_layout) {
    sw::chunk_grid<2> const grid{{4, 6}, {2, 6}};
    auto layout = sw::chunk_layout<2>::c_order(float32, grid.chunk_shape());
    layout.byte_order = std::endian::native == std::endian::little ? std::endian::big : std::endian::little;
    sw::hyperslab<2> const all{sw::slice{0, 4}, sw::slice{0, 6}};
    EXPECT_EQ(in_place_chunks(computed_source<2>(grid, layout), all), (std::vector<bool>(2, false)));
    layout.byte_order = std::endian::native;
    EXPECT_EQ(in_place_chunks(computed_source<2>(grid, layout), all), (std::vector<bool>(2, true)));
    layout.byte_strides = {4, 8};
    EXPECT_EQ(in_place_chunks(computed_source<2>(grid, layout), all), (std::vector<bool>(2, false)));
}

TEST(in_place, absent_chunks_are_filled) {
    auto source = floats<1>({{8}, {4}});
    source.is_absent = [](auto const& coord) { return coord[0] == 0; };
    float const fill = -7.5F;
    auto layout = source.layout();
    std::memcpy(layout.fill.data(), &fill, sizeof fill);
    computed_source<1> filled(source.grid(), layout);
    filled.is_absent = source.is_absent;
    std::vector<float> to(8, 1.0F);
    auto const report = sw::reader(filled).read_into(sw::hyperslab<1>{sw::slice{0, 8}}, to);
    EXPECT_TRUE(was_in_place(filled, 0, to));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(to[i], fill);
    for (index_t i = 4; i < 8; ++i) expect_element(filled, {i}, to[static_cast<std::size_t>(i)]);
    EXPECT_EQ(report.absent, 1);
    EXPECT_EQ(report.bytes_decoded, 16);
}

TEST(reader, decodes_a_chunk_once_for_many_rows) {
    auto source = floats<2>({{50, 6}, {20, 6}});
    source.is_absent = [](auto const& coord) { return coord[0] == 1; };
    source.native_fill = transfer_test::bytes(4);
    sw::reader rows(source);
    sw::read_report sum;
    std::array<float, 6> row{};
    for (index_t i = 0; i < 50; ++i) {
        auto const report = rows.read_into(sw::hyperslab<2>{sw::slice{i, i + 1}, sw::slice{0, 6}}, std::span(row));
        sum.chunks += report.chunks;
        sum.hits += report.hits;
        sum.absent += report.absent;
        sum.bytes_decoded += report.bytes_decoded;
        for (index_t j = 0; j < 6; ++j) expect_element(source, {i, j}, row[static_cast<std::size_t>(j)]);
    }
    EXPECT_EQ(source.coords, (std::vector<sw::coord_t<2>>{{0, 0}, {1, 0}, {2, 0}}));
    EXPECT_EQ(sum.chunks, 50);
    EXPECT_EQ(sum.hits, 47);
    EXPECT_EQ(sum.absent, 20);
    EXPECT_EQ(sum.bytes_decoded, 2 * 20 * 6 * 4);
}

TEST(reader, a_chunk_read_in_place_leaves_the_kept_one) {
    auto const source = floats<1>({{12}, {4}});
    sw::reader from(source);
    std::vector<float> one(1), four(4);
    from.read_into(sw::hyperslab<1>{sw::slice{1, 2}}, one);
    from.read_into(sw::hyperslab<1>{sw::slice{4, 8}}, four);
    EXPECT_TRUE(was_in_place(source, 1, four));
    EXPECT_EQ(from.read_into(sw::hyperslab<1>{sw::slice{2, 3}}, one).hits, 1);
    expect_element(source, {2}, one[0]);
    // A kept chunk is copied rather than read again.
    EXPECT_EQ(from.read_into(sw::hyperslab<1>{sw::slice{0, 4}}, four).hits, 1);
    for (index_t i = 0; i < 4; ++i) expect_element(source, {i}, four[static_cast<std::size_t>(i)]);
}

TEST(reader, an_index_list_leaves_no_program_for_a_slice) {
    auto const source = floats<1>({{8}, {8}});
    sw::reader from(source);
    std::vector<float> to(3);
    from.read_into(sw::make_plan(source.grid(), sw::index_list{6, 1, 3}), to);
    for (std::size_t i = 0; i < 3; ++i) expect_element(source, {std::array<index_t, 3>{6, 1, 3}[i]}, to[i]);
    from.read_into(sw::make_plan(source.grid(), sw::slice{2, 5}), to);
    for (std::size_t i = 0; i < 3; ++i) expect_element(source, {static_cast<index_t>(i) + 2}, to[i]);
}

TEST(reader, goes_on_after_an_error_of_the_source) {
    for (index_t const k : {1, 2, 3}) {
        auto source = floats<2>({{6, 5}, {2, 3}});
        sw::reader from(source);
        std::vector<float> to(30, 0.0F);
        sw::hyperslab<2> const all{sw::slice{0, 6}, sw::slice{0, 5}};
        source.fails_at = k;
        EXPECT_THROW(from.read_into(all, to), std::runtime_error);
        EXPECT_EQ(source.coords.size(), static_cast<std::size_t>(k));
        // The chunk before the one that failed is gone, since the failed one was read over it.
        auto const coord = source.coords[static_cast<std::size_t>(std::max<index_t>(k - 2, 0))];
        sw::coord_t<2> const index{coord[0] * 2 + 1, coord[1] * 3 + 1};
        std::vector<float> one(1);
        sw::hyperslab<2> const element{sw::slice::counted(index[0], 1), sw::slice::counted(index[1], 1)};
        EXPECT_EQ(from.read_into(element, one).hits, 0);
        expect_element(source, index, one[0]);
        from.read_into(all, to);
        for (index_t i = 0; i < 30; ++i) expect_element(source, {i / 5, i % 5}, to[static_cast<std::size_t>(i)]);
    }
}

TEST(reader, an_empty_selection_asks_for_nothing) {
    auto const source = floats<2>({{6, 5}, {2, 3}});
    sw::reader from(source);
    std::vector<float> none;
    auto const report = from.read_into(sw::hyperslab<2>{sw::slice{0, 6}, sw::slice{3, 3}}, none);
    EXPECT_EQ(report.chunks, 0);
    EXPECT_TRUE(source.coords.empty());
    auto const nowhere = floats<2>({{6, 0}, {2, 3}});
    sw::reader(nowhere).read_into(sw::hyperslab<2>::all({6, 0}), none);
    EXPECT_TRUE(nowhere.coords.empty());
}

TEST(reader, a_grid_of_a_quadrillion_chunks) {
    auto const source = floats<3>({{1'000'000'000, 1'000'000, 10'000}, {100, 10, 10}});
    EXPECT_EQ(source.grid().chunk_count(), 1'000'000'000'000'000);
    sw::reader from(source);
    std::vector<float> to(2 * 3 * 1);
    sw::hyperslab<3> const slab{sw::slice{999'999'999, -1, -999'999'999}, sw::slice{1, 1'000'000, 499'999},
                                sw::slice{9'999, 10'000}};
    EXPECT_EQ(from.read_into(slab, to).chunks, 6);
    for (index_t i = 0; i < 6; ++i) {
        expect_element(source, {slab[0][i / 3], slab[1][i % 3], 9'999}, to[static_cast<std::size_t>(i)]);
    }
}

// Errors before any chunk is read.

TEST(reader_error, selection_shape_type_and_grid) {
    auto const source = floats<2>({{6, 5}, {2, 3}});
    sw::reader from(source);
    std::vector<float> thirty(30);
    std::vector<std::int32_t> integers(30);
    sw::hyperslab<2> const all{sw::slice{0, 6}, sw::slice{0, 5}};
    expect_selection_error(
        [&] {
            return from.read_into(sw::hyperslab<2>{sw::slice{0, 6}, sw::slice{0, 6}}, thirty);
        },
        1, 5, 5, "axis 1: index 5 is out of bounds for extent 5");
    expect_selection_error([&] { return from.read_into(all, std::span(thirty).first(29)); }, no_axis, 29, 30,
                           "strided_view: the span has 29 elements, but the shape has 30");
    expect_selection_error(
        [&] {
            return from.read_into(all, sw::strided_view<float, 2>(thirty.data(), {6, 4}));
        },
        1, 4, 5, "read: axis 1 of the destination has extent 4, but the selection has 5");
    expect_selection_error([&] { return from.read_into(all, integers); }, no_axis, 0, 0,
                           "conversion: float32 to int32 is not within one kind or to a wider kind; "
                           "conversion_rule::saturate or conversion_rule::check permits it");
    expect_selection_error(
        [&] {
            return from.read_into(all, thirty, {.conversion = {.fill_replacement = 1.0F, .stored_fill = 1.0}});
        },
        no_axis, 0, 0, "conversion: the stored fill is of type float64, but the elements of type float32");
    expect_selection_error(
        [&] {
            return from.read_into(sw::make_plan(sw::chunk_grid<2>{{6, 6}, {2, 3}}, sw::slice{0, 6}, sw::slice{0, 5}),
                                  thirty);
        },
        1, 6, 5, "read: axis 1 of the plan has extent 6, but the array has 5");
    expect_selection_error(
        [&] {
            return from.read_into(sw::make_plan(sw::chunk_grid<2>{{6, 5}, {3, 3}}, sw::slice{0, 6}, sw::slice{0, 5}),
                                  thirty);
        },
        0, 3, 2, "read: axis 0 of the plan has chunk length 3, but the array has 2");
    EXPECT_TRUE(source.coords.empty());
}

TEST(reader_error, a_struct_takes_opaque_elements_of_its_size_only) {
    struct triple {
        float values[3];
    };
    sw::chunk_grid<1> const grid{{4}, {4}};
    auto const source = [&](sw::element_type type) {
        return computed_source<1>(grid, sw::chunk_layout<1>::c_order(type, {4}));
    };
    std::vector<triple> to(4);
    sw::hyperslab<1> const all{sw::slice{0, 4}};
    auto const twelve = source({sw::element_kind::opaque, 12});
    sw::reader(twelve).read_into(all, to);
    for (index_t i = 0; i < 4; ++i) {
        EXPECT_EQ(std::memcmp(&to[static_cast<std::size_t>(i)], twelve.element({i}).data(), 12), 0);
    }
    auto const sixteen = source({sw::element_kind::opaque, 16});
    expect_selection_error([&] { return sw::reader(sixteen).read_into(all, to); }, no_axis, 0, 0,
                           "read: the array holds opaque16 elements, the destination opaque12");
    // Opaque bytes may be read as what they are known to be.
    auto const four = source({sw::element_kind::opaque, 4});
    std::vector<float> known(4);
    sw::reader(four).read_into(all, known);
    expect_element(four, {2}, known[2]);
}

TEST(reader_error, a_layout_that_leaves_its_chunk) {
    sw::chunk_grid<2> const grid{{6, 5}, {2, 3}};
    auto const read = [&](auto change) {
        auto layout = sw::chunk_layout<2>::c_order(float32, grid.chunk_shape());
        change(layout);
        computed_source<2> const source(grid, layout);
        sw::reader const from(source);
        return from.grid();
    };
    expect_selection_error([&] { return read([](auto& layout) {
                                     layout.byte_strides = {12, 5};
                                 }); }, 1, 5, 24,
                           "source: the layout's byte stride 5 of axis 1 leaves the chunk of 24 bytes");
    expect_selection_error([&] { return read([](auto& layout) {
                                     layout.byte_strides = {-12, 4};
                                 }); }, 0, -12, 24,
                           "source: the layout's byte stride -12 of axis 0 leaves the chunk of 24 bytes");
    expect_selection_error(
        [&] { return read([](auto& layout) { layout.byte_strides[1] = sw::max_index; }); }, 1, sw::max_index, 24,
        "source: the layout's byte stride 9223372036854775807 of axis 1 leaves the chunk of 24 bytes");
    expect_selection_error([&] { return read([](auto& layout) { layout.fill.clear(); }); }, no_axis, 0, 4,
                           "source: the layout's fill has 0 bytes, but an element has 4");
    EXPECT_EQ(read([](auto& layout) { layout.byte_strides = {4, 8}; }), grid);
}

TEST(reader_error, no_memory_for_a_chunk) {
    index_t const elements = 100'000'000'000'000'000 / 4;
    auto const source = floats<1>({{elements}, {elements}});
    sw::reader from(source);
    std::vector<float> to(1);
    expect_selection_error(
        [&] {
            return from.read_into(sw::hyperslab<1>{sw::slice{5, 6}}, to);
        },
        no_axis, 100'000'000'000'000'000, 0, "read: no memory for a chunk of 100000000000000000 bytes");
    EXPECT_TRUE(source.coords.empty());
}

TEST(reader, threads_share_a_source) {
    std::vector<float> values(40 * 30);
    std::iota(values.begin(), values.end(), 0.0F);
    sw::memory_source const source(sw::strided_view<float const, 2>(values, {40, 30}), sw::shape{7, 8});
    std::vector<std::thread> threads;
    std::array<bool, 4> right{};
    for (std::size_t t = 0; t < right.size(); ++t) {
        threads.emplace_back([&, t] {
            sw::reader from(source);
            std::vector<float> row(30);
            bool all_right = true;
            for (index_t i = static_cast<index_t>(t); i < 40; i += 2) {
                from.read_into(sw::hyperslab<2>{sw::slice{i, i + 1}, sw::slice{29, -1, -1}}, row);
                for (index_t j = 0; j < 30; ++j) {
                    all_right = all_right && row[static_cast<std::size_t>(j)] == static_cast<float>(i * 30 + 29 - j);
                }
            }
            right[t] = all_right;
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, (std::array<bool, 4>{true, true, true, true}));
}
