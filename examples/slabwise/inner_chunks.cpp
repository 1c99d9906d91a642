#include "inner_chunks.hpp"

#include <algorithm>
#include <array>

namespace program {

namespace {

template <std::size_t R, class Grid>
std::optional<std::vector<inner_chunk>> inner_chunks_of(sw::zarr::array<R, Grid> const& array, projection_record const& at,
                                                        std::vector<bool> const& drops_axis) {
    sw::coord_t<R> coord{};
    std::copy_n(at.coord.begin(), R, coord.begin());
    auto const shard = array.open_chunk(coord);
    if (!shard) return std::nullopt;
    std::vector<inner_chunk> found;
    auto const slab = sw::hyperslab<R>::generate([&](std::size_t axis) { return at.in_chunk[axis]; });
    for (auto const inner : sw::make_plan(shard->grid(), slab)) {
        auto const inner_coord = inner.coord();
        auto const in_chunk = inner.in_chunk();
        auto const in_array = inner.in_array();
        inner_chunk next;
        next.projection.coord.assign(inner_coord.begin(), inner_coord.end());
        next.projection.covers_chunk = inner.covers_chunk();
        std::size_t kept = 0;
        for (std::size_t axis = 0; axis < R; ++axis) {
            next.projection.in_chunk.push_back(in_chunk[axis]);
            if (drops_axis[axis]) continue;
            next.projection.in_array.push_back(
                sw::slice::counted(at.in_array[kept++].first() + in_array[axis].first(), in_array[axis].count()));
        }
        next.stored = shard->stored_range(inner_coord);
        found.push_back(std::move(next));
    }
    return found;
}

}  // namespace

bool has_inner_chunks(opened_array const& opened) {
    auto const& encoding = opened.array.metadata().encoding;
    return encoding.shards != nullptr && encoding.codecs.empty();
}

std::optional<std::vector<inner_chunk>> inner_chunks(opened_array const& opened, projection_record const& shard,
                                                     std::vector<bool> const& drops_axis) {
    return opened.array.visit([&](auto const& array) { return inner_chunks_of(array, shard, drops_axis); });
}

}  // namespace program
