// How much of an array is stored: counted by listing what is there, never by asking for each chunk of the grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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
    /// Those that they hold, also past the end of the array.
    double elements = 0;
};

namespace detail {

/// The length of the chunk along an axis, one of `count`, whose index is written there; nothing when it is no such.
inline std::optional<double> length_of_index(std::string_view text, chunk_edges const& edges, index_t count) {
    auto const index = parse_chunk_index(text, count);
    if (!index) return std::nullopt;
    return static_cast<double>(edges.length(*index));
}

/// The elements of the chunk, along the axes from `axis` on, whose key ends in `name`: the indices of its coord along
/// these axes. Nothing when the name is no such.
inline std::optional<double> elements_of_name(std::string_view name, array_metadata const& array,
                                              std::vector<index_t> const& counts, std::size_t axis) {
    if (array.keys.separator != '/' && array.keys.has_prefix) {
        if (!name.starts_with("c.")) return std::nullopt;
        name.remove_prefix(2);
    }
    double elements = 1;
    for (; axis < counts.size(); ++axis) {
        bool const is_last = axis + 1 == counts.size();
        std::size_t const end = is_last ? name.size() : name.find('.');
        if (end == name.npos) return std::nullopt;
        auto const length = length_of_index(name.substr(0, end), array.edges[axis], counts[axis]);
        if (!length) return std::nullopt;
        elements *= *length;
        name.remove_prefix(is_last ? end : end + 1);
    }
    return elements;
}

}  // namespace detail

/// Counts the stored chunks of the array at `path`; other files, and chunks outside the grid, do not count.
/// **Throws** store_error. **Cost** one list of each directory that holds chunks: O(stored objects).
inline stored_chunks count_stored_chunks(any_store const& store, std::string_view path, array_metadata const& array) {
    path = detail::trimmed(path);
    stored_chunks found;
    std::vector<index_t> counts;
    for (std::size_t axis = 0; axis < array.rank(); ++axis) {
        counts.push_back(array.edges[axis].chunks_below(array.shape[axis]));
    }
    if (counts.empty()) {
        std::string name;
        array.keys.append_to(name, {});
        if (auto const size = store.size(detail::join(path, name))) found = {1, *size, 1};
        return found;
    }
    bool const has_directories = array.keys.separator == '/';
    struct directory {
        std::string prefix;
        std::size_t axis;
        /// The elements of its chunks along the axes before.
        double elements;
    };
    std::vector<directory> waiting;
    waiting.push_back({detail::join(path, has_directories && array.keys.has_prefix ? "c" : ""),
                       has_directories ? 0 : counts.size() - 1, 1});
    while (!waiting.empty()) {
        directory const next = std::move(waiting.back());
        waiting.pop_back();
        bool const holds_chunks = next.axis + 1 == counts.size();
        for (store_entry const& entry : store.list(next.prefix)) {
            if (entry.is_prefix == holds_chunks) continue;
            if (holds_chunks) {
                auto const elements =
                    detail::elements_of_name(entry.name, array, counts, has_directories ? next.axis : 0);
                if (!elements) continue;
                ++found.objects;
                found.bytes += entry.bytes;
                found.elements += next.elements * *elements;
            } else if (auto const length =
                           detail::length_of_index(entry.name, array.edges[next.axis], counts[next.axis])) {
                waiting.push_back({detail::join(next.prefix, entry.name), next.axis + 1, next.elements * *length});
            }
        }
    }
    return found;
}

}  // namespace slabwise::zarr
