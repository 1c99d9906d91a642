#include <slabwise/transfer/cached_source.hpp>
#include <slabwise/transfer/read.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <seeded_random.hpp>
#include <transfer/computed_source.hpp>

namespace sw = slabwise;
using sw::index_t;
using transfer_test::computed_source;

namespace {

constexpr sw::element_type uint16{sw::element_kind::unsigned_integer, 2};

/// 3 x 3 chunks of 4 x 5 elements, 40 bytes. Copies count the chunks that they read together.
computed_source<2> nine_chunks(std::shared_ptr<int> reads = std::make_shared<int>(0)) {
    sw::chunk_grid<2> const grid{{10, 13}, {4, 5}};
    computed_source<2> source(grid, sw::chunk_layout<2>::c_order(uint16, grid.chunk_shape()));
    source.is_absent = [reads](auto const&) {
        ++*reads;
        return false;
    };
    return source;
}

template <class Source>
std::vector<std::uint16_t> read(Source const& source, sw::slice rows, sw::slice columns) {
    return sw::read<std::vector<std::uint16_t>>(source, sw::hyperslab<2>{rows, columns});
}

TEST(cached_source, reads_what_its_source_reads_and_decodes_each_chunk_once) {
    auto const reads = std::make_shared<int>(0);
    auto const source = nine_chunks();
    sw::chunk_cache const cache(9 * 40);
    sw::cached_source<computed_source<2>> const cached(nine_chunks(reads), cache);
    static_assert(sw::ViewsChunks<sw::cached_source<computed_source<2>>>);
    sw::slice const selections[][2] = {{{0, 10}, {0, 13}}, {{0, 10, 3}, {12, -1, -2}}, {{9, 2, -1}, {4, 11, 3}}};
    for (auto const& [rows, columns] : selections) {
        EXPECT_EQ(read(cached, rows, columns), read(source, rows, columns));
    }
    EXPECT_EQ(*reads, 9);
    EXPECT_EQ(cache.bytes(), 9 * 40U);
}

TEST(cached_source, lets_go_of_what_was_not_used_for_longest) {
    auto const reads = std::make_shared<int>(0);
    sw::chunk_cache const cache(2 * 40 + 39);
    sw::cached_source<computed_source<2>> const cached(nine_chunks(reads), cache);
    auto const decodes = [&](index_t row, index_t column) {
        int const before = *reads;
        (void)read(cached, sw::slice{row, row + 1}, sw::slice{column, column + 1});
        return *reads - before;
    };
    EXPECT_EQ(decodes(0, 0), 1);
    EXPECT_EQ(decodes(0, 5), 1);
    EXPECT_EQ(decodes(1, 1), 0);  // the first again
    EXPECT_EQ(decodes(0, 10), 1);  // in place of the second
    EXPECT_EQ(decodes(3, 4), 0);
    EXPECT_EQ(decodes(0, 5), 1);
    EXPECT_EQ(cache.bytes(), 80u);
}

TEST(cached_source, keeps_apart_what_shares_a_cache) {
    auto const source = nine_chunks();
    computed_source<2> const other{sw::chunk_grid<2>{{10, 14}, {4, 5}},
                                   sw::chunk_layout<2>::c_order(uint16, sw::shape<2>{4, 5})};
    sw::chunk_cache const cache(10000);
    sw::cached_source<computed_source<2>> const a(source, cache);
    sw::cached_source<computed_source<2>> const b(other, cache);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(read(a, sw::slice{0, 10, 2}, sw::slice{0, 13}), read(source, sw::slice{0, 10, 2}, sw::slice{0, 13}));
        EXPECT_EQ(read(b, sw::slice{0, 10, 2}, sw::slice{0, 13}), read(other, sw::slice{0, 10, 2}, sw::slice{0, 13}));
    }
}

TEST(cached_source, does_not_keep_a_chunk_that_is_larger_than_the_cache) {
    auto const source = nine_chunks();
    sw::chunk_cache const cache(39);
    sw::cached_source<computed_source<2>> const cached(source, cache);
    EXPECT_EQ(read(cached, sw::slice{0, 10, 2}, sw::slice{0, 13}), read(source, sw::slice{0, 10, 2}, sw::slice{0, 13}));
    EXPECT_EQ(cache.bytes(), 0u);
}

TEST(cached_source, lays_chunks_out_anew_for_reads_along_far_strides) {
    // Rows of 4 KiB.
    sw::chunk_grid<2> const grid{{40, 3000}, {16, 2048}};
    computed_source<2> const source(grid, sw::chunk_layout<2>::c_order(uint16, grid.chunk_shape()));
    sw::chunk_cache const cache(6 * 16 * (4096 + 64));
    sw::cached_source<computed_source<2>> const cached(source, cache);
    static_assert(sw::LaysOutViews<sw::cached_source<computed_source<2>>>);
    auto const view_bytes = [&] { return cached.view_spread_chunk({1, 0})->bytes().size(); };
    EXPECT_EQ(view_bytes(), 16 * 4096u);
    EXPECT_EQ(cached.view_chunk({1, 0})->bytes().size(), 16 * 4096u);
    EXPECT_EQ(cached.view_byte_strides({1, 0}, 16 * 4096), (std::array<index_t, 2>{4096, 2}));
    EXPECT_EQ(view_bytes(), 16 * 4160u);
    EXPECT_EQ(view_bytes(), 16 * 4160u);
    EXPECT_EQ(cached.view_byte_strides({1, 0}, 16 * 4160), (std::array<index_t, 2>{4160, 2}));
    EXPECT_EQ(cached.view_chunk({1, 0})->bytes().size(), 16 * 4160u);
    EXPECT_EQ(cache.bytes(), 16 * 4160u);

    slabwise_test::random_numbers numbers(31);
    for (int round = 0; round < 40; ++round) {
        sw::slice const rows(numbers.number(0, 39), 40, numbers.number(1, 9));
        sw::slice const columns(numbers.number(0, 2999), -1, -numbers.number(1, 700));
        ASSERT_EQ(read(cached, rows, columns), read(source, rows, columns)) << rows.first() << ' ' << columns.first();
    }

    // Rows leave a chunk as it is, columns do not, which a reader asks for again although it keeps the chunk.
    sw::chunk_cache const other_cache(1 << 20);
    sw::cached_source<computed_source<2>> const other(source, other_cache);
    sw::reader reader(other);
    for (int round = 0; round < 2; ++round) {
        std::vector<std::uint16_t> row(2048);
        reader.read_into(sw::hyperslab<2>{sw::slice{3, 4}, sw::slice{0, 2048}}, row);
        (void)read(other, sw::slice{4, 5}, sw::slice{0, 3000});
    }
    EXPECT_EQ(other_cache.bytes(), 2 * 16 * 4096u);
    for (index_t column : {7, 1007, 2000}) {
        std::vector<std::uint16_t> found(16);
        reader.read_into(sw::hyperslab<2>{sw::slice{0, 16}, sw::slice{column, column + 1}}, found);
        EXPECT_EQ(found, read(source, sw::slice{0, 16}, sw::slice{column, column + 1}));
    }
    EXPECT_EQ(other_cache.bytes(), 16 * (4096u + 4160u));
}

TEST(cached_source, leaves_chunks_as_they_are_that_would_not_fit_the_cache_otherwise) {
    sw::chunk_grid<2> const grid{{40, 3000}, {16, 2048}};
    computed_source<2> const source(grid, sw::chunk_layout<2>::c_order(uint16, grid.chunk_shape()));
    sw::chunk_cache const cache(16 * 4160 - 1);
    sw::cached_source<computed_source<2>> const cached(source, cache);
    for (int round = 0; round < 3; ++round) EXPECT_EQ(cached.view_spread_chunk({0, 1})->bytes().size(), 16 * 4096u);
    EXPECT_EQ(read(cached, {0, 40, 3}, {5, 3000, 500}), read(source, {0, 40, 3}, {5, 3000, 500}));
}

TEST(cached_source, spreads_what_lies_a_multiple_of_4_KiB_apart) {
    using strides = std::array<index_t, 3>;
    auto const spread = [](strides const& byte_strides, sw::shape<3> const& extents, std::size_t element_size) {
        auto const found = sw::detail::spread(byte_strides, extents, element_size);
        return std::pair(found.byte_strides, found.bytes);
    };
    EXPECT_EQ(spread({32768, 512, 4}, {256, 64, 128}, 4), std::pair(strides{32832, 512, 4}, std::size_t{256 * 32832}));
    EXPECT_EQ(spread({4, 1024, 65536}, {256, 64, 32}, 4), std::pair(strides{4, 1024, 65600}, std::size_t{32 * 65600}));
    EXPECT_EQ(spread({65536, 4096, 1}, {16, 16, 4096}, 1), std::pair(strides{66560, 4160, 1}, std::size_t{16 * 66560}));
    // Too few to compete; nothing apart so; one index, whose stride is of no account; a gap; backwards.
    EXPECT_EQ(spread({32768, 512, 4}, {15, 64, 128}, 4), std::pair(strides{32768, 512, 4}, std::size_t{15 * 32768}));
    EXPECT_EQ(spread({30000, 500, 4}, {256, 60, 125}, 4), std::pair(strides{30000, 500, 4}, std::size_t{256 * 30000}));
    EXPECT_EQ(spread({4096, 0, 4}, {15, 1, 1024}, 4), std::pair(strides{4096, 0, 4}, std::size_t{15 * 4096}));
    EXPECT_EQ(spread({65536, 512, 4}, {256, 64, 128}, 4), std::pair(strides{65536, 512, 4}, std::size_t{256 * 32768}));
    EXPECT_EQ(spread({-32768, 512, 4}, {256, 64, 128}, 4), std::pair(strides{-32768, 512, 4}, std::size_t{256 * 32768}));
}

TEST(cached_source, fills_in_for_absent_chunks_and_passes_errors_on) {
    auto source = nine_chunks();
    source.is_absent = [](auto const& coord) { return coord[0] == 1; };
    source.native_fill = {std::byte{0}, std::byte{0}};
    sw::cached_source<computed_source<2>> const cached(source, sw::chunk_cache(10000));
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(read(cached, sw::slice{0, 10}, sw::slice{0, 13}), read(source, sw::slice{0, 10}, sw::slice{0, 13}));
    }
    source = nine_chunks();
    source.fails_at = 1;
    sw::cached_source<computed_source<2>> const failing(source, sw::chunk_cache(10000));
    EXPECT_THROW((void)read(failing, sw::slice{0, 3}, sw::slice{0, 13}), std::runtime_error);
    EXPECT_EQ(read(failing, sw::slice{0, 3}, sw::slice{0, 13}), read(nine_chunks(), sw::slice{0, 3}, sw::slice{0, 13}));
}

}  // namespace
