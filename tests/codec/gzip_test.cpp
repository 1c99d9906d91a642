#include <slabwise/codec/gzip.hpp>

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "codec/compress.hpp"

namespace sw = slabwise;

static_assert(sw::Codec<sw::gzip_codec> && sw::Codec<sw::zlib_codec>);

namespace {

std::span<std::byte const> bytes_of(std::string const& text) { return std::as_bytes(std::span(text)); }

/// What decoding to `size` bytes gives, or the message of the codec_error.
template <class C>
std::string decoded(C const& codec, std::string const& encoded, std::size_t size) {
    std::string out(size, '#');
    try {
        codec.decode(bytes_of(encoded), std::as_writable_bytes(std::span(out)));
    } catch (sw::codec_error const& error) {
        return error.what();
    }
    return out;
}

std::string sample(std::size_t size) {
    std::string text;
    unsigned state = 1;
    while (text.size() < size) text += static_cast<char>((state = state * 1103515245 + 12345) >> 20 & 0x1f);
    return text;
}

TEST(Gzip, DecodesBothFormats) {
    for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{70000}}) {
        std::string const text = sample(size);
        EXPECT_EQ(decoded(sw::gzip_codec(), gzip(text), size), text);
        EXPECT_EQ(decoded(sw::zlib_codec(), zlib(text), size), text);
    }
    EXPECT_EQ(decoded(sw::zlib_codec(), gzip("abc"), 3),
              "zlib: the encoded bytes are damaged or cut short (" + std::to_string(gzip("abc").size()) + " bytes)");
}

TEST(Gzip, NamesTheSizesWhenTheyDiffer) {
    EXPECT_EQ(decoded(sw::gzip_codec(), gzip("abcde"), 6), "gzip: decodes to 5 bytes, 6 expected");
    EXPECT_EQ(decoded(sw::gzip_codec(), gzip("abcde"), 4), "gzip: decodes to more than the 4 bytes expected");
    EXPECT_EQ(decoded(sw::zlib_codec(), zlib("abcde"), 6), "zlib: decodes to 5 bytes, 6 expected");
    EXPECT_EQ(decoded(sw::zlib_codec(), zlib("abcde"), 0), "zlib: decodes to more than the 0 bytes expected");
}

TEST(Gzip, TakesSeveralMembersAndZeroPadding) {
    std::string const two = gzip("abc") + gzip("") + gzip("de");
    EXPECT_EQ(decoded(sw::gzip_codec(), two, 5), "abcde");
    EXPECT_EQ(decoded(sw::gzip_codec(), two + std::string(7, '\0'), 5), "abcde");
    EXPECT_EQ(decoded(sw::gzip_codec(), two, 4), "gzip: decodes to more than the 4 bytes expected");
    EXPECT_EQ(decoded(sw::gzip_codec(), two, 6), "gzip: decodes to 5 bytes, 6 expected");
}

TEST(Gzip, RefusesWhatFollows) {
    EXPECT_EQ(decoded(sw::gzip_codec(), gzip("abc") + "xy", 3),
              "gzip: 2 bytes that do not belong to it follow the encoded bytes");
    EXPECT_EQ(decoded(sw::gzip_codec(), gzip("abc") + std::string("\0\0x", 3), 3),
              "gzip: 3 bytes that do not belong to it follow the encoded bytes");
    EXPECT_EQ(decoded(sw::zlib_codec(), zlib("abc") + '\0', 3),
              "zlib: 1 bytes that do not belong to it follow the encoded bytes");
}

TEST(Gzip, RefusesEveryTruncationAndEveryFlippedByte) {
    std::string const text = sample(300);
    for (bool is_gzip : {true, false}) {
        std::string const whole = is_gzip ? gzip(text) : zlib(text);
        auto const result = [&](std::string const& encoded) {
            return is_gzip ? decoded(sw::gzip_codec(), encoded, 300) : decoded(sw::zlib_codec(), encoded, 300);
        };
        for (std::size_t size = 0; size < whole.size(); ++size) {
            EXPECT_NE(result(whole.substr(0, size)).find(is_gzip ? "gzip: " : "zlib: "), std::string::npos) << size;
        }
        for (std::size_t i = 0; i < whole.size(); ++i) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ 0x5a);
            std::string const found = result(damaged);
            // Time, operating system and the like in the header of gzip carry no data.
            EXPECT_TRUE(found == text ? is_gzip && i >= 4 && i < 10 : found.find(": ") == 4) << i;
        }
    }
}

TEST(Gzip, DecodesWhatItDoesNotKnowTheSizeOf) {
    std::vector<std::byte> out(3);
    std::string const text = std::string(100000, 'a') + sample(5000);
    sw::gzip_codec().decode_some(bytes_of(gzip(text)), out, 105000);
    EXPECT_EQ(std::string(reinterpret_cast<char const*>(out.data()), out.size()), text);
    sw::zlib_codec().decode_some(bytes_of(zlib("")), out, 0);
    EXPECT_TRUE(out.empty());
    EXPECT_THROW(sw::gzip_codec().decode_some(bytes_of(gzip(text)), out, 104999), sw::codec_error);
}

TEST(CodecChain, DecodesBackwards) {
    sw::codec_chain chain;
    EXPECT_TRUE(chain.empty());
    chain.push_back(sw::gzip_codec());
    chain.push_back(sw::zlib_codec());
    EXPECT_EQ(chain.size(), 2u);
    EXPECT_EQ(chain.name(1), "zlib");
    std::string const text = sample(5000);
    EXPECT_EQ(decoded(chain, zlib(gzip(text)), 5000), text);
    EXPECT_EQ(decoded(chain, gzip(zlib(text)), 5000).substr(0, 6), "zlib: ");
}

TEST(CodecChain, BoundsWhatHostileBytesMakeItAllocate) {
    sw::codec_chain chain;
    chain.push_back(sw::gzip_codec());
    chain.push_back(sw::gzip_codec());
    EXPECT_EQ(decoded(chain, gzip(std::string(1 << 20, '\0')), 10), "gzip: decodes to more than 65556 bytes");
}

TEST(CodecChain, ServesManyThreads) {
    sw::codec_chain chain;
    chain.push_back(sw::gzip_codec());
    std::string const text = sample(20000);
    std::string const encoded = gzip(text);
    std::vector<std::thread> threads;
    std::vector<int> right(4);
    for (int& count : right) {
        threads.emplace_back([&] {
            for (int i = 0; i < 50; ++i) count += decoded(chain, encoded, text.size()) == text;
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(right, std::vector<int>(4, 50));
}

}  // namespace
