// How the chunks of an array are stored, whatever the version of the format: in which order their axes lie, what encodes
// their bytes, and whether they hold chunks of their own.
#pragma once

#include <bit>
#include <cstddef>
#include <memory>
#include <vector>

#include <slabwise/codec/codec.hpp>
#include <slabwise/index/arithmetic.hpp>

namespace slabwise::zarr {

struct sharding;

/// How the chunks of one level are stored.
struct chunk_encoding {
    /// The array's axis that the stored chunk has in each place, the last of which lies fastest: {0, 1, 2} is C order.
    std::vector<std::size_t> axis_order;
    /// What encodes the bytes of a whole chunk; empty when they are stored as they are.
    codec_chain codecs;
    /// How a chunk holds inner chunks; null when it holds elements.
    std::shared_ptr<sharding const> shards;
};

/// A chunk that holds inner chunks, each encoded by itself, and an index that tells where they lie.
/// **Source** Zarr v3 sharding codec specification, version 1.0.
struct sharding {
    /// The shape of the inner chunks along the array's axes; it need not divide the shard's, then the last ones are
    /// shorter. **Units** elements.
    std::vector<index_t> chunk_shape;
    chunk_encoding inner;
    /// What encodes the index, all of a fixed size.
    codec_chain index_codecs;
    std::endian index_byte_order = std::endian::little;
    /// True when the index follows the inner chunks, false when it comes first.
    bool is_index_at_end = true;
};

/// The encoding of the elements themselves: of the chunks, or of the innermost ones.
inline chunk_encoding const& innermost(chunk_encoding const& encoding) noexcept {
    chunk_encoding const* at = &encoding;
    while (at->shards != nullptr) at = &at->shards->inner;
    return *at;
}

}  // namespace slabwise::zarr
