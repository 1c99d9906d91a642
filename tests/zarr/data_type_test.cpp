#include <slabwise/store/memory_store.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/map_store.hpp"

namespace sw = slabwise;
namespace zarr = slabwise::zarr;
using sw::element_kind;

namespace {

zarr::data_type v2(std::string const& dtype) { return zarr::detail::parse_v2_type(zarr::json::parse(dtype), "k"); }
zarr::data_type v3(std::string const& type) { return zarr::detail::parse_v3_type(zarr::json::parse(type), "k"); }

std::string fill(std::string const& value, zarr::data_type const& type) {
    auto const bytes = zarr::detail::fill_bytes(zarr::json::parse(value), type, "k");
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

TEST(DataType, TextAndBytesHaveTheirLength) {
    EXPECT_EQ(v2(R"("|S10")").type, (sw::element_type{element_kind::fixed_bytes, 10}));
    EXPECT_EQ(v2(R"("<U5")").type, (sw::element_type{element_kind::fixed_utf32, 20}));
    EXPECT_EQ(v2(R"(">U5")").byte_order, std::endian::big);
    EXPECT_EQ(v2(R"("|V16")").type, (sw::element_type{element_kind::opaque, 16}));
    EXPECT_EQ(v2(R"("|V300")").type.size, 300u);
    EXPECT_EQ(v3(R"("r16")").type, (sw::element_type{element_kind::opaque, 2}));
    EXPECT_EQ(v3(R"("r4000")").type.size, 500u);
    EXPECT_EQ(v3(R"({"name": "null_terminated_bytes", "configuration": {"length_bytes": 5}})").type,
              (sw::element_type{element_kind::fixed_bytes, 5}));
    EXPECT_EQ(v3(R"({"name": "fixed_length_utf32", "configuration": {"length_bytes": 8}})").type,
              (sw::element_type{element_kind::fixed_utf32, 8}));
    EXPECT_EQ(v3(R"({"name": "raw_bytes", "configuration": {"length_bytes": 3}})").type,
              (sw::element_type{element_kind::opaque, 3}));
    EXPECT_EQ(v3(R"({"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 10}})").type,
              sw::element_type_of<std::int64_t>);
    EXPECT_STREQ(sw::name_of({element_kind::fixed_utf32, 20}).c_str(), "utf32x5");
    EXPECT_STREQ(sw::name_of({element_kind::fixed_bytes, 5}).c_str(), "bytes5");
}

// Offsets and sizes as numpy.dtype gives them for the same list.
TEST(DataType, StructuresArePackedAndTheirFieldsFlat) {
    auto const type = v2(R"([["a", "|u1"], ["b", [["b1", ">i2"], ["b2", "<f8"]]], ["c", "<U2"], ["d", "<i4", [2, 3]]])");
    EXPECT_EQ(type.type, (sw::element_type{element_kind::opaque, 43}));
    std::vector<zarr::field> const expected{
        {"a", {element_kind::unsigned_integer, 1}, std::endian::little, 0},
        {"b", {element_kind::opaque, 10}, std::endian::native, 1},
        {"b.b1", {element_kind::signed_integer, 2}, std::endian::big, 1},
        {"b.b2", {element_kind::floating, 8}, std::endian::little, 3},
        {"c", {element_kind::fixed_utf32, 8}, std::endian::little, 11},
        {"d", {element_kind::opaque, 24}, std::endian::native, 19},
    };
    EXPECT_EQ(type.fields, expected);
    auto const same = v3(R"({"name": "structured", "configuration": {"fields": [["a", "uint8"], ["b", "float64"]]}})");
    EXPECT_EQ(same.type.size, 9u);
    EXPECT_EQ(same.fields[1].offset, 1u);
    EXPECT_EQ(v3(R"({"name": "struct", "configuration": {"fields": [{"name": "a", "data_type": "int16"},
                                                                    {"name": "b", "data_type": "r24"}]}})")
                  .type.size,
              5u);
}

/// The message of the metadata_error that f throws; "" for none.
template <class F>
std::string refusal(F f) {
    try {
        (void)f();
    } catch (sw::metadata_error const& error) {
        return error.what();
    }
    return "";
}

TEST(DataType, LargeElementsAreRefused) {
    std::string const end = "; an element of more than 16777216 bytes is not supported";
    for (char const* dtype : {R"("|V16777216")", R"("|S16777216")", R"("<U4194304")", R"([["a","|V16777215"],["b","|u1"]])",
                              R"([["a","<f8",[2048,1024]]])"}) {
        EXPECT_EQ(v2(dtype).type.size, 16777216u);
    }
    for (char const* dtype :
         {R"("|V16777217")", R"("|S99999999999999999999999999")", R"("<U4194305")", R"("<U1152921504606846977")",
          R"([["a","|V16777216"],["b","|u1"]])", R"([["a","<f8",[2048,1025]]])", R"([["a","|u1",18446744073709551615]])",
          R"([["a","|u1",[4294967296,4294967296]]])"}) {
        EXPECT_EQ(refusal([&] { return v2(dtype); }), "k: dtype is " + std::string(dtype) + end);
    }
    EXPECT_EQ(v3(R"("r134217728")").type.size, 16777216u);
    EXPECT_EQ(v3(R"({"name":"raw_bytes","configuration":{"length_bytes":16777216}})").type.size, 16777216u);
    for (char const* type : {R"("r134217736")", R"("r99999999999999999999999999")",
                             R"({"name":"raw_bytes","configuration":{"length_bytes":16777217}})",
                             R"({"name":"raw_bytes","configuration":{"length_bytes":18446744073709551615}})"}) {
        EXPECT_EQ(refusal([&] { return v3(type); }), "k: data_type is " + std::string(type) + end);
    }
}

TEST(DataType, FieldNamesAreUniqueAndTogetherNotTooLong) {
    EXPECT_EQ(refusal([] { return v2(R"([["a", "|u1"], ["b", "|u1"], ["a", "|u1"]])"); }),
              "k: dtype has two fields \"a\"");
    for (char const* dtype : {R"([["a", [["b", "|u1"]]], ["a.b", "|u1"]])", R"([["a.b", "|u1"], ["a", [["b", "|u1"]]]])"}) {
        EXPECT_EQ(refusal([&] { return v2(dtype); }), "k: dtype has two fields \"a.b\"");
    }
    // A name around many fields would be held once for each of them.
    std::string inner;
    for (int i = 0; i < 1000; ++i) inner += (i == 0 ? "[\"" : ", [\"") + std::to_string(i) + "\", \"|u1\"]";
    auto const around = [&](std::size_t length) { return "[[\"" + std::string(length, 'n') + "\", [" + inner + "]]]"; };
    EXPECT_EQ(v2(around(16000)).fields.size(), 1001u);
    EXPECT_EQ(refusal([&] { return v2(around(17000)); }),
              "k: dtype has fields whose names have together more than 16777216 bytes");
}

// A quadratic search takes a minute here.
TEST(DataType, ManyFieldsCostLinearTime) {
    std::string fields;
    std::string values;
    constexpr int count = 100'000;
    for (int i = 0; i < count; ++i) {
        std::string const name = "\"a field whose name is one of many and differs late " + std::to_string(i) + '"';
        fields += (i == 0 ? "[" : ", [") + name + ", \"|u1\"]";
        values += (i == 0 ? "" : ", ") + name + ": " + std::to_string(i % 251);
    }
    auto const start = std::chrono::steady_clock::now();
    auto const type = v2('[' + fields + ']');
    values = '{' + values + '}';
    auto const object = zarr::detail::parse_object(std::as_bytes(std::span(values)), "k");
    auto const bytes = zarr::detail::fill_bytes(object, type, "k");
    EXPECT_EQ(bytes[count - 1], std::byte{(count - 1) % 251});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(DataType, FillValuesOfTextAndBytes) {
    using namespace std::string_literals;
    EXPECT_EQ(fill(R"("YWJj")", v2(R"("|S5")")), "abc\0\0"s);
    EXPECT_EQ(fill(R"("YWI=")", v2(R"("|V2")")), "ab");
    EXPECT_EQ(fill(R"("YQ==")", v2(R"("|S1")")), "a");
    EXPECT_EQ(fill(R"("/+8=")", v2(R"("|V2")")), "\xff\xef");
    EXPECT_EQ(fill(R"("")", v2(R"("|S2")")), "\0\0"s);
    EXPECT_EQ(fill("0", v2(R"("|S2")")), "\0\0"s);
    EXPECT_EQ(fill("null", v2(R"("<U1")")), "\0\0\0\0"s);
    EXPECT_EQ(fill(R"("aé")", v2(R"("<U3")")), "a\0\0\0\xe9\0\0\0\0\0\0\0"s);
    EXPECT_EQ(fill(R"("€😀")", v2(R"(">U2")")), "\0\0\x20\xac\0\1\xf6\0"s);
    EXPECT_EQ(fill("[1, 255]", v3(R"("r16")")), "\1\xff"s);
    EXPECT_EQ(fill(R"("NaT")", v2(R"("<M8[s]")")), "\0\0\0\0\0\0\0\x80"s);
    EXPECT_EQ(fill("-2", v2(R"(">m8[25s]")")), "\xff\xff\xff\xff\xff\xff\xff\xfe"s);
    EXPECT_EQ(fill(R"("AQID")", v2(R"([["a", "|u1"], ["b", "<i2"]])")), "\1\2\3"s);
    EXPECT_EQ(fill(R"({"a": 1, "b": 2})", v2(R"([["a", "|u1"], ["b", ">i2"]])")), "\1\0\2"s);
    for (char const* wrong : {"1", "[1]", "[1, 256]", "[1, 18446744073709551615]", "[1, 2, 3]", "true", "{}"}) {
        EXPECT_THROW((void)fill(wrong, v3(R"("r16")")), sw::metadata_error) << wrong;
    }
    EXPECT_THROW((void)fill(R"({"a": 1, "x": 2})", v2(R"([["a", "|u1"], ["b", ">i2"]])")), sw::metadata_error);
}

TEST(DataType, AFieldIsReadByItself) {
    using namespace std::string_literals;
    // Two elements a chunk; the second chunk is absent.
    map_store const store({{".zarray", R"({"zarr_format": 2, "shape": [3], "chunks": [2], "order": "C", "filters": null,
        "compressor": null, "dtype": [["a", "|u1"], ["b", ">i2"], ["c", [["x", "|S2"]]]], "fill_value": "AQIDZ2g="})"},
                           {"0", "\7\1\2ab" "\x8\3\4cd"}});
    auto const array = zarr::open<1>(store);
    auto const all = sw::hyperslab<1>{sw::slice{0, 3}};
    EXPECT_EQ(sw::read<std::vector<std::uint8_t>>(array.field("a"), all), (std::vector<std::uint8_t>{7, 8, 1}));
    EXPECT_EQ(sw::read<std::vector<std::int16_t>>(array.field("b"), all), (std::vector<std::int16_t>{258, 772, 515}));
    EXPECT_EQ(sw::read<std::vector<double>>(array.field("b"), sw::hyperslab<1>{sw::slice{2, -1, -2}}),
              (std::vector<double>{515, 258}));
    std::string text(6, '#');
    sw::read_bytes_into(array.field("c.x"), sw::make_plan(array.grid(), all), std::as_writable_bytes(std::span(text)));
    EXPECT_EQ(text, "abcdgh");
    std::string whole(15, '#');
    sw::read_bytes_into(array, sw::make_plan(array.grid(), all), std::as_writable_bytes(std::span(whole)));
    EXPECT_EQ(whole, "\7\1\2ab" "\x8\3\4cd" "\1\2\3gh"s);
    try {
        (void)array.field("d");
        FAIL();
    } catch (sw::metadata_error const& error) {
        EXPECT_STREQ(error.what(), "\"\": has no field \"d\"; its fields are a, b, c, c.x");
    }
}

TEST(DataType, AFieldOfShardsIsReadByItself) {
    std::string index;
    for (std::uint64_t const number : {0U, 3U, 3U, 3U}) {
        for (int i = 0; i < 8; ++i) index += static_cast<char>(number >> 8 * i);
    }
    sw::memory_store const store(map_store::bytes_of(
        {{"zarr.json", R"({"zarr_format": 3, "node_type": "array", "shape": [3], "chunk_key_encoding": "default",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}}, "fill_value": {"a": 9, "b": 10},
        "data_type": {"name": "structured", "configuration": {"fields": [["a", "uint8"], ["b", "int16"]]}},
        "codecs": [{"name": "sharding_indexed", "configuration": {"chunk_shape": [1],
            "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}}]})"},
         {"c/0", std::string("\7\1\2\x8\3\4", 6) + index}}));
    auto const array = zarr::open<1>(store);
    auto const all = sw::hyperslab<1>{sw::slice{0, 3}};
    EXPECT_EQ(sw::read<std::vector<std::int16_t>>(array.field("b"), all), (std::vector<std::int16_t>{258, 772, 10}));
    std::int16_t chunk[2] = {0, 0};
    EXPECT_EQ(array.field("b").read_chunk({0}, std::as_writable_bytes(std::span(chunk))), sw::chunk_state::present);
    EXPECT_EQ(chunk[0], 258);
    EXPECT_EQ(chunk[1], 772);
}

}  // namespace
