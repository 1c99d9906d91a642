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
