// Every codec, on what numcodecs encodes with it, and on what strangers make of that.
#include <slabwise/zarr/make_codec.hpp>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <seeded_random.hpp>

namespace sw = slabwise;
namespace zarr = slabwise::zarr;
using bytes = std::vector<std::byte>;

namespace {

struct sample {
    zarr::json told;
    bytes encoded;
    bytes decoded;

    [[nodiscard]] sw::codec_chain codec() const {
        auto const name = told["name"].get<std::string>();
        zarr::json const& configuration = told["configuration"];
        sw::number_type stored{{sw::element_kind::unsigned_integer, 1}};
        if (name == "packbits") stored.type.kind = sw::element_kind::boolean;
        for (char const* member : {"dtype", "decode_dtype"}) {
            if (!configuration.contains(member)) continue;
            auto const parsed = zarr::detail::parse_v2_type(configuration[member], "k");
            stored = {parsed.type, parsed.byte_order};
        }
        sw::codec_chain chain;
        zarr::detail::codec_maker(chain, stored, 2, "k").append(name, configuration, "the codec");
        return chain;
    }
};

/// What encode_samples.py prints, read once.
std::vector<sample> const& samples() {
    static std::vector<sample> const all = [] {
        std::FILE* const output = popen(SLABWISE_PYTHON " -W ignore " SLABWISE_TESTS "/codec/encode_samples.py", "r");
        std::string text;
        char part[65536];
        for (std::size_t size = 1; size != 0;) {
            size = std::fread(part, 1, sizeof part, output);
            text.append(part, size);
        }
        EXPECT_EQ(pclose(output), 0);
        std::vector<sample> found;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t const end = text.find('\n', at);
            sample one{zarr::json::parse(text.substr(at, end - at)), {}, {}};
            at = end + 1;
            for (auto* part_of : {&one.encoded, &one.decoded}) {
                std::size_t const size = one.told[part_of == &one.encoded ? "encoded" : "decoded"].get<std::size_t>();
                auto const* const begin = reinterpret_cast<std::byte const*>(text.data() + at);
                part_of->assign(begin, begin + size);
                at += size;
            }
            found.push_back(std::move(one));
        }
        return found;
    }();
    return all;
}

/// True when decoding to exactly `size` bytes works; `found`, if any, gets them. Nothing but a codec_error may come.
bool decodes(sw::codec_chain const& codec, std::span<std::byte const> encoded, std::size_t size, bytes* found = nullptr) {
    // On the heap at its exact size, so that a sanitizer sees what is written behind it.
    bytes const exact(encoded.begin(), encoded.end());
    bytes out(size, std::byte{0xee});
    try {
        codec.decode(exact, out);
    } catch (sw::codec_error const&) {
        return false;
    }
    if (found != nullptr) *found = std::move(out);
    return true;
}

TEST(Codecs, DecodeWhatNumcodecsEncodes) {
    ASSERT_GT(samples().size(), 700u);
    for (sample const& one : samples()) {
        SCOPED_TRACE(one.told.dump());
        auto const codec = one.codec();
        EXPECT_EQ(codec.name(0), one.told["name"].get<std::string>());
        bytes found;
        ASSERT_TRUE(decodes(codec, one.encoded, one.decoded.size(), &found));
        EXPECT_TRUE(found == one.decoded);
        bytes some{std::byte{1}};
        codec.decode_some(one.encoded, some, one.decoded.size());
        EXPECT_TRUE(some == one.decoded);
        codec.decode_some(one.encoded, some, one.decoded.size() + 100000);
        EXPECT_TRUE(some == one.decoded);
        EXPECT_GE(codec.largest_encoding(one.decoded.size()), one.encoded.size());
    }
}

TEST(Codecs, DecodeToOneSizeOnly) {
    for (sample const& one : samples()) {
        SCOPED_TRACE(one.told.dump());
        auto const codec = one.codec();
        EXPECT_FALSE(decodes(codec, one.encoded, one.decoded.size() + 1));
        if (one.decoded.empty()) continue;
        EXPECT_FALSE(decodes(codec, one.encoded, one.decoded.size() - 1));
        EXPECT_FALSE(decodes(codec, one.encoded, 0));
        bytes some;
        EXPECT_THROW(codec.decode_some(one.encoded, some, one.decoded.size() - 1), sw::codec_error);
        EXPECT_THROW(codec.decode_some(one.encoded, some, 0), sw::codec_error);
    }
}

TEST(Codecs, RefuseWhatIsCutShortOrTooLong) {
    slabwise_test::random_numbers numbers(301);
    for (sample const& one : samples()) {
        SCOPED_TRACE(one.told.dump());
        if (one.decoded.empty()) continue;
        auto const codec = one.codec();
        auto const size = static_cast<sw::index_t>(one.encoded.size());
        bool const is_small = size <= 300;
        for (sw::index_t i = 0; i < (is_small ? size : 40); ++i) {
            auto const cut = static_cast<std::size_t>(is_small ? i : numbers.number(0, size - 1));
            EXPECT_FALSE(decodes(codec, std::span(one.encoded).first(cut), one.decoded.size())) << cut;
        }
        bytes longer = one.encoded;
        longer.push_back(std::byte{0x5a});
        EXPECT_FALSE(decodes(codec, longer, one.decoded.size()));
    }
}

TEST(Codecs, TakeNoHarmFromWrongBytes) {
    slabwise_test::random_numbers numbers(302);
    for (sample const& one : samples()) {
        SCOPED_TRACE(one.told.dump());
        auto const codec = one.codec();
        auto const name = one.told["name"].get<std::string>();
        bool const has_checksum = name == "gzip" || name == "zlib" || name == "bz2" || name == "crc32" || name == "adler32";
        for (int i = 0; i < 30 && !one.encoded.empty(); ++i) {
            bytes wrong = one.encoded;
            // The headers are what tells lengths.
            auto const last = static_cast<sw::index_t>(i < 15 ? std::min<std::size_t>(wrong.size(), 24) : wrong.size()) - 1;
            auto const at = static_cast<std::size_t>(numbers.number(0, last));
            wrong[at] ^= static_cast<std::byte>(numbers.number(1, 255));
            bytes found;
            if (decodes(codec, wrong, one.decoded.size(), &found) && has_checksum) {
                EXPECT_TRUE(found == one.decoded) << at;
            }
            bytes some;
            try {
                codec.decode_some(wrong, some, one.decoded.size() + 1000);
                EXPECT_LE(some.size(), one.decoded.size() + 1000);
            } catch (sw::codec_error const&) {
            }
        }
    }
}

TEST(Codecs, StandOneBehindTheOther) {
    // crc32c last: its checksum is that of RFC 3720 for the nine digits.
    std::string const digits = "123456789";
    auto const text = std::as_bytes(std::span(digits));
    EXPECT_EQ(sw::crc32c(text), 0xe3069283U);
    EXPECT_EQ(sw::crc32c({}), 0U);
    bytes encoded(text.begin(), text.end());
    for (unsigned const byte : {0x83U, 0x92U, 0x06U, 0xe3U}) encoded.push_back(std::byte{static_cast<std::uint8_t>(byte)});
    sw::codec_chain chain;
    chain.push_back(sw::shuffle_codec(3));
    chain.push_back(sw::bitround_codec());
    chain.push_back(sw::crc32c_codec(sw::checksum_place::behind));
    bytes found;
    ASSERT_TRUE(decodes(chain, encoded, 9, &found));
    EXPECT_EQ(std::string(reinterpret_cast<char const*>(found.data()), 9), "147258369");
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        auto wrong = encoded;
        wrong[i] ^= std::byte{1};
        EXPECT_FALSE(decodes(chain, wrong, 9));
    }
    EXPECT_EQ(chain.largest_encoding(9), 13u);
}

// The values that the HDF5 library's checksum has for these bytes: sums of big-endian words modulo 2^16 - 1.
TEST(Codecs, Fletcher32IsThatOfHdf5) {
    auto const of = [](std::string const& text) { return sw::fletcher32(std::as_bytes(std::span(text))); };
    // abcd: words 0x6162, 0x6364: low 0xc4c6, high 0x6162 + 0xc4c6 = 0x12628, folded 0x2629.
    EXPECT_EQ(of("abcd"), 0x2629c4c6U);
    // abcde: one more word 0x6500: low 0x129c6 -> 0x29c7, high 0x12628 + 0x129c6 = 0x24fee -> 0x4ff0.
    EXPECT_EQ(of("abcde"), 0x4ff029c7U);
    EXPECT_EQ(of(""), 0U);
}

}  // namespace
