// What metadata says, and what is said about metadata that is wrong.
#include <slabwise/zarr/array.hpp>

#include <type_traits>

#include <gtest/gtest.h>

#include "store/map_store.hpp"

namespace sw = slabwise;
namespace zarr = slabwise::zarr;
using zarr::json;

namespace {

json const v2 = json::parse(R"({"zarr_format": 2, "shape": [7, 5], "chunks": [3, 2], "dtype": "<i4", "fill_value": 0,
    "order": "C", "filters": null, "compressor": null})");
json const v3 = json::parse(R"({"zarr_format": 3, "node_type": "array", "shape": [7, 5], "data_type": "int32",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3, 2]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
    "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}]})");

/// A copy with some members changed; "<remove>" removes a member.
json changed(json object, std::string const& changes) {
    json const wanted = json::parse(changes);
    for (auto const& [name, value] : wanted.items()) {
        if (value == "<remove>") {
            object.erase(name);
        } else {
            object[name] = value;
        }
    }
    return object;
}

/// A list of so many ones.
std::string ones(int count) {
    std::string text = "[1";
    for (int i = 1; i < count; ++i) text += ",1";
    return text + ']';
}

/// A rectilinear grid with these edges.
std::string rectilinear(std::string const& chunk_shapes) {
    return R"({"chunk_grid": {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": )" +
           chunk_shapes + "}}}";
}

/// The message of the error that opening the array "a" of these objects throws; "" for none.
std::string refusal(map_store::map objects) {
    try {
        (void)zarr::open_metadata(map_store(std::move(objects)), "a");
    } catch (sw::metadata_error const& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with(error.key())) << error.what();
        return error.what();
    }
    return "";
}

/// Codecs of shards, in whose configuration `changed` stands in place of what is right.
std::string sharded(std::string const& changed) {
    zarr::json configuration = zarr::json::parse(R"({"chunk_shape": [1, 1], "codecs": [
        {"name": "bytes", "configuration": {"endian": "little"}}], "index_codecs": [
        {"name": "bytes", "configuration": {"endian": "little"}}]})");
    configuration.update(zarr::json::parse("{" + changed + "}"));
    return zarr::json({{"codecs", {{{"name", "sharding_indexed"}, {"configuration", configuration}}}}}).dump();
}

void expect_words(std::string const& message, std::string const& words) {
    EXPECT_NE(message.find(words), std::string::npos) << "found:  " << message << "\nwanted: " << words;
}

struct bad {
    std::string changes;
    char const* words;
};

TEST(Metadata, OfVersion2ThatIsWrongIsNamed) {
    for (auto const& [changes, words] : std::initializer_list<bad>{
             {R"({"zarr_format": 3})", "a/.zarray: zarr_format is 3; 2 was expected"},
             {R"({"zarr_format": "2"})", "zarr_format is \"2\""},
             {R"({"shape": "<remove>"})", "has no member \"shape\""},
             {R"({"chunks": "<remove>"})", "has no member \"chunks\""},
             {R"({"dtype": "<remove>"})", "has no member \"dtype\""},
             {R"({"order": "<remove>"})", "has no member \"order\""},
             {R"({"filters": "<remove>"})", "has no member \"filters\""},
             {R"({"compressor": "<remove>"})", "has no member \"compressor\""},
             {R"({"fill_value": "<remove>"})", "has no member \"fill_value\""},
             {R"({"shape": [7, -5]})", "shape[1] is -5; an integer from 0 to 2^63 - 1 was expected"},
             {R"({"shape": [7, 5.0]})", "shape[1] is 5.0"},
             {R"({"shape": [7, "5"]})", "shape[1] is \"5\""},
             {R"({"shape": [7, 9223372036854775808]})", "shape[1] is 9223372036854775808"},
             {R"({"shape": [7, 99999999999999999999]})", "shape[1] is 1e+20"},
             {R"({"shape": 7})", "shape is 7; an array of integers was expected"},
             {R"({"shape": [7, 5, 3]})", "shape has 3 axes, but chunks has 2"},
             {R"({"chunks": [3, 0]})", "chunks[1] is 0; an integer from 1 to"},
             {R"({"chunks": [3, null]})", "chunks[1] is null"},
             {R"({"chunks": [4294967296, 4294967296]})", "a chunk of that shape exceeds 2^63 - 1 bytes"},
             {R"({"chunks": [2305843009213693952, 1]})", "a chunk of that shape exceeds 2^63 - 1 bytes"},
             {R"({"dtype": "<i3"})", "dtype is \"<i3\"; this data type cannot be read, only bool, int8"},
             {R"({"dtype": "i4"})", "dtype is \"i4\""},
             {R"({"dtype": "|i4"})", "its first character tells the byte order, '<' or '>'"},
             {R"({"dtype": "=i4"})", "its first character tells the byte order"},
             {R"({"dtype": "<f16"})", "dtype is \"<f16\""},
             {R"({"dtype": "|O"})", "dtype is \"|O\""},
             {R"({"dtype": "<M8[s"})", "dtype is \"<M8[s\""},
             {R"({"dtype": []})", "dtype is []; this data type cannot be read"},
             {R"({"dtype": [["a"]]})", "dtype is [[\"a\"]]; this data type cannot be read"},
             {R"({"dtype": [["a", "<i4"], ["a", "<i2"]]})", "dtype has two fields \"a\""},
             {R"({"dtype": [["a", "<i4", [2, 0]]]})", "this data type cannot be read"},
             {R"({"dtype": [["a", "|V1000000000"], ["b", "|V1000000000"]]})", "an element of more than 16777216 bytes is not supported"},
             {R"({"dtype": "|S0"})", "this data type cannot be read"},
             {R"({"dtype": "|S99999999999999999999999"})", "an element of more than 16777216 bytes is not supported"},
             {R"({"dtype": "|U3"})", "its first character tells the byte order, '<' or '>'"},
             {R"({"dtype": "|O"})", "this data type cannot be read"},
             {R"({"dtype": "|S3", "fill_value": "YWJjZA=="})", "fill_value is \"YWJjZA==\", which is no value"},
             {R"({"dtype": "|S3", "fill_value": "Y!=="})", "which is no value of the type bytes3"},
             {R"({"dtype": "|S3", "fill_value": "YWJ"})", "which is no value of the type bytes3"},
             {R"({"dtype": "<U1", "fill_value": "ab"})", "which is no value of the type utf32x1"},
             {R"({"fill_value": "NaT"})", "fill_value is \"NaT\", which is no value of the type int32"},
             {R"({"dtype": null})", "dtype is null"},
             {R"({"order": "X"})", "order is \"X\"; \"C\" or \"F\" was expected"},
             {R"({"filters": [{"id": "delta"}, {"id": "x"}]})", "filters[0] \"delta\" has no member \"dtype\""},
             {R"({"filters": "x"})", "filters is \"x\"; null or an array of codecs was expected"},
             {R"({"compressor": {"id": "pcodec"}})",
              "the compressor \"pcodec\" is not supported; supported are adler32, astype, bitround, blosc, bz2, crc32"},
             {R"({"filters": [{"id": "delta", "dtype": "<i4"}, {"id": "jpeg"}]})", "filters[1] \"jpeg\" is not supported"},
             {R"({"filters": [{"id": "delta", "dtype": "<i2"}]})",
              "filters[0] \"delta\" has the dtype \"<i2\", but elements of int32 enter it"},
             {R"({"filters": [{"id": "delta", "dtype": "<c8"}]})", "has the type \"<c8\"; a real type was expected"},
             {R"({"filters": [{"id": "fixedscaleoffset", "dtype": "<i4", "scale": 0, "offset": 1}]})", "has the scale 0"},
             {R"({"filters": [{"id": "fixedscaleoffset", "dtype": "<i4", "scale": 1, "offset": "1"}]})",
              "has the offset \"1\"; a number was expected"},
             {R"({"filters": [{"id": "quantize", "dtype": "<i4"}]})", "\"quantize\" takes floating types only"},
             {R"({"filters": [{"id": "packbits"}]})", "\"packbits\" takes bool elements only"},
             {R"({"filters": [{"id": "shuffle", "elementsize": 0}]})", "has the elementsize 0; an integer from 1 on"},
             {R"({"compressor": {"id": "lzma", "format": 4}})", "has the format 4; an integer from 0 to 3"},
             {R"({"compressor": {"id": "lzma", "format": 3}})", "has no member \"filters\""},
             {R"({"compressor": {"id": "lzma", "format": 3, "filters": [{"id": 99}]}})", "the id 99, which is not known"},
             {R"({"compressor": {"id": "crc32", "location": "middle"}})", "has the location \"middle\"; \"start\" or"},
             {R"({"compressor": {"level": 3}})", "an object with a string \"id\" was expected"},
             {R"({"compressor": "gzip"})", "compressor is \"gzip\""},
             {R"({"dimension_separator": "-"})", "dimension_separator is \"-\"; \".\" or \"/\" was expected"},
             {R"({"fill_value": 1.5})", "fill_value is 1.5, which is no value of the type int32"},
             {R"({"fill_value": 2147483648})", "fill_value is 2147483648"},
             {R"({"fill_value": -2147483649})", "fill_value is -2147483649"},
             {R"({"fill_value": "x"})", "fill_value is \"x\""},
         }) {
        expect_words(refusal({{"a/.zarray", changed(v2, changes).dump()}}), words);
    }
    EXPECT_EQ(refusal({{"a/.zarray", v2.dump()}}), "");
}

TEST(Metadata, OfVersion3ThatIsWrongIsNamed) {
    for (auto const& [changes, words] : std::initializer_list<bad>{
             {R"({"zarr_format": 4})", "a/zarr.json: zarr_format is 4; 3 was expected"},
             {R"({"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0"})", "an early draft of Zarr v3"},
             {R"({"node_type": "<remove>"})", "has no member \"node_type\""},
             {R"({"node_type": "leaf"})", "node_type is \"leaf\""},
             {R"({"node_type": "group"})", "is a group; an array was expected"},
             {R"({"data_type": "r12"})", "data_type is \"r12\"; this data type cannot be read, only bool, int8"},
             {R"({"data_type": "r0"})", "data_type is \"r0\"; this data type"},
             {R"({"data_type": "string"})", "data_type is \"string\"; this data type"},
             {R"({"data_type": {"name": "fixed_length_utf32", "configuration": {"length_bytes": 6}}})", "this data type"},
             {R"({"data_type": {"name": "null_terminated_bytes", "configuration": {"length_bytes": 0}}})", "this data type"},
             {R"({"data_type": {"name": "raw_bytes"}})", "this data type cannot be read"},
             {R"({"data_type": {"name": "structured", "configuration": {"fields": []}}})", "this data type cannot be read"},
             {R"({"data_type": {"name": "structured", "configuration": {"fields": [["a", "nope"]]}}})", "\"nope\""},
             {R"({"data_type": {"name": "int32", "configuration": {"x": 1}}})", "data_type is {\"name\":\"int32\""},
             {R"({"chunk_grid": {"name": "hexagonal"}})",
              "chunk_grid \"hexagonal\" is not supported; supported are regular, rectilinear"},
             {R"({"chunk_grid": {"name": "rectilinear"}})", "chunk_grid has no member \"kind\" in its configuration"},
             {R"({"chunk_grid": {"name": "rectilinear", "configuration": {"kind": "separate", "chunk_shapes": []}}})",
              "chunk_grid \"rectilinear\" has the kind \"separate\"; \"inline\" was expected"},
             {rectilinear("5"), "chunk_shapes is 5; an array of edge lengths an axis was expected"},
             {rectilinear("[7]"), "shape has 2 axes, but chunk_shapes has 1"},
             {rectilinear("[0, 5]"), "chunk_shapes[0] is 0; an integer from 1 to 2^63 - 1 was expected"},
             {rectilinear(R"(["7", 5])"), "chunk_shapes[0] is \"7\"; an integer from 1"},
             {rectilinear("[7, [3, -2]]"), "chunk_shapes[1][1] is -2; an integer from 1"},
             {rectilinear("[7, [3, [2]]]"), "chunk_shapes[1][1] is [2]; an integer or [length, count] was expected"},
             {rectilinear("[7, [[2, 0.5]]]"), "chunk_shapes[1][0][1] is 0.5; an integer from 1"},
             {rectilinear("[7, " + ones((1 << 20) + 1) + "]"),
              "chunk_shapes[1] has 1048577 edges and runs of equal ones; at most 1048576 are supported"},
             {rectilinear("[7, [3, 1]]"),
              "chunk_shapes[1] is [3,1]: its chunks reach to 4, but the extent of the axis is 5"},
             {rectilinear("[7, [[4611686018427387904, 2], 1]]"),
              "chunk_shapes[1]: chunk edges: a chunk of length 1 begins past the last index, 2^63 - 2"},
             {rectilinear("[4294967296, [4294967296]]"),
              "chunk_shapes is [4294967296,[4294967296]]; a chunk of that shape exceeds 2^63 - 1 bytes"},
             {R"({"chunk_grid": {"name": "regular"}})", "has no member \"chunk_shape\""},
             {R"({"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3]}}})",
              "shape has 2 axes, but chunk_shape has 1"},
             {R"({"chunk_grid": {"name": "regular", "configuration": [3]}})", "chunk_grid has the configuration [3]"},
             {R"({"chunk_grid": 5})", "chunk_grid is 5; an object with a string \"name\" was expected"},
             {R"({"chunk_key_encoding": {"name": "sequential"}})",
              "chunk_key_encoding \"sequential\" is not supported"},
             {R"({"chunk_key_encoding": {"name": "v2", "configuration": {"separator": "_"}}})",
              "has the separator \"_\""},
             {R"({"codecs": [{"name": "gzip"}]})", "codecs[0] is \"gzip\", before the codec \"bytes\""},
             {R"({"codecs": [{"name": "bytes"}]})",
              "codecs[0] \"bytes\" has the endian null; \"little\" or \"big\" was expected"},
             {R"({"codecs": [{"name": "bytes", "configuration": {"endian": "middle"}}]})", "the endian \"middle\""},
             {R"({"codecs": ["bytes", "gzip"], "data_type": "int8", "shape": [7]})", "shape has 1 axes"},
             {R"({"codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, "bytes"]})",
              "codecs[1] is \"bytes\", but a codec before it has made bytes of the array"},
             {R"({"codecs": [{"name": "transpose", "configuration": {"order": [1, 1]}}, "bytes"]})",
              "codecs[0] \"transpose\" has the order [1,1]; a permutation of the 2 axes was expected"},
             {R"({"codecs": [{"name": "transpose", "configuration": {"order": [0, 2]}}, "bytes"]})",
              "has the order [0,2]; a permutation"},
             {R"({"codecs": [{"name": "transpose", "configuration": {"order": [0]}}, "bytes"]})",
              "has the order [0]; a permutation"},
             {R"({"codecs": ["transpose", "bytes"]})", "codecs[0] has no member \"order\""},
             {R"({"codecs": [{"name": "bytes", "configuration": {"endian": "big"}},
                             {"name": "transpose", "configuration": {"order": [1, 0]}}]})",
              "codecs[1] is \"transpose\", but a codec before it has made bytes"},
             {R"({"codecs": ["sharding_indexed"]})", "codecs[0] has no member \"chunk_shape\" in its configuration"},
             {sharded(R"("chunk_shape": [1])"), "codecs[0] chunk_shape has 1 axes, but the array has 2"},
             {sharded(R"("chunk_shape": [1, 0])"), "codecs[0] chunk_shape[1] is 0; an integer from 1 to 2^63 - 1"},
             {sharded(R"("index_location": "middle")"), "the index_location \"middle\"; \"start\" or \"end\""},
             {sharded(R"("codecs": 1)"), "codecs[0] codecs is 1; an array of codecs was expected"},
             {sharded(R"("codecs": ["gzip"])"), "codecs[0] codecs[0] is \"gzip\", before the codec \"bytes\""},
             {sharded(R"("index_codecs": [])"), "codecs[0] index_codecs is []; an array of codecs was expected"},
             {sharded(R"("index_codecs": ["bytes"])"), "codecs[0] index_codecs[0] \"bytes\" has the endian null"},
             {sharded(R"("index_codecs": ["crc32c"])"), "index_codecs[0] is \"crc32c\"; \"bytes\" must come first"},
             {sharded(R"("index_codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, "gzip"])"),
              "index_codecs[1]: the codec \"gzip\" is not supported for an index"},
             {R"({"codecs": ["numcodecs.blosc"]})", "codecs[0] is \"numcodecs.blosc\", before the codec \"bytes\""},
             {R"({"codecs": "bytes"})", "codecs is \"bytes\"; an array of codecs was expected"},
             {R"({"codecs": [7]})", "codecs[0] is 7"},
             {R"({"storage_transformers": [{"name": "x"}]})", "storage_transformers are not supported"},
             {R"({"dimension_names": ["x"]})", "one name or null for each of 2 axes was expected"},
             {R"({"dimension_names": ["x", 3]})", "dimension_names has 3; a string or null was expected"},
             {R"({"attributes": 3})", "attributes is 3; an object was expected"},
             {R"({"novelty": 1})", "has the unknown member \"novelty\""},
             {R"({"novelty": {"must_understand": true}})", "has the unknown member \"novelty\""},
             {R"({"fill_value": true})", "fill_value is true, which is no value of the type int32"},
         }) {
        expect_words(refusal({{"a/zarr.json", changed(v3, changes).dump()}}), words);
    }
    EXPECT_EQ(refusal({{"a/zarr.json", v3.dump()}}), "");
    EXPECT_EQ(refusal({{"a/zarr.json", changed(v3, R"({"novelty": {"must_understand": false}})").dump()}}), "");
}

TEST(Metadata, ThatIsNoJsonObjectIsNamed) {
    for (auto const& [text, words] : std::initializer_list<std::pair<std::string, char const*>>{
             {"", "a/.zarray: is not valid JSON, at byte 1"},
             {"{\"zarr_format\": 2", "is not valid JSON"},
             {"{} {}", "is not valid JSON"},
             {"{\"a\": \"\xff\"}", "is not valid JSON"},
             {"{\"a\": 1e999}", "is not valid JSON"},
             {"{\"a\": NaNa}", "is not valid JSON"},
             {"[1]", "is [1]; a JSON object was expected"},
             {"\"NaN\"", "a JSON object was expected"},
             {"{\"shape\": [1], \"shape\": [2]}", "has two members \"shape\""},
             {"{\"a\": {\"b\": 1, \"c\": 2, \"b\": 1}}", "has two members \"b\""},
             {std::string(65, '['), "nests deeper than 64 levels"},
             {std::string(10'000'000, '['), "nests deeper than 64 levels"},
         }) {
        expect_words(refusal({{"a/.zarray", text}}), words);
    }
    expect_words(refusal({{"a/.zarray", v2.dump()}, {"a/.zattrs", "[]"}}), "a/.zattrs: is []");
    std::string nested = std::string(63, '[') + std::string(63, ']');
    EXPECT_EQ(refusal({{"a/.zarray", v2.dump()}, {"a/.zattrs", "{\"deep\": " + nested + "}"}}), "");
    expect_words(refusal({{"a/.zarray", v2.dump()}, {"a/.zattrs", "{\"deep\": [" + nested + "]}"}}), "deeper than 64");
}

TEST(Metadata, WithMoreCodecsThanAnyArrayNeedsIsRefused) {
    auto const list = [](std::size_t count, std::string const& first, std::string const& next) {
        std::string text = "[" + first;
        for (std::size_t i = 1; i < count; ++i) text += ", " + next;
        return text + "]";
    };
    std::string const filter = R"({"id": "shuffle"})";
    std::string const bytes = R"({"name": "bytes", "configuration": {"endian": "little"}})";
    auto const of_v2 = [&](std::size_t count) {
        return refusal({{"a/.zarray", changed(v2, R"({"filters": )" + list(count, filter, filter) + "}").dump()}});
    };
    auto const of_v3 = [&](std::size_t count) {
        std::string const codecs = list(count, bytes, R"({"name": "crc32c"})");
        return refusal({{"a/zarr.json", changed(v3, R"({"codecs": )" + codecs + "}").dump()}});
    };
    auto const of_index = [&](std::size_t count) {
        std::string const codecs = sharded(R"("index_codecs": )" + list(count, bytes, R"({"name": "crc32c"})"));
        return refusal({{"a/zarr.json", changed(v3, codecs).dump()}});
    };
    EXPECT_EQ(of_v2(64) + of_v3(64) + of_index(64), "");
    EXPECT_EQ(of_v2(65), "a/.zarray: filters has 65 codecs; at most 64 are supported");
    EXPECT_EQ(of_v3(1000), "a/zarr.json: codecs has 1000 codecs; at most 64 are supported");
    EXPECT_EQ(of_index(65), "a/zarr.json: codecs[0] index_codecs has 65 codecs; at most 64 are supported");
}

// Else shards within shards would hold what is around and within them once for each level.
static_assert(std::is_reference_v<decltype(zarr::detail::extension::configuration)>);

TEST(Metadata, WithManyMembersIsReadInLinearTime) {
    std::string attributes = "{";
    for (int i = 0; i < 200000; ++i) attributes += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
    auto const array = zarr::open_metadata(map_store({{".zarray", v2.dump()}, {".zattrs", attributes + "}"}}));
    EXPECT_EQ(array.attributes.size(), 200000u);
}

TEST(Metadata, IsLookedForWhereItBelongs) {
    expect_words(refusal({}), "a: no Zarr array is there; looked for .zarray and zarr.json");
    expect_words(refusal({{"a/.zgroup", "{}"}}), "a/.zgroup: is a group; an array was expected");
    expect_words(refusal({{"a/.zarray", v2.dump()}, {"a/zarr.json", v3.dump()}}), "a/zarr.json: stands beside .zarray");
    expect_words(refusal({{"a/.zgroup", "{}"}, {"a/zarr.json", v3.dump()}}), "a/zarr.json: stands beside .zgroup");
    expect_words(
        refusal({{"zarr.json", R"({"zarr_format": "https://purl.org/zarr/spec/protocol/core/3.0"})"}}),
        "zarr.json: zarr_format is \"https://purl.org/zarr/spec/protocol/core/3.0\": an early draft of Zarr v3");
    try {
        (void)zarr::read_group(map_store({{"a/.zarray", v2.dump()}}), "a");
        ADD_FAILURE();
    } catch (sw::metadata_error const& error) {
        expect_words(error.what(), "a/.zarray: is an array; a group was expected");
    }
}

TEST(Metadata, SaysWhatStandsThere) {
    json const two = changed(v2, R"({"dtype": ">f8", "fill_value": 2.5, "dimension_separator": "/",
        "compressor": {"id": "zlib", "level": 1}, "_nczarr_array": {"dimrefs": ["/time", "/g/x"]}})");
    auto array = zarr::open_metadata(
        map_store({{"a/.zarray", two.dump()}, {"a/.zattrs", R"({"z": 1, "b": NaN, "s": "NaN\" -Infinity"})"}}), "/a/");
    EXPECT_EQ(array.format, 2);
    EXPECT_EQ(array.shape, (std::vector<sw::index_t>{7, 5}));
    EXPECT_EQ(array.chunk_shape, (std::vector<sw::index_t>{3, 2}));
    EXPECT_EQ(array.chunk_bytes(), 48u);
    EXPECT_EQ(array.type, sw::element_type_of<double>);
    EXPECT_EQ(array.byte_order, std::endian::big);
    EXPECT_EQ(array.dtype, ">f8");
    EXPECT_EQ(array.fill_text, "2.5");
    EXPECT_EQ(array.fill.front(), std::byte{0x40});
    ASSERT_EQ(array.encoding.codecs.size(), 1u);
    EXPECT_EQ(array.encoding.codecs.name(0), "zlib");
    EXPECT_EQ(array.keys.separator, '/');
    EXPECT_EQ(array.dimension_names, (std::vector<std::optional<std::string>>{"time", "x"}));
    EXPECT_EQ(array.attributes.dump(), R"({"z":1,"b":"NaN","s":"NaN\" -Infinity"})");

    for (char const* place : {"_ARRAY_DIMENSIONS", "_nczarr_array", "_NCZARR_ARRAY"}) {
        bool const is_xarray = place[1] == 'A';
        json const names = {{place, is_xarray ? json({"y", "x"}) : json({{"dimension_references", {"/y", "/x"}}})}};
        array = zarr::open_metadata(map_store({{".zarray", v2.dump()}, {".zattrs", names.dump()}}));
        EXPECT_EQ(array.dimension_names, (std::vector<std::optional<std::string>>{"y", "x"})) << place;
    }
    array = zarr::open_metadata(map_store({{".zarray", v2.dump()}, {".zattrs", R"({"_ARRAY_DIMENSIONS": ["x"]})"}}));
    EXPECT_TRUE(array.dimension_names.empty());

    array = zarr::open_metadata(map_store({{"zarr.json", v3.dump()}}));
    EXPECT_EQ(array.format, 3);
    EXPECT_EQ(array.type, sw::element_type_of<std::int32_t>);
    EXPECT_EQ(array.byte_order, std::endian::big);
    EXPECT_EQ(array.dtype, "int32");
    EXPECT_TRUE(array.keys.has_prefix);
    EXPECT_EQ(array.keys.separator, '/');
    // As zarrita writes them when it is given no options.
    array =
        zarr::open_metadata(map_store({{"zarr.json", changed(v3, R"({"codecs": [], "fill_value": null})").dump()}}));
    EXPECT_EQ(array.byte_order, std::endian::little);
    EXPECT_EQ(array.fill, std::vector<std::byte>(4));
}

TEST(Metadata, SaysWhichChunksAnAxisHas) {
    using sw::chunk_edges;
    using edges = std::vector<chunk_edges>;
    auto array = zarr::open_metadata(map_store({{".zarray", v2.dump()}}));
    EXPECT_EQ(array.edges, (edges{{{3, 3}}, {{2, 3}}}));
    EXPECT_TRUE(array.is_regular());

    auto const of = [](std::string const& shape, std::string const& chunk_shapes) {
        json const object = changed(changed(v3, rectilinear(chunk_shapes)), "{\"shape\": " + shape + "}");
        return zarr::open_metadata(map_store({{"zarr.json", object.dump()}}));
    };
    array = of("[7, 5]", "[3, [1, [2, 1], [2, 3]]]");
    EXPECT_EQ(array.edges, (edges{{{3, 3}}, {{1, 1}, {2, 4}}}));
    EXPECT_EQ(array.chunk_shape, (std::vector<sw::index_t>{3, 2}));
    EXPECT_FALSE(array.is_regular());
    // Chunks past the end are of no account.
    array = of("[7, 5]", "[[[4, 2], 100], [5, [9, 9]]]");
    EXPECT_EQ(array.chunk_shape, (std::vector<sw::index_t>{4, 5}));
    EXPECT_TRUE(array.is_regular());
    array = of("[0, 0]", "[[], [6, 2]]");
    EXPECT_EQ(array.chunk_shape, (std::vector<sw::index_t>{1, 6}));
    EXPECT_TRUE(array.is_regular());
    // Equal edges cost nothing, however many they are.
    array = of("[3000000001, 9223372036854775807]", "[[[3, 1000000000], 1], 1000000000000000]");
    EXPECT_EQ(array.edges, (edges{{{3, 1'000'000'000}, {1, 1}}, {{1'000'000'000'000'000, 9224}}}));
}

}  // namespace
