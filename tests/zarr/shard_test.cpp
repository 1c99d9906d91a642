#include <slabwise/plan/list_axis.hpp>
#include <slabwise/store/memory_store.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <zstd.h>

#include <seeded_random.hpp>

#include "store/map_store.hpp"

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

namespace {

/// What was asked of a store.
struct request_log {
    std::mutex mutex;
    std::vector<std::pair<std::string, sw::byte_range>> requests;
    std::uint64_t bytes = 0;

    void clear() {
        requests.clear();
        bytes = 0;
    }
};

/// A store that can do no more than answer one request after another, and notes them.
class counting_store {
public:
    counting_store(sw::any_store store, std::shared_ptr<request_log> log)
        : store_(std::move(store)), log_(std::move(log)) {}

    sw::object_state get(std::string_view key, sw::byte_range range, sw::byte_sink& to) const {
        struct counting_sink final : sw::byte_sink {
            counting_sink(sw::byte_sink& sink, request_log& log) : to(sink), log_(log) {}
            std::span<std::byte> room(std::uint64_t bytes) override {
                std::lock_guard const lock(log_.mutex);
                log_.bytes += bytes;
                return to.room(bytes);
            }
            sw::byte_sink& to;
            request_log& log_;
        } sink(to, *log_);
        {
            std::lock_guard const lock(log_->mutex);
            log_->requests.emplace_back(key, range);
        }
        return store_.get(key, range, sink);
    }
    std::optional<std::uint64_t> size(std::string_view key) const { return store_.size(key); }

private:
    sw::any_store store_;
    std::shared_ptr<request_log> log_;
};

/// 8 bytes, little-endian.
std::string number(std::uint64_t value) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> 8 * i);
    return bytes;
}
std::string const none = number(~std::uint64_t{0}) + number(~std::uint64_t{0});

/// An array of 4 x 6 bytes in shards of 2 x 6, those in inner chunks of `inner`, raw, their index little-endian.
std::string metadata(std::string const& inner, std::string const& more = "", std::string const& outer = "") {
    return R"({"zarr_format": 3, "node_type": "array", "shape": [4, 6], "data_type": "uint8",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2, 6]}},
        "chunk_key_encoding": "default", "fill_value": 7, "codecs": [)" +
           outer + R"({"name": "sharding_indexed", "configuration": {"chunk_shape": )" + inner +
           R"(, "codecs": ["bytes"],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}])" +
           more + "}}]}";
}

/// The first shard, inner chunks of 1 x 3: the rows "abcdef" and "ghi" with three absent ones; out of order.
std::string const first_shard = "ghi--abcdef" + number(5) + number(3) + number(8) + number(3) + number(0) + number(3) + none;

std::string text_of(std::vector<std::uint8_t> const& bytes) { return {bytes.begin(), bytes.end()}; }

std::string read_all(sw::any_store store) {
    auto const array = zarr::open<std::uint8_t, 2>(std::move(store));
    return text_of(sw::read<std::vector<std::uint8_t>>(array, sw::hyperslab<2>::all(array.grid().shape())));
}

std::string failure(sw::any_store store) {
    try {
        (void)read_all(std::move(store));
    } catch (sw::error const& error) {
        return error.what();
    }
    return "";
}

void expect_words(std::string const& found, std::string const& words) {
    EXPECT_NE(found.find(words), std::string::npos) << "found:  " << found << "\nwanted: " << words;
}

TEST(Shards, GiveFillValuesForWhatIsAbsent) {
    EXPECT_EQ(read_all(map_store({{"zarr.json", metadata("[1, 3]")}, {"c/0/0", first_shard}})),
              "abcdefghi\7\7\7" + std::string(12, '\7'));
}

TEST(Shards, AreReadAsWholeChunksToo) {
    auto const array =
        zarr::open<std::uint8_t, 2>(map_store({{"zarr.json", metadata("[1, 3]")}, {"c/0/0", first_shard}}));
    std::string chunk(12, '#');
    auto const bytes = std::as_writable_bytes(std::span(chunk));
    EXPECT_EQ(array.read_chunk({1, 0}, bytes), sw::chunk_state::absent);
    EXPECT_EQ(chunk, std::string(12, '#'));
    EXPECT_EQ(array.read_chunk({0, 0}, bytes), sw::chunk_state::present);
    EXPECT_EQ(chunk, "abcdefghi\7\7\7");
}

TEST(Shards, MayEndWithShorterInnerChunks) {
    // Inner chunks of 2 x 4 and of 2 x 2.
    std::string const shard = "abcdghijefkl" + number(0) + number(8) + number(8) + number(4);
    EXPECT_EQ(read_all(map_store({{"zarr.json", metadata("[2, 4]")}, {"c/1/0", shard}})),
              std::string(12, '\7') + "abcdefghijkl");
}

// Inner shards of 2 x 6, and of 1 x 6 at the end of 3 rows, that begin where one another does: each has an index of its own.
TEST(Shards, MayShareTheirBytes) {
    auto const read_rows = [](std::string const& rows, std::string const& location, std::string const& shard, sw::slice order) {
        std::string const index = R"("index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}])";
        std::string const json = R"({"zarr_format": 3, "node_type": "array", "shape": [)" + rows +
                                 R"(, 6], "data_type": "uint8", "chunk_grid": {"name": "regular", "configuration": {
            "chunk_shape": [)" + rows + R"(, 6]}}, "chunk_key_encoding": "default", "fill_value": 7, "codecs": [
            {"name": "sharding_indexed", "configuration": {"chunk_shape": [2, 6], )" + index + R"(, "codecs": [
            {"name": "sharding_indexed", "configuration": {"chunk_shape": [1, 6], "codecs": ["bytes"], )" + index +
                                 R"(, "index_location": ")" + location + R"("}}]}}]})";
        auto const array = zarr::open<std::uint8_t, 2>(map_store({{"zarr.json", json}, {"c/0/0", shard}}));
        return text_of(sw::read<std::vector<std::uint8_t>>(array, sw::hyperslab<2>{order, sw::slice{0, 6}}));
    };
    std::string const elements = "abcdefghijkl";
    std::string const in_order = number(0) + number(6) + number(6) + number(6);
    std::string const swapped = number(6) + number(6) + number(0) + number(6);
    for (auto const& order : {sw::slice{0, 3}, sw::slice{2, -1, -1}}) {
        // The index of the short one is the first half of that of the whole one.
        std::string const index = number(32) + number(6) + number(38) + number(6);
        std::string const same = number(0) + number(44) + number(0) + number(44);
        EXPECT_EQ(read_rows("3", "start", index + elements + same, order), "abcdefghijklabcdef");
        // The short one ends sooner.
        std::string const sooner = number(0) + number(44) + number(0) + number(28);
        EXPECT_EQ(read_rows("3", "end", elements + in_order + sooner, order), "abcdefghijklabcdef");
    }
    // Both of one shape; the second ends later.
    std::string const later = number(0) + number(44) + number(0) + number(76);
    EXPECT_EQ(read_rows("4", "end", elements + in_order + swapped + later, {0, 4}), "abcdefghijklghijklabcdef");
}

TEST(Shards, CountTheirInnerChunksAlongTransposedAxes) {
    std::string const transpose = R"({"name": "transpose", "configuration": {"order": [1, 0]}}, )";
    // The shard is stored as 6 x 2, in inner chunks of 3 x 1: the first row's first half, the second row's, and so on.
    std::string const shard = "abcghidefjkl" + number(0) + number(3) + number(3) + number(3) + number(6) + number(3) +
                              number(9) + number(3);
    EXPECT_EQ(read_all(map_store({{"zarr.json", metadata("[3, 1]", "", transpose)}, {"c/0/0", shard}})),
              "abcdefghijkl" + std::string(12, '\7'));
}

TEST(Shards, CutShortAtAnyByteAreAnErrorOrRight) {
    for (bool const at_start : {false, true}) {
        std::string moved;
        for (std::uint64_t const offset : {69U, 72U, 64U}) moved += number(offset) + number(3);
        std::string const shard = at_start ? moved + none + "ghi--abcdef" : first_shard;
        std::string const json = metadata("[1, 3]", at_start ? R"(, "index_location": "start")" : "");
        std::string const whole = "abcdefghi\7\7\7" + std::string(12, '\7');
        ASSERT_EQ(read_all(map_store({{"zarr.json", json}, {"c/0/0", shard}})), whole);
        for (std::size_t size = 0; size < shard.size(); ++size) {
            map_store::map const objects{{"zarr.json", json}, {"c/0/0", shard.substr(0, size)}};
            for (sw::any_store const& store :
                 {sw::any_store(map_store(objects)), sw::any_store(sw::memory_store(map_store::bytes_of(objects)))}) {
                std::string const error = failure(store);
                // What is cut off may hold nothing that counts: then the values are right.
                if (error.empty()) {
                    EXPECT_EQ(read_all(store), whole) << size;
                } else {
                    EXPECT_TRUE(error.starts_with("c/0/0: ")) << error;
                }
            }
        }
    }
}

TEST(Shards, WithAnIndexThatLiesAreRefused) {
    struct {
        std::uint64_t offset, length;
        char const* words;
    } const cases[] = {
        {70, 3, "3 bytes from offset 70 on"},
        {0, 2, "the chunk has 2 bytes, 3 expected, in the inner chunk (0, 0) of the shard"},
        {0, 4, "the index gives 4 bytes, at most 3 expected, in the inner chunk (0, 0) of the shard"},
        {0, 0, "the chunk has 0 bytes, 3 expected"},
        {~std::uint64_t{0}, 3, "from offset 18446744073709551615 on"},
        {~std::uint64_t{1}, 3, "from offset 18446744073709551614 on"},
        {0, ~std::uint64_t{0}, "the index gives 18446744073709551615 bytes, at most"},
        {std::uint64_t{1} << 63, 3, "from offset 9223372036854775808 on"},
    };
    for (auto const& [offset, length, words] : cases) {
        map_store::map const objects{{"zarr.json", metadata("[1, 3]")},
                                     {"c/0/0", "abc" + number(offset) + number(length) + none + none + none}};
        // Where the shard is in memory, its end is known before anything is read.
        expect_words(failure(sw::memory_store(map_store::bytes_of(objects))), words);
        expect_words(failure(map_store(objects)), words);
    }
}

TEST(Shards, ThatPromiseTooManyInnerChunksAreRefusedBeforeMemoryIsTaken) {
    std::string json = metadata("[1, 1]");
    for (std::string const from : {"[4, 6]", "[2, 6]"}) {
        json.replace(json.find(from), from.size(), "[100000000, 1000000000]");
    }
    auto const array = zarr::open<std::uint8_t, 2>(map_store({{"zarr.json", json}, {"c/0/0", first_shard}}));
    try {
        (void)sw::read<std::vector<std::uint8_t>>(array, sw::hyperslab<2>{sw::slice{0, 1}, sw::slice{0, 1}});
        FAIL();
    } catch (sw::codec_error const& error) {
        expect_words(error.what(), "c/0/0: the shard has 75 bytes, but its index alone has 1600000000000000000");
    }
}

TEST(Shards, ReadOnlyWhatIsTouchedAndTheIndexOnce) {
    // One shard of 2 x 6 in inner chunks of 1 x 1, stored in order.
    std::string shard = "abcdefghijkl";
    for (std::uint64_t i = 0; i < 12; ++i) shard += number(i) + number(1);
    auto const log = std::make_shared<request_log>();
    auto const array = zarr::open<std::uint8_t, 2>(
        counting_store(map_store({{"zarr.json", metadata("[1, 1]")}, {"c/0/0", shard}}), log));
    log->clear();
    auto const read = [&](sw::slice rows, sw::slice columns) {
        return text_of(sw::read<std::vector<std::uint8_t>>(array, sw::hyperslab<2>{rows, columns}));
    };
    EXPECT_EQ(read(sw::slice{0, 2}, sw::slice{1, 4}), "bcdhij");
    using logged = std::vector<std::pair<std::string, sw::byte_range>>;
    EXPECT_EQ(log->requests, (logged{{"c/0/0", sw::byte_range::last(192)},
                                     {"c/0/0", sw::byte_range::of(1, 3)},
                                     {"c/0/0", sw::byte_range::of(7, 3)}}));
    log->clear();
    EXPECT_EQ(read(sw::slice{1, -1, -1}, sw::slice{5, -1, -5}), "lgfa");
    EXPECT_EQ(log->requests, (logged{{"c/0/0", sw::byte_range::of(0, 1)},
                                     {"c/0/0", sw::byte_range::of(5, 2)},
                                     {"c/0/0", sw::byte_range::of(11, 1)}}));
    EXPECT_EQ(log->bytes, 4u);
}

/// An array of 1024^3 bytes in shards of 256^3, each in inner chunks of 32^3, zstd. Its shards lie in memory.
class gibibyte {
public:
    static constexpr sw::index_t extent = 1024;
    static constexpr sw::index_t shard = 256;
    static constexpr sw::index_t inner = 32;

    static std::uint8_t element_at(sw::coord_t<3> const& index) {
        sw::index_t const chunk = index[0] / inner * 131 + index[1] / inner * 17 + index[2] / inner * 7;
        return static_cast<std::uint8_t>(chunk + index[0] + 3 * index[1] + 5 * index[2]);
    }

    gibibyte() {
        map_store::map objects{{"zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [1024, 1024, 1024],
            "data_type": "uint8", "chunk_key_encoding": "default", "fill_value": 0,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [256, 256, 256]}},
            "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [32, 32, 32],
                "codecs": ["bytes", {"name": "zstd", "configuration": {"level": 1, "checksum": false}}],
                "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}, "crc32c"]}}]})"}};
        for (sw::index_t i = 0; i < extent / shard; ++i) {
            for (sw::index_t j = 0; j < extent / shard; ++j) {
                for (sw::index_t k = 0; k < extent / shard; ++k) {
                    objects["c/" + std::to_string(i) + '/' + std::to_string(j) + '/' + std::to_string(k)] =
                        shard_at({i * shard, j * shard, k * shard});
                }
            }
        }
        store = sw::any_store(map_store(objects));
    }

    /// The stored bytes of the inner chunk with these indices.
    [[nodiscard]] std::uint64_t stored_bytes(sw::coord_t<3> const& chunk) const {
        return sizes_.at(chunk);
    }
    std::optional<sw::any_store> store;

private:
    std::string shard_at(sw::coord_t<3> const& first) {
        std::string bytes;
        std::string index;
        sw::index_t const count = shard / inner;
        for (sw::index_t n = 0; n < count * count * count; ++n) {
            sw::coord_t<3> const chunk{first[0] / inner + n / (count * count), first[1] / inner + n / count % count,
                                       first[2] / inner + n % count};
            std::string const encoded = chunk_at(chunk);
            index += number(bytes.size()) + number(encoded.size());
            sizes_[chunk] = encoded.size();
            bytes += encoded;
        }
        std::uint32_t const sum = sw::crc32c(std::as_bytes(std::span(index)));
        return bytes + index + number(sum).substr(0, 4);
    }
    static std::string chunk_at(sw::coord_t<3> const& chunk) {
        std::vector<std::uint8_t> decoded;
        decoded.reserve(static_cast<std::size_t>(inner * inner * inner));
        for (sw::index_t x = 0; x < inner; ++x) {
            for (sw::index_t y = 0; y < inner; ++y) {
                for (sw::index_t z = 0; z < inner; ++z) {
                    decoded.push_back(element_at({chunk[0] * inner + x, chunk[1] * inner + y, chunk[2] * inner + z}));
                }
            }
        }
        std::string encoded(ZSTD_compressBound(decoded.size()), '\0');
        encoded.resize(ZSTD_compress(encoded.data(), encoded.size(), decoded.data(), decoded.size(), 1));
        return encoded;
    }

    std::map<sw::coord_t<3>, std::uint64_t> sizes_;
};

TEST(Shards, OfAGibibyteGiveRandomBoxesForTheInnerChunksTouchedAndEachIndexOnce) {
    gibibyte const data;
    auto const log = std::make_shared<request_log>();
    auto const array = zarr::open<std::uint8_t, 3>(counting_store(*data.store, log));
    log->clear();
    slabwise_test::random_numbers numbers(401);
    std::uint64_t expected_bytes = 0;
    constexpr std::uint64_t index_bytes = 8 * 8 * 8 * 16 + 4;
    std::set<sw::coord_t<3>> shards;
    std::vector<std::uint8_t> box(20 * 20 * 20);
    for (int i = 0; i < 1000; ++i) {
        sw::coord_t<3> first{};
        for (auto& each : first) each = numbers.number(0, gibibyte::extent - 20);
        auto const slab = sw::hyperslab<3>::generate([&](auto axis) { return sw::slice::counted(first[axis], 20); });
        sw::read_into(array, slab, std::span(box));
        std::size_t at = 0;
        for (sw::index_t x = first[0]; x < first[0] + 20; ++x) {
            for (sw::index_t y = first[1]; y < first[1] + 20; ++y) {
                for (sw::index_t z = first[2]; z < first[2] + 20; ++z) {
                    ASSERT_EQ(box[at++], gibibyte::element_at({x, y, z}));
                }
            }
        }
        auto const chunks = sw::make_plan(sw::chunk_grid<3>{{1024, 1024, 1024}, {32, 32, 32}}, slab);
        for (auto const chunk : chunks) {
            auto const coord = chunk.coord();
            expected_bytes += data.stored_bytes(coord);
            shards.insert({coord[0] / 8, coord[1] / 8, coord[2] / 8});
        }
    }
    EXPECT_EQ(log->bytes, expected_bytes + shards.size() * index_bytes);
    auto const is_index = [](auto const& request) { return request.second == sw::byte_range::last(index_bytes); };
    auto const index_reads = std::count_if(log->requests.begin(), log->requests.end(), is_index);
    EXPECT_EQ(static_cast<std::size_t>(index_reads), shards.size());
}

TEST(Shards, TakeIndexListsAndSingleIndices) {
    sw::any_store const store = map_store({{"zarr.json", metadata("[1, 3]")}, {"c/0/0", first_shard}});
    auto const array = zarr::open<std::uint8_t, 2>(store);
    sw::index_list const rows{3, 0, 1, 0};
    sw::index_list const columns{5, 1, 3, 1};
    EXPECT_EQ(text_of(sw::read<std::vector<std::uint8_t>>(array, sw::make_plan(array.grid(), rows, columns))),
              "\7\7\7\7" "fbdb" "\7h\7h" "fbdb");
    EXPECT_EQ(text_of(sw::read<std::vector<std::uint8_t>>(array, sw::make_plan(array.grid(), 0, columns))), "fbdb");
    EXPECT_EQ(text_of(sw::read<std::vector<std::uint8_t>>(array, sw::make_plan(array.grid(), rows, sw::slice{1, 3}))),
              "\7\7" "bc" "hi" "bc");
}

TEST(Shards, ConvertValuesAndSayWhereOneDoesNotFit) {
    sw::any_store const store = map_store({{"zarr.json", metadata("[1, 3]")}, {"c/0/0", first_shard}});
    auto const array = zarr::open<2>(store);
    auto const slab = sw::hyperslab<2>::all(array.grid().shape());
    auto const scaled = sw::read<std::vector<float>>(array, slab, {.conversion = {.scale = 0.5, .offset = 1}});
    EXPECT_EQ(scaled[0], 'a' * 0.5F + 1);
    EXPECT_EQ(scaled[8], 'i' * 0.5F + 1);
    EXPECT_EQ(scaled[9], 4.5F);
    EXPECT_EQ(scaled[23], 4.5F);
    try {
        (void)sw::read<std::vector<std::int8_t>>(
            array, slab, {.conversion = {.rule = sw::conversion_rule::check, .scale = 1.25, .offset = 0}});
        FAIL();
    } catch (sw::conversion_error const& error) {
        expect_words(error.what(), "what is read from chunk (1, 0) of the chunk (0, 0)");
    }
}

}  // namespace
