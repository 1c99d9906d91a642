// Metadata of either version, and a small read of the array that it describes.
//
// Input: a byte that tells the version ('2' or '3') and, by its third bit, whether the store maps objects; the metadata;
// and, after a zero byte, what every chunk of the array holds. Without a zero byte all chunks are absent.
#include "fuzz.hpp"

#include <memory>
#include <optional>
#include <string>

#include <slabwise/transfer/cached_source.hpp>

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

namespace {

/// Metadata under the names that it may have, and one object under all other keys.
class fuzz_store {
public:
    fuzz_store(bool is_v3, bool can_map, std::span<std::byte const> metadata,
               std::optional<std::span<std::byte const>> chunk)
        : is_v3_(is_v3), can_map_(can_map), metadata_(metadata), chunk_(chunk) {}

    sw::object_state get(std::string_view key, sw::byte_range range, sw::byte_sink& to) const {
        auto const object = find(key);
        if (!object) return sw::object_state::absent;
        auto const [offset, length] = sw::detail::require_within(range, object->size(), key);
        auto const room = to.room(length);
        auto const from = object->subspan(static_cast<std::size_t>(offset), room.size());
        std::copy(from.begin(), from.end(), room.begin());
        return sw::object_state::present;
    }
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const {
        auto const object = find(key);
        return object ? std::optional<std::uint64_t>(object->size()) : std::nullopt;
    }
    [[nodiscard]] std::optional<sw::shared_bytes> map(std::string_view key) const {
        auto const object = can_map_ ? find(key) : std::nullopt;
        return object ? std::optional(sw::shared_bytes(nullptr, *object)) : std::nullopt;
    }

private:
    [[nodiscard]] std::optional<std::span<std::byte const>> find(std::string_view key) const {
        if (key.ends_with("zarr.json")) return is_v3_ ? std::optional(metadata_) : std::nullopt;
        if (key == ".zarray" || key == "group/.zgroup" || key == "group/.zmetadata") {
            return is_v3_ ? std::nullopt : std::optional(metadata_);
        }
        if (key == ".zattrs" || key.starts_with("group/") || key.starts_with(".z")) return std::nullopt;
        return chunk_;
    }

    bool is_v3_;
    bool can_map_;
    std::span<std::byte const> metadata_;
    std::optional<std::span<std::byte const>> chunk_;
};

/// True when no chunk that is decoded as a whole has more than 16 MiB: what its bytes may be is known by decoding alone.
bool has_small_chunks(zarr::array_metadata const& metadata) {
    auto const is_small = [&](std::vector<sw::index_t> const& extents) {
        auto bytes = static_cast<sw::index_t>(metadata.type.size);
        for (sw::index_t const extent : extents) {
            if (!sw::multiply_into(bytes, extent)) return false;
        }
        return bytes <= sw::index_t{16} << 20;
    };
    zarr::chunk_encoding const* encoding = &metadata.encoding;
    std::vector<sw::index_t> extents = metadata.chunk_shape;
    bool is_whole = true;
    while (encoding->shards != nullptr) {
        is_whole = is_whole && (encoding->codecs.empty() || is_small(extents));
        extents = encoding->shards->chunk_shape;
        encoding = &encoding->shards->inner;
    }
    return is_whole && is_small(extents);
}

template <class Source>
void read_twice(Source const& source) {
    std::vector<std::byte> plain;
    std::vector<std::byte> cached;
    sw::cached_source<Source> const keeping(source, sw::chunk_cache(std::size_t{1} << 20));
    auto const slab = fuzz::corners(source);
    bool const is_read = fuzz::succeeds<sw::codec_error, sw::store_error, sw::selection_error>(
        [&] { plain = fuzz::read_slab(source, slab); });
    bool const is_read_again = fuzz::succeeds<sw::codec_error, sw::store_error, sw::selection_error>(
        [&] { cached = fuzz::read_slab(keeping, slab); });
    fuzz::require(is_read == is_read_again && plain == cached, "a cache changes nothing");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    fuzz::input input(data, size);
    unsigned const first = input.byte();
    auto const rest = input.rest();
    auto const end = std::find(rest.begin(), rest.end(), std::byte{0});
    auto const length = static_cast<std::size_t>(end - rest.begin());
    std::optional<std::span<std::byte const>> chunk;
    if (end != rest.end()) chunk = rest.subspan(length + 1);
    fuzz_store const store((first & 1) != 0, (first & 4) != 0, rest.first(length), chunk);

    (void)fuzz::succeeds<sw::metadata_error, sw::store_error>([&] { (void)zarr::read_group(store, "group"); });
    zarr::array_metadata metadata;
    if (!fuzz::succeeds<sw::metadata_error>([&] { metadata = zarr::open_metadata(store); })) return 0;
    if (chunk && !has_small_chunks(metadata)) return 0;
    constexpr std::size_t highest = 3;
    if (metadata.rank() > highest) return 0;
    (void)fuzz::succeeds<sw::selection_error>([&] {
        auto const read_array = [&](auto const& array) {
            read_twice(array);
            for (std::size_t i = 0; i < (std::min)(metadata.fields.size(), std::size_t{4}); ++i) {
                read_twice(array.field(metadata.fields[i].name));
            }
        };
        sw::visit_rank<highest>(metadata.rank(), [&](auto rank) {
            constexpr std::size_t R = decltype(rank)::value;
            if (metadata.is_regular()) read_array(zarr::array<R>(store, "", metadata));
            read_array(zarr::rectilinear_array<R>(store, "", metadata));
        });
    });
    return 0;
}
