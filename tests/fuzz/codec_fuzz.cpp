// Each codec in each configuration that the codec tests have, by its names in metadata.
//
// Input: two bytes that choose the line of codecs.jsonl, two for the decoded size, then the encoded bytes.
#include "fuzz.hpp"

#include <fstream>
#include <string>

#include <slabwise/zarr/make_codec.hpp>

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

namespace {

std::vector<sw::codec_chain> read_codecs(char const* path) {
    std::vector<sw::codec_chain> codecs;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        auto const codec = zarr::json::parse(line);
        auto const name = codec["name"].get<std::string>();
        sw::number_type stored{{sw::element_kind::unsigned_integer, 1}};
        if (name == "packbits") stored.type.kind = sw::element_kind::boolean;
        for (char const* member : {"dtype", "decode_dtype"}) {
            if (!codec["configuration"].contains(member)) continue;
            auto const parsed = zarr::detail::parse_v2_type(codec["configuration"][member], "codecs.jsonl");
            stored = {parsed.type, parsed.byte_order};
        }
        sw::codec_chain chain;
        zarr::detail::codec_maker(chain, stored, 2, "codecs.jsonl").append(name, codec["configuration"], "the codec");
        codecs.push_back(chain);
    }
    fuzz::require(!codecs.empty(), "the codecs can be read", path);
    return codecs;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static std::vector<sw::codec_chain> const codecs = read_codecs(SLABWISE_FUZZ_CODECS);
    static fuzz::guarded_memory const in_memory(std::size_t{1} << 20);
    static fuzz::guarded_memory const out_memory(std::size_t{1} << 16);
    fuzz::input input(data, size);
    sw::codec_chain const& codec = codecs[input.short_number() % codecs.size()];
    std::size_t const decoded_bytes = input.short_number();
    auto const in = in_memory.copy(input.rest());
    auto const out = out_memory.last(decoded_bytes);

    bool const is_decoded = fuzz::succeeds<sw::codec_error>([&] { codec.decode(in, out); });
    // The other form must give the same, into a vector that starts with something else in it.
    std::vector<std::byte> some(7);
    bool const is_some = fuzz::succeeds<sw::codec_error>([&] { codec.decode_some(in, some, decoded_bytes); });
    if (is_some) fuzz::require(some.size() <= decoded_bytes, "no more is decoded than the limit", codec.name(0).data());
    fuzz::require(is_decoded == (is_some && some.size() == decoded_bytes), "both forms agree", codec.name(0).data());
    if (is_decoded) {
        fuzz::require(std::equal(some.begin(), some.end(), out.begin(), out.end()), "both forms give the same",
                      codec.name(0).data());
    }
    return 0;
}
