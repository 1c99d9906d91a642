// Arrays as chunk sources: keys, chunks of the wrong size, damaged chunks, what is counted and where stores are found.
#include <slabwise/store/directory_store.hpp>
#include <slabwise/store/memory_store.hpp>
#include <slabwise/transfer/cached_source.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>
#include <slabwise/zarr/locate.hpp>
#include <slabwise/zarr/stored_chunks.hpp>

#include <complex>

#include <gtest/gtest.h>
#include <unistd.h>

#include "codec/compress.hpp"
#include "store/map_store.hpp"
#include "store/temporary_directory.hpp"
#include "zarr/whole_array.hpp"

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

static_assert(sw::ChunkSource<zarr::array<0>> && sw::ChunkSource<zarr::array<3>>);
static_assert(sw::TellsPresence<zarr::array<3>> && sw::TellsPresence<zarr::shard<3>>);
static_assert(sw::TellsPresence<sw::cached_source<zarr::array<3>>>);

#if defined(__SANITIZE_ADDRESS__)
// An allocation that is too large gives a null pointer, as it does without sanitizers.
extern "C" char const* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace {

/// A .zarray of int16 in chunks of 2x3.
std::string zarray(std::string const& more = "\"compressor\": null") {
    return R"({"zarr_format": 2, "shape": [3, 5], "chunks": [2, 3], "dtype": "<i2", "fill_value": 258, "order": "C",
        "filters": null, )" +
           more + "}";
}

/// The message of the error of that type which f throws; "" for none.
template <class Error, class F>
std::string message(F f) {
    try {
        f();
    } catch (Error const& error) {
        return error.what();
    }
    return "";
}

/// Root may read everything; as long as this lives, it acts as somebody else.
class as_nobody {
public:
    as_nobody() {
        if (user_ == 0) {
            EXPECT_EQ(::seteuid(65534), 0);
        }
    }
    as_nobody(as_nobody const&) = delete;
    as_nobody& operator=(as_nobody const&) = delete;
    ~as_nobody() {
        if (user_ == 0) {
            EXPECT_EQ(::seteuid(0), 0);
        }
    }

private:
    uid_t user_ = ::geteuid();
};

TEST(Array, IsAChunkSource) {
    auto const array =
        zarr::open<std::int16_t, 2>(map_store({{"p/q/.zarray", zarray()}, {"p/q/1.0", "abcdefghijkl"}}), "/p/q/");
    EXPECT_EQ(array.grid(), sw::chunk_grid<2>({3, 5}, {2, 3}));
    EXPECT_EQ(array.layout().type, sw::element_type_of<std::int16_t>);
    EXPECT_EQ(array.layout().byte_order, std::endian::little);
    EXPECT_EQ(array.layout().byte_strides, (std::array<sw::index_t, 2>{6, 2}));
    EXPECT_EQ(array.layout().fill, (std::vector{std::byte{2}, std::byte{1}}));
    EXPECT_EQ(array.path(), "p/q");
    EXPECT_EQ(array.chunk_key({1, 0}), "p/q/1.0");
    std::string chunk(12, '#');
    auto const bytes = std::as_writable_bytes(std::span(chunk));
    EXPECT_EQ(array.read_chunk({0, 1}, bytes), sw::chunk_state::absent);
    EXPECT_EQ(chunk, std::string(12, '#'));
    EXPECT_EQ(array.read_chunk({1, 0}, bytes), sw::chunk_state::present);
    EXPECT_EQ(chunk, "abcdefghijkl");
}

TEST(Array, OfAnotherTypeOrRankIsRefused) {
    map_store const store({{"p/.zarray", zarray()}});
    EXPECT_EQ(message<sw::metadata_error>([&] { (void)zarr::open<std::uint16_t, 2>(store, "p"); }),
              "p: the array stores int16; uint16 was asked for, which conversion_rule::same_kind does not permit");
    EXPECT_EQ(message<sw::metadata_error>([&] { (void)zarr::open<bool, 2>(store, "p"); }),
              "p: the array stores int16; bool was asked for, which conversion_rule::same_kind does not permit");
    EXPECT_EQ(message<sw::metadata_error>([&] { (void)zarr::open<3>(store, "p"); }),
              "p: the array has rank 2; rank 3 was asked for");
    EXPECT_EQ(zarr::open_any(store, "p").visit([](auto const& array) { return array.grid().rank; }), 2u);
}

TEST(Array, OnARectilinearGridIsOpenedByThatName) {
    // 5 elements in chunks of 2, 1 and 4.
    map_store const store({{"p/zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [5], "data_type": "int8",
        "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": [[2, 1, 4]]}},
        "chunk_key_encoding": {"name": "default"}, "fill_value": 42, "codecs": ["bytes"]})"},
                           {"p/c/0", "ab"}, {"p/c/2", "defg"}, {"q/.zarray", zarray()}, {"q/1.0", "abcdefghijkl"}});
    EXPECT_EQ(message<sw::metadata_error>([&] { (void)zarr::open<1>(store, "p"); }),
              "p: the chunk grid is rectilinear; zarr::open_rectilinear reads such arrays");
    EXPECT_EQ(message<sw::metadata_error>([&] { (void)zarr::open_rectilinear<std::uint8_t, 1>(store, "p"); }),
              "p: the array stores int8; uint8 was asked for, which conversion_rule::same_kind does not permit");
    auto const array = zarr::open_rectilinear<std::int8_t, 1>(store, "p");
    EXPECT_EQ(array.grid(), sw::rectilinear_grid<1>({5}, {sw::chunk_edges{{2, 1}, {1, 1}, {4, 1}}}));
    EXPECT_EQ(sw::read<std::vector<std::int8_t>>(array, sw::hyperslab<1>{sw::slice{4, -1, -1}}),
              (std::vector<std::int8_t>{'e', 'd', '*', 'b', 'a'}));
    std::string chunk(4, '#');
    EXPECT_EQ(array.read_chunk({2}, std::as_writable_bytes(std::span(chunk))), sw::chunk_state::present);
    EXPECT_EQ(chunk, "defg");

    // A regular grid is a rectilinear one, too.
    auto const regular = zarr::open_rectilinear<std::int16_t, 2>(store, "q");
    EXPECT_EQ(regular.grid(), sw::rectilinear_grid<2>({3, 5}, {sw::chunk_edges{{2, 2}}, sw::chunk_edges{{3, 2}}}));
    EXPECT_EQ(sw::read<std::vector<std::int16_t>>(regular, sw::hyperslab<2>{sw::slice{2, 3}, sw::slice{0, 3}}),
              (std::vector<std::int16_t>{0x6261, 0x6463, 0x6665}));
}

TEST(Array, OfAnotherTypeOfTheSameKindIsConverted) {
    map_store const store({{"p/.zarray", zarray()}, {"p/1.0", "abcdefghijkl"}});
    auto const array = zarr::open<float, 2>(store, "p");
    auto const values = sw::read<std::vector<float>>(array, sw::hyperslab<2>{sw::slice{2, 3}, sw::slice{0, 3}});
    EXPECT_EQ(values, (std::vector<float>{0x6261, 0x6463, 0x6665}));
    EXPECT_NO_THROW((void)(zarr::open<std::complex<double>, 2>(store, "p")));
    EXPECT_NO_THROW((void)(zarr::open<std::int8_t, 2>(store, "p")));
}

TEST(Array, OfFloat16OrBfloat16InEitherByteOrder) {
    auto const json = [](std::string const& type, std::string const& endian) {
        return R"({"zarr_format": 3, "node_type": "array", "shape": [4], "data_type": ")" + type +
               R"(", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
               "chunk_key_encoding": {"name": "default"}, "fill_value": -2.5,
               "codecs": [{"name": "bytes", "configuration": {"endian": ")" +
               endian + R"("}}]})";
    };
    sw::hyperslab<1> const all{sw::slice{0, 4}};
    std::vector<float> const expected{1, 0.15625, -2.5, -2.5};
    for (auto const& [type, big] : {std::pair("float16", std::string("\x3c\x00\x31\x00", 4)),
                                    std::pair("bfloat16", std::string("\x3f\x80\x3e\x20", 4))}) {
        std::string const little{big[1], big[0], big[3], big[2]};
        for (bool const is_big : {false, true}) {
            map_store const store(
                {{"zarr.json", json(type, is_big ? "big" : "little")}, {"c/0", is_big ? big : little}});
            auto const array = zarr::open<float, 1>(store);
            EXPECT_STREQ(sw::name_of(array.layout().type).c_str(), type);
            EXPECT_EQ(sw::read<std::vector<float>>(array, all), expected) << type << is_big;
        }
    }
}

TEST(Array, OfRankAboveTheBoundIsRefusedWhenVisited) {
    std::string ones = "1";
    for (int axis = 1; axis < 9; ++axis) ones += ", 1";
    map_store const store({{".zarray", R"({"zarr_format": 2, "shape": [)" + ones + R"(], "chunks": [)" + ones +
                                           R"(], "dtype": "|i1", "fill_value": 0, "order": "C", "filters": null,
                                           "compressor": null})"}});
    auto const array = zarr::open_any(store);
    EXPECT_EQ(array.metadata().rank(), 9u);
    EXPECT_THROW((void)array.visit([](auto const& typed) { return typed.path(); }), sw::selection_error);
}

TEST(Array, ChunkOneByteShortOrLongIsNamed) {
    std::vector<std::byte> chunk(12);
    for (std::size_t size : {0u, 11u, 13u}) {
        auto const array = zarr::open<2>(map_store({{"a/.zarray", zarray()}, {"a/0.1", std::string(size, 'x')}}), "a");
        EXPECT_EQ(message<sw::codec_error>([&] {
                      (void)array.read_chunk({0, 1}, chunk);
                  }),
                  "a/0.1: the chunk has " + std::to_string(size) + " bytes, 12 expected");
        auto const packed = zarr::open<2>(map_store({{"a/.zarray", zarray(R"("compressor": {"id": "gzip"})")},
                                                     {"a/0.1", gzip(std::string(size, 'x'))}}),
                                          "a");
        EXPECT_TRUE(message<sw::codec_error>([&] {
                        (void)packed.read_chunk({0, 1}, chunk);
                    }).starts_with("a/0.1: gzip: decodes to "));
    }
}

TEST(Array, ChunkThatMayNotBeReadIsNotMissing) {
    temporary_directory directory;
    directory.write(".zarray", zarray());
    directory.write("0.0", "abcdefghijkl");
    directory.write("0.1", "abcdefghijkl");
    std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(directory.path() / "0.1", std::filesystem::perms::none);
    for (auto const maps : {sw::file_maps::on, sw::file_maps::off}) {
        auto const array = zarr::open<std::int16_t, 2>(sw::directory_store(directory.string(), maps), "");
        sw::hyperslab<2> const row{sw::slice(0, 1), sw::slice(0, 5)};
        as_nobody const unprivileged;
        EXPECT_EQ(message<sw::store_error>([&] { (void)sw::read<std::vector<std::int16_t>>(array, row); }),
                  "store " + directory.string() + ": 0.1 cannot be opened: Permission denied");
    }
}

TEST(Array, ChunkCutShortAnywhereIsNamed) {
    std::string const whole = gzip("abcdefghijkl");
    std::vector<std::byte> chunk(12);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        auto const array = zarr::open<2>(
            map_store({{"a/.zarray", zarray(R"("compressor": {"id": "gzip"})")}, {"a/0.1", whole.substr(0, size)}}),
            "a");
        EXPECT_EQ(message<sw::codec_error>([&] {
                      (void)array.read_chunk({0, 1}, chunk);
                  }),
                  "a/0.1: gzip: the encoded bytes are damaged or cut short (" + std::to_string(size) + " bytes)");
    }
}

// No machine has the memory for one of these chunks.
TEST(Array, HugeChunksTakeNoMemoryBeforeTheyAreThere) {
    auto const json = [](std::string const& codecs) {
        return R"({"zarr_format": 3, "node_type": "array", "shape": [2251799813685248, 2], "data_type": "uint8",
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1125899906842624, 2]}},
            "chunk_key_encoding": "default", "fill_value": 7, "codecs": )" +
               codecs + "}";
    };
    std::string const shards = R"([{"name": "sharding_indexed", "configuration": {"chunk_shape": [562949953421312, 1],
        "codecs": ["bytes", "crc32c"], "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}])";
    std::string const only_the_last = std::string(48, '\xff') + std::string(8, '\0') + '\4' + std::string(7, '\0');
    sw::hyperslab<2> const slab{sw::slice{5, 1125899906842624, 1125899906842000}, sw::slice{1, -1, -1}};
    auto const check = [&](auto const& array) {
        EXPECT_EQ(sw::read<std::vector<std::uint8_t>>(array, slab), std::vector<std::uint8_t>(4, 7));
        sw::cached_source const cached(array, sw::chunk_cache(1000));
        EXPECT_EQ(sw::read<std::vector<std::uint8_t>>(cached, slab), std::vector<std::uint8_t>(4, 7));
    };
    for (std::string const& codecs : {std::string(R"(["bytes"])"), std::string(R"(["bytes", {"name": "gzip"}])"), shards}) {
        check(zarr::open<2>(map_store({{"zarr.json", json(codecs)}})));
        check(zarr::open<2>(sw::memory_store(map_store::bytes_of({{"zarr.json", json(codecs)}}))));
    }
    // The shard is there, its inner chunk that is read is not.
    map_store::map const shard{{"zarr.json", json(shards)}, {"c/0/0", "abcd" + only_the_last}};
    sw::hyperslab<2> const first{sw::slice{5, 6}, sw::slice{0, 2}};
    for (auto const& store : {sw::any_store(map_store(shard)), sw::any_store(sw::memory_store(map_store::bytes_of(shard)))}) {
        auto const array = zarr::open<2>(store);
        EXPECT_EQ(sw::read<std::vector<std::uint8_t>>(array, first), std::vector<std::uint8_t>(2, 7));
        sw::cached_source const cached(array, sw::chunk_cache(1000));
        EXPECT_EQ(sw::read<std::vector<std::uint8_t>>(cached, first), std::vector<std::uint8_t>(2, 7));
    }
    // Small chunks beside a huge one that is not there.
    for (std::string const& codecs : {std::string(R"(["bytes"])"), std::string(R"(["bytes", "crc32c"])")}) {
        std::string const checksum = codecs.find("crc32c") == codecs.npos ? "" : "\x36\x29\xa2\xe2";
        map_store const store({{"zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [1125899906842624],
            "data_type": "uint8", "chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline",
            "chunk_shapes": [[2, 2, 1125899906842624]]}}, "chunk_key_encoding": "default", "fill_value": 7,
            "codecs": )" + codecs + "}"},
                               {"c/1", "ab" + checksum}});
        auto const array = zarr::open_rectilinear<1>(store);
        std::vector<std::uint8_t> const expected{7, 'b', 'a', 7};
        sw::hyperslab<1> const over_all{sw::slice{4, 0, -1}};
        EXPECT_EQ(sw::read<std::vector<std::uint8_t>>(array, over_all), expected);
        sw::cached_source const cached(array, sw::chunk_cache(1000));
        EXPECT_EQ(sw::read<std::vector<std::uint8_t>>(cached, over_all), expected);
    }
    // A chunk that is there needs the memory.
    auto const present = zarr::open<2>(map_store({{"zarr.json", json(R"(["bytes"])")}, {"c/0/0", "abcd"}}));
    EXPECT_EQ(message<sw::selection_error>([&] { (void)sw::read<std::vector<std::uint8_t>>(present, first); }),
              "read: no memory for a chunk of 2251799813685248 bytes");
}

TEST(ChunkKey, IsWrittenAndReadBack) {
    auto const key = [](bool has_prefix, char separator, std::vector<sw::index_t> const& coord) {
        std::string text;
        zarr::chunk_key_encoding{has_prefix, separator}.append_to(text, coord);
        return text;
    };
    EXPECT_EQ(key(true, '/', {0, 12, 3}), "c/0/12/3");
    EXPECT_EQ(key(true, '.', {0, 12, 3}), "c.0.12.3");
    EXPECT_EQ(key(false, '/', {0, 12, 3}), "0/12/3");
    EXPECT_EQ(key(false, '.', {sw::max_index}), "9223372036854775807");
    EXPECT_EQ(key(true, '/', {}), "c");
    EXPECT_EQ(key(false, '.', {}), "0");
    EXPECT_EQ(zarr::detail::parse_chunk_index("12", 13), 12);
    for (char const* text : {"", "13", "-0", "-1", "+1", "01", "1x", " 1", "0x1", "99999999999999999999"}) {
        EXPECT_EQ(zarr::detail::parse_chunk_index(text, 13), std::nullopt) << text;
    }
}

TEST(StoredChunks, AreCountedWithoutForeignFiles) {
    temporary_directory directory;
    sw::directory_store const store(directory.string());
    auto const count = [&](std::string const& path) {
        auto const found = zarr::count_stored_chunks(store, path, zarr::open_metadata(store, path));
        return std::pair(found.objects, found.bytes);
    };
    using counts = std::pair<std::uint64_t, std::uint64_t>;
    directory.write("dot/.zarray", zarray());
    EXPECT_EQ(count("dot"), (counts{0, 0}));
    for (char const* name : {"0.0", "1.1"}) directory.write(std::string("dot/") + name, "123");
    for (char const* name : {"2.0", "0.2", "0.00", "0", "0.0.0", "c.0.0", "0.0~", ".foreign", "1.0/x"}) {
        directory.write(std::string("dot/") + name, "12345");
    }
    EXPECT_EQ(count("dot"), (counts{2, 6}));

    directory.write("slash/.zarray", zarray(R"("compressor": null, "dimension_separator": "/")"));
    for (char const* name : {"0/0", "0/1", "1/0"}) directory.write(std::string("slash/") + name, "12");
    for (char const* name : {"2/0", "0/2", "1/1/0", "x/0", "0.0", "01/0", "0/x"})
        directory.write(std::string("slash/") + name, "1");
    EXPECT_EQ(count("slash"), (counts{3, 6}));

    // So many chunks that nobody could ask for each.
    directory.write("vast/zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [1000000000, 1000000],
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1, 1]}}, "data_type": "uint8",
        "chunk_key_encoding": "default", "fill_value": 0, "codecs": ["bytes"]})");
    directory.write("vast/c/999999999/999999", "1");
    directory.write("vast/c/5/0", "1");
    directory.write("vast/999999999/999999", "1");
    EXPECT_EQ(count("vast"), (counts{2, 2}));
}

TEST(Locate, SplitsAPathIntoStoreAndNode) {
    temporary_directory directory;
    std::string const top = directory.string();
    directory.write("s.zarr/.zgroup", "{}");
    directory.write("s.zarr/g/.zgroup", "{}");
    directory.write("s.zarr/g/a/.zarray", zarray());
    directory.write("plain/file", "");
    auto const located = [](std::string const& path) {
        auto const found = zarr::locate(path);
        return found.store + " | " + found.path;
    };
    EXPECT_EQ(located(top + "/s.zarr"), top + "/s.zarr | ");
    EXPECT_EQ(located(top + "/s.zarr///"), top + "/s.zarr | ");
    EXPECT_EQ(located(top + "/s.zarr/g/a"), top + "/s.zarr/g/a | ");
    EXPECT_EQ(located(top + "/s.zarr/g/none/x"), top + "/s.zarr/g | none/x");
    EXPECT_EQ(located(top + "/s.zarr/none//x/"), top + "/s.zarr | none/x");
    for (std::string const& path :
         {top + "/plain", top + "/none", std::string("slabwise-none"), std::string(), std::string("/")}) {
        EXPECT_NE(message<sw::metadata_error>([&] {
                      (void)zarr::locate(path);
                  }).find("no Zarr store is there; looked for .zarray"),
                  std::string::npos)
            << path;
    }
}

TEST(Locate, SaysWhatMayNotBeLookedInto) {
    temporary_directory directory;
    directory.write("closed/.zgroup", "{}");
    std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(directory.path() / "closed", std::filesystem::perms::none);
    std::string const closed = directory.string() + "/closed";
    std::string found;
    {
        as_nobody const unprivileged;
        found = message<sw::store_error>([&] { (void)zarr::locate(closed + "/pr"); });
    }
    std::filesystem::permissions(directory.path() / "closed", std::filesystem::perms(0755));
    EXPECT_EQ(found, closed + "/pr: permission denied while looking for a Zarr store");
}

}  // namespace
