// The keys of chunks: "0.1", "c/0/1" and their like, from chunk coords and back.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <slabwise/index/arithmetic.hpp>

namespace slabwise::zarr {

/// How the key of a chunk is made of its coord. **Source** Zarr v3 core specification, "Chunk key encoding".
struct chunk_key_encoding {
    /// True when "c" stands before the coord (the "default" encoding of Zarr v3), so "c/0/1"; otherwise "0.1".
    bool has_prefix = false;
    /// What stands between the parts, '.' or '/'.
    char separator = '.';

    /// Appends the key of a chunk, without the path of its array. The one chunk of a rank 0 array is "c" or "0".
    void append_to(std::string& key, std::span<index_t const> coord) const {
        if (has_prefix) key += 'c';
        for (std::size_t axis = 0; axis < coord.size(); ++axis) {
            if (has_prefix || axis > 0) key += separator;
            char digits[20];
            auto const end = std::to_chars(digits, digits + sizeof digits, coord[axis]);
            key.append(digits, end.ptr);
        }
        if (coord.empty() && !has_prefix) key += '0';
    }
};

namespace detail {

/// The number that `text` is in canonical decimal form, when it is at least 0 and below `end`.
inline std::optional<index_t> parse_chunk_index(std::string_view text, index_t end) noexcept {
    if (text.empty() || text[0] == '-' || (text[0] == '0' && text.size() > 1)) return std::nullopt;
    index_t index = 0;
    auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc() || stop != text.data() + text.size() || index >= end) return std::nullopt;
    return index;
}

/// `path`/`name`, or `name` at the root of the store.
inline std::string join(std::string_view path, std::string_view name) {
    std::string key;
    key.reserve(path.size() + name.size() + 1);
    key.append(path);
    if (!path.empty() && !name.empty()) key += '/';
    return key.append(name);
}

/// A path as users write it, without '/' at either end.
inline std::string_view trimmed(std::string_view path) noexcept {
    while (path.starts_with('/')) path.remove_prefix(1);
    while (path.ends_with('/')) path.remove_suffix(1);
    return path;
}

}  // namespace detail
}  // namespace slabwise::zarr
