// The filter that rounds when it encodes, and changes nothing when it decodes.
#pragma once

#include <algorithm>

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// Floating numbers whose last bits were rounded off before they were stored. **Source** numcodecs, codec "bitround".
class bitround_codec {
public:
    [[nodiscard]] std::string_view name() const noexcept { return "bitround"; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept { return bytes; }

    /// **Throws** codec_error when `in` has not out.size() bytes.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        detail::require_decoded_size(name(), in.size(), out.size());
        std::copy(in.begin(), in.end(), out.begin());
    }
    /// **Throws** codec_error when `in` has more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        detail::require_within_limit(name(), in.size(), limit);
        out.assign(in.begin(), in.end());
    }
};

}  // namespace slabwise
