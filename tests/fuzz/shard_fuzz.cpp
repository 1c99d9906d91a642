// The bytes of shards, their indexes first of all, under the metadata of each array in shards.jsonl.
//
// Input: a byte that chooses the array, one whose lowest bit puts the right checksum behind the index, then the shard.
#include "fuzz.hpp"

#include <fstream>
#include <optional>
#include <string>

#include <slabwise/store/memory_store.hpp>

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

namespace {

/// Objects in memory that cannot be mapped, so that each part of them is a request.
class requested_store {
public:
    explicit requested_store(sw::memory_store objects) : objects_(std::move(objects)) {}
    sw::object_state get(std::string_view key, sw::byte_range range, sw::byte_sink& to) const {
        return objects_.get(key, range, to);
    }
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const { return objects_.size(key); }

private:
    sw::memory_store objects_;
};

std::vector<std::string> read_lines(char const* path) {
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    fuzz::require(!lines.empty(), "the arrays can be read", path);
    return lines;
}

std::vector<std::byte> bytes_of(std::span<std::byte const> bytes) { return {bytes.begin(), bytes.end()}; }

/// Puts the checksum that an index should have in its place, if it has one and there is room.
void mend_checksum(zarr::array_metadata const& metadata, std::vector<std::byte>& shard) {
    auto const& shards = *metadata.encoding.shards;
    std::size_t index_bytes = 16;
    for (std::size_t axis = 0; axis < metadata.rank(); ++axis) {
        index_bytes *= static_cast<std::size_t>(sw::ceil_divide(metadata.chunk_shape[axis], shards.chunk_shape[axis]));
    }
    bool const has_checksum = !shards.index_codecs.empty() && metadata.encoding.codecs.empty();
    if (!has_checksum || shard.size() < index_bytes + 4) return;
    std::size_t const begin = shards.is_index_at_end ? shard.size() - index_bytes - 4 : 0;
    std::uint32_t const sum = sw::crc32c(std::span<std::byte const>(shard).subspan(begin, index_bytes));
    for (unsigned i = 0; i < 4; ++i) shard[begin + index_bytes + i] = static_cast<std::byte>(sum >> 8 * i);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    static std::vector<std::string> const arrays = read_lines(SLABWISE_FUZZ "/shards.jsonl");
    fuzz::input input(data, size);
    std::string const& json = arrays[input.byte() % arrays.size()];
    bool const is_mended = (input.byte() & 1) != 0;
    std::vector<std::byte> shard = bytes_of(input.rest());
    sw::memory_store::objects objects;
    objects["zarr.json"] = bytes_of(std::as_bytes(std::span(json)));
    auto const metadata = zarr::open_metadata(sw::memory_store(objects));
    if (is_mended) mend_checksum(metadata, shard);
    std::string key = "c";
    for (std::size_t axis = 0; axis < metadata.rank(); ++axis) key += "/0";
    objects[key] = std::move(shard);
    sw::memory_store const mapped(std::move(objects));

    sw::visit_rank<3>(metadata.rank(), [&](auto rank) {
        constexpr std::size_t R = decltype(rank)::value;
        using slab = sw::hyperslab<R>;
        zarr::array<R> const in_memory(mapped, "", metadata);
        zarr::array<R> const requested(requested_store(mapped), "", metadata);
        auto const all = slab::all(in_memory.grid().shape());
        for (slab const& some : {all, fuzz::corners(in_memory)}) {
            std::vector<std::byte> found[2];
            bool const is_read = fuzz::succeeds<sw::codec_error, sw::store_error>(
                [&] { found[0] = fuzz::read_slab(in_memory, some); });
            bool const is_read_again = fuzz::succeeds<sw::codec_error, sw::store_error>(
                [&] { found[1] = fuzz::read_slab(requested, some); });
            // Of a shard within a shard that would end behind its object, a part may be requested that does not.
            if (!is_read) continue;
            fuzz::require(is_read_again && found[0] == found[1], "what is mapped and what is requested are the same");
        }
        // The shard as one chunk, each of whose elements is one of the inner chunks' or the fill value.
        auto const bytes = static_cast<std::size_t>(in_memory.grid().chunk_elements()) * in_memory.layout().stored_size;
        std::vector<std::byte> wholes[2] = {std::vector<std::byte>(bytes, std::byte{1}),
                                            std::vector<std::byte>(bytes, std::byte{2})};
        bool const is_whole = fuzz::succeeds<sw::codec_error, sw::store_error>(
            [&] { (void)in_memory.read_chunk({}, wholes[0]); });
        bool const is_whole_again = fuzz::succeeds<sw::codec_error, sw::store_error>(
            [&] { (void)requested.read_chunk({}, wholes[1]); });
        if (is_whole) fuzz::require(is_whole_again && wholes[0] == wholes[1], "all of a whole chunk is written");
    });
    return 0;
}
