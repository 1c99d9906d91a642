// The inner chunks of a shard that a plan touches, and where they lie in it.
#pragma once

#include <optional>
#include <vector>

#include <slabwise/store/byte_range.hpp>

#include "any_plan.hpp"
#include "open.hpp"

namespace program {

/// An inner chunk: its coord counts within the shard, `in_array` in the whole selection.
struct inner_chunk {
    projection_record projection;
    /// Where it lies in its object; nothing when it is absent.
    std::optional<sw::byte_range::extent> stored;
};

/// True when the chunks of the array are shards whose inner chunks can be read one by one.
bool has_inner_chunks(opened_array const& opened);

/// The inner chunks that a projection touches in its shard; nothing when the shard is absent. `drops_axis` tells which
/// axes `shard.in_array` does not have. Reads the index of the shard. **Expects** has_inner_chunks(opened).
/// **Throws** slabwise::error.
std::optional<std::vector<inner_chunk>> inner_chunks(opened_array const& opened, projection_record const& shard,
                                                     std::vector<bool> const& drops_axis);

}  // namespace program
