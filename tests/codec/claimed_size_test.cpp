// Headers that claim sizes which their few bytes cannot decode to.
#include <slabwise/codec/blosc.hpp>
#include <slabwise/codec/lz4.hpp>

#include <climits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace sw = slabwise;

static_assert(sw::Codec<sw::blosc_codec> && sw::Codec<sw::lz4_codec>);

namespace {

/// The number in 4 bytes, little-endian.
std::string stored(std::uint32_t number) {
    std::string text;
    for (unsigned i = 0; i < 4; ++i) text += static_cast<char>(number >> 8 * i);
    return text;
}

/// The message of the codec_error, which comes before the vector takes memory.
template <class C>
std::string refusal(C const& codec, std::string const& encoded) {
    std::vector<std::byte> out;
    try {
        codec.decode_some(std::as_bytes(std::span(encoded)), out, static_cast<std::size_t>(-1));
    } catch (sw::codec_error const& error) {
        EXPECT_LT(out.capacity(), 1000u);
        return error.what();
    }
    return "";
}

TEST(ClaimedSize, OfLz4ThatItsBytesCannotMakeTakesNoMemory) {
    for (std::uint32_t const size : {6000u, 0x7fffffffu}) {
        EXPECT_EQ(refusal(sw::lz4_codec(), stored(size) + std::string(18, '\0')),
                  "lz4: the encoded bytes are damaged or cut short (22 bytes)");
    }
}

// The most that a block can hold: one literal, a match of 4 + 15 + 255 * 1000, then five literals.
TEST(ClaimedSize, OfLz4IsTakenWhereItsBytesMakeIt) {
    std::string const block = std::string("\x1f\x61\x01\x00", 4) + std::string(1000, '\xff') + std::string("\0\x50" "aaaaa", 7);
    std::string const encoded = stored(1 + 19 + 255000 + 5) + block;
    std::vector<std::byte> out(1 + 19 + 255000 + 5);
    sw::lz4_codec().decode(std::as_bytes(std::span(encoded)), out);
    EXPECT_EQ(out, std::vector<std::byte>(out.size(), std::byte{'a'}));
}

TEST(ClaimedSize, OfBloscThatItsBytesCannotMakeTakesNoMemory) {
    // Version 2 of the format, version 1 of lz4, shuffled, elements of 1 byte; decoded size, block size, encoded size.
    std::string const header = std::string("\x02\x01\x21\x01", 4) + stored(0x7fffff00) + stored(0x100000) + stored(32);
    EXPECT_EQ(refusal(sw::blosc_codec(), header + std::string(16, '\0')),
              "blosc: the encoded bytes are damaged or cut short (32 bytes)");
}

}  // namespace
