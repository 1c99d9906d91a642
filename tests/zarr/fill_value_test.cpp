// Fill values, bit by bit.
#include <slabwise/zarr/fill_value.hpp>

#include <bit>
#include <cstddef>
#include <span>
#include <string>

#include <gtest/gtest.h>

namespace sw = slabwise;
namespace zarr = slabwise::zarr;
using zarr::json;

namespace {

/// The fill value of that type, as stored in hexadecimal, or "refused".
std::string fill_hex(std::string const& value, std::string const& type, std::endian order = std::endian::big) {
    std::string hex;
    std::string const text = "{\"v\":" + value + "}";
    json const parsed = zarr::detail::parse_object(std::as_bytes(std::span(text)), "k")["v"];
    try {
        for (std::byte const b :
             zarr::detail::fill_bytes(parsed, {zarr::detail::parse_v3_type(type, "k").type, order}, "k")) {
            hex += "0123456789abcdef"[std::to_integer<unsigned>(b) >> 4];
            hex += "0123456789abcdef"[std::to_integer<unsigned>(b) & 15];
        }
    } catch (sw::metadata_error const&) {
        return "refused";
    }
    return hex;
}

TEST(FillValue, IsExact) {
    struct row {
        char const* value;
        char const* type;
        char const* bytes;
    };
    for (auto const& [value, type, bytes] : std::initializer_list<row>{
             {"null", "int16", "0000"},
             {"true", "bool", "01"},
             {"false", "bool", "00"},
             {"1", "bool", "01"},
             {"2", "bool", "refused"},
             {"\"true\"", "bool", "refused"},
             {"-128", "int8", "80"},
             {"127", "int8", "7f"},
             {"128", "int8", "refused"},
             {"-129", "int8", "refused"},
             {"255", "uint8", "ff"},
             {"256", "uint8", "refused"},
             {"-1", "uint8", "refused"},
             {"-2", "int32", "fffffffe"},
             {"9223372036854775807", "int64", "7fffffffffffffff"},
             {"-9223372036854775808", "int64", "8000000000000000"},
             {"9223372036854775808", "int64", "refused"},
             {"18446744073709551615", "uint64", "ffffffffffffffff"},
             {"9007199254740993", "uint64", "0020000000000001"},
             {"3.0", "int16", "0003"},
             {"3.5", "int16", "refused"},
             {"1e300", "int64", "refused"},
             {"true", "int16", "refused"},
             {"\"NaN\"", "int16", "refused"},
             {"1", "float32", "3f800000"},
             {"-0.0", "float32", "80000000"},
             {"0.1", "float32", "3dcccccd"},
             {"0.1", "float64", "3fb999999999999a"},
             {"\"NaN\"", "float32", "7fc00000"},
             {"NaN", "float64", "7ff8000000000000"},
             {"Infinity", "float32", "7f800000"},
             {"-Infinity", "float64", "fff0000000000000"},
             {"\"-Infinity\"", "float16", "fc00"},
             {"\"0x7fc00001\"", "float32", "7fc00001"},
             {"\"0x7FF8000000000123\"", "float64", "7ff8000000000123"},
             {"\"0x7fc0\"", "float32", "refused"},
             {"\"0x7fc0000g\"", "float32", "refused"},
             {"\"nan\"", "float32", "refused"},
             {"true", "float32", "refused"},
             {"3.4028235e38", "float32", "7f7fffff"},
             {"3.5e38", "float32", "refused"},
             {"1e-45", "float32", "00000001"},
             {"9.969209968386869e36", "float32", "7cf00000"},
             {"1", "float16", "3c00"},
             {"-2.5", "float16", "c100"},
             {"65504", "float16", "7bff"},
             {"65520", "float16", "refused"},
             {"0.1", "float16", "2e66"},
             {"2047.9", "float16", "6800"},
             {"5.960464477539063e-08", "float16", "0001"},
             {"6.103515625e-05", "float16", "0400"},
             {"6.1e-05", "float16", "03ff"},
             {"6.09e-05", "float16", "03fe"},
             {"\"NaN\"", "float16", "7e00"},
             {"1", "bfloat16", "3f80"},
             {"-0.1", "bfloat16", "bdcd"},
             {"\"NaN\"", "bfloat16", "7fc0"},
             {"\"Infinity\"", "bfloat16", "7f80"},
             {"\"0xffc1\"", "bfloat16", "ffc1"},
             {"3.3895313892515355e38", "bfloat16", "7f7f"},
             {"3.39e38", "bfloat16", "7f7f"},
             {"3.4e38", "bfloat16", "refused"},
             {"9.2e-41", "bfloat16", "0001"},
             {"[1, -2]", "complex64", "3f800000c0000000"},
             {"[\"NaN\", \"0x7fc00001\"]", "complex64", "7fc000007fc00001"},
             {"[1, 0.5]", "complex128", "3ff00000000000003fe0000000000000"},
             {"[1]", "complex64", "refused"},
             {"1", "complex64", "refused"},
             {"[1, [2]]", "complex64", "refused"},
         }) {
        EXPECT_EQ(fill_hex(value, type), bytes) << value << " as " << type;
    }
    EXPECT_EQ(fill_hex("1", "int32", std::endian::little), "01000000");
    EXPECT_EQ(fill_hex("[1, 0]", "complex64", std::endian::little), "0000803f00000000");
}

}  // namespace
