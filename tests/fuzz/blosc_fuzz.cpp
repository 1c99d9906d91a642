// Chunks of Blosc whose headers are changed: its 16 bytes, and the offsets of the blocks behind it.
//
// Input: two bytes for the decoded size, then the chunk.
#include "fuzz.hpp"

#include <slabwise/codec/blosc.hpp>

namespace sw = slabwise;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    constexpr std::size_t size_bytes = 2;
    std::size_t const header = size_bytes + (seed % 2 == 0 ? 16 : 16 + 4 * (1 + seed / 8 % 4));
    // Once in a while anything, also longer and shorter; else a header keeps its length.
    if (seed % 8 == 7 || size <= header) return LLVMFuzzerMutate(data, size, most);
    std::vector<std::uint8_t> const before(data, data + header);
    auto const changed = static_cast<std::ptrdiff_t>(LLVMFuzzerMutate(data, header, header));
    std::copy(before.begin() + changed, before.end(), data + changed);
    return size;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static fuzz::guarded_memory const in_memory(std::size_t{1} << 20);
    static fuzz::guarded_memory const out_memory(std::size_t{1} << 20);
    fuzz::input input(data, size);
    std::size_t const decoded_bytes = input.short_number();
    auto const in = in_memory.copy(input.rest());
    sw::blosc_codec const codec;

    // Whatever size the header tells, and the one that a chunk should have.
    std::vector<std::byte> some;
    bool const is_some = fuzz::succeeds<sw::codec_error>([&] { codec.decode_some(in, some, std::size_t{1} << 20); });
    auto const out = out_memory.last(is_some ? some.size() : decoded_bytes);
    bool const is_decoded = fuzz::succeeds<sw::codec_error>([&] { codec.decode(in, out); });
    fuzz::require(is_decoded == is_some, "both forms agree");
    if (is_decoded) {
        fuzz::require(std::equal(some.begin(), some.end(), out.begin(), out.end()), "both forms give the same");
        auto const other = out_memory.last(decoded_bytes);
        bool const is_right = fuzz::succeeds<sw::codec_error>([&] { codec.decode(in, other); });
        fuzz::require(is_right == (decoded_bytes == some.size()), "no other size is decoded");
    }
    return 0;
}
