// The filter that stores eight bools in a byte.
#pragma once

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// Bools, the first in the highest bit of the second byte; the first byte tells how many bits of the last are unused.
/// **Source** numcodecs, codec "packbits".
class packbits_codec {
public:
    [[nodiscard]] std::string_view name() const noexcept { return "packbits"; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept { return bytes / 8 + 2; }

    /// **Throws** codec_error when `in` is damaged or does not hold out.size() bools.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        detail::require_decoded_size(name(), bool_count(in), out.size());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[1 + i / 8] >> (7 - i % 8) & std::byte{1};
    }
    /// **Throws** codec_error when `in` is damaged or holds more than `limit` bools.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        std::size_t const count = bool_count(in);
        detail::require_within_limit(name(), count, limit);
        out.resize(count);
        decode(in, out);
    }

private:
    [[nodiscard]] std::size_t bool_count(std::span<std::byte const> in) const {
        if (in.empty() || in.size() > static_cast<std::size_t>(-1) / 8) detail::fail_damaged(name(), in.size());
        auto const unused = std::to_integer<std::size_t>(in[0]);
        if (unused > 7 || (unused > 0 && in.size() == 1)) detail::fail_damaged(name(), in.size());
        return 8 * (in.size() - 1) - unused;
    }
};

}  // namespace slabwise
