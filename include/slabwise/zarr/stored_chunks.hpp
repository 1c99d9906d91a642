// How much of an array is stored: counted by listing what is there, never by asking for each chunk of the grid.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/store/any_store.hpp>
#include <slabwise/zarr/metadata.hpp>

namespace slabwise::zarr {

/// The chunks of an array that are present in its store.
struct stored_chunks {
    std::uint64_t objects = 0;
    /// As stored, thus encoded. **Units** bytes.
    std::uint64_t bytes = 0;
};

namespace detail {

/// True when `name` is the last part of the key of a chunk: all indices of its coord or, after directories that stand
/// for the others, the one of the last axis.
inline bool is_chunk_name(std::string_view name, array_metadata const& array, std::vector<index_t> const& counts) {
    if (array.keys.separator == '/') return parse_chunk_index(name, counts.back()).has_value();
    if (array.keys.has_prefix) {
        if (!name.starts_with("c.")) return false;
        name.remove_prefix(2);
    }
    for (std::size_t axis = 0; axis < counts.size(); ++axis) {
        bool const is_last = axis + 1 == counts.size();
        std::size_t const end = is_last ? name.size() : name.find('.');
        if (end == name.npos || !parse_chunk_index(name.substr(0, end), counts[axis])) return false;
        name.remove_prefix(is_last ? end : end + 1);
    }
    return true;
}

}  // namespace detail

/// Counts the stored chunks of the array at `path`; other files, and chunks outside the grid, do not count.
/// **Throws** store_error. **Cost** one list of each directory that holds chunks: O(stored objects).
inline stored_chunks count_stored_chunks(any_store const& store, std::string_view path, array_metadata const& array) {
    path = detail::trimmed(path);
    stored_chunks found;
    std::vector<index_t> counts;
    for (std::size_t axis = 0; axis < array.rank(); ++axis) {
        counts.push_back(ceil_divide(array.shape[axis], array.chunk_shape[axis]));
    }
    if (counts.empty()) {
        std::string name;
        array.keys.append_to(name, {});
        if (auto const size = store.size(detail::join(path, name))) found = {1, *size};
        return found;
    }
    bool const has_directories = array.keys.separator == '/';
    struct directory {
        std::string prefix;
        std::size_t axis;
    };
    std::vector<directory> waiting;
    waiting.push_back({detail::join(path, has_directories && array.keys.has_prefix ? "c" : ""),
                       has_directories ? 0 : counts.size() - 1});
    while (!waiting.empty()) {
        directory const next = std::move(waiting.back());
        waiting.pop_back();
        bool const holds_chunks = next.axis + 1 == counts.size();
        for (store_entry const& entry : store.list(next.prefix)) {
            if (entry.is_prefix == holds_chunks) continue;
            if (holds_chunks) {
                if (!detail::is_chunk_name(entry.name, array, counts)) continue;
                ++found.objects;
                found.bytes += entry.bytes;
            } else if (detail::parse_chunk_index(entry.name, counts[next.axis])) {
                waiting.push_back({detail::join(next.prefix, entry.name), next.axis + 1});
            }
        }
    }
    return found;
}

}  // namespace slabwise::zarr
