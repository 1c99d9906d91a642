// LZ4 as numcodecs stores it: the decoded size, then one block; by liblz4.
#pragma once

#include <climits>

#include <lz4.h>

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// One LZ4 block after its decoded size, 4 bytes, little-endian. **Source** numcodecs, codec "lz4"; LZ4 block format.
class lz4_codec {
public:
    [[nodiscard]] std::string_view name() const noexcept { return "lz4"; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept {
        return detail::generous_encoding(bytes);
    }

    /// **Throws** codec_error when `in` is damaged or does not decode to out.size() bytes.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        detail::require_decoded_size(name(), told_size(in), out.size());
        decode_block(in, out);
    }
    /// **Throws** codec_error when `in` is damaged or decodes to more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        std::size_t const size = told_size(in);
        detail::require_within_limit(name(), size, limit);
        out.resize(size);
        decode_block(in, out);
    }

private:
    static constexpr std::size_t size_bytes = 4;

    [[nodiscard]] std::size_t told_size(std::span<std::byte const> in) const {
        if (in.size() < size_bytes || in.size() - size_bytes > INT_MAX) detail::fail_damaged(name(), in.size());
        std::size_t size = 0;
        for (std::size_t i = size_bytes; i-- > 0;) size = size << 8 | std::to_integer<std::size_t>(in[i]);
        // A byte of a block stands for at most 255: memory is not taken for what cannot be.
        if (size / 255 > in.size()) detail::fail_damaged(name(), in.size());
        if (size > INT_MAX) detail::fail_decode(name(), "claims to decode to ", size, " bytes; a block has at most 2^31 - 1");
        return size;
    }
    void decode_block(std::span<std::byte const> in, std::span<std::byte> out) const {
        auto const block = in.subspan(size_bytes);
        char nothing = 0;  // the library wants a place to write to, whatever the size
        int const made = LZ4_decompress_safe(reinterpret_cast<char const*>(block.data()),
                                             out.empty() ? &nothing : reinterpret_cast<char*>(out.data()),
                                             static_cast<int>(block.size()), static_cast<int>(out.size()));
        if (made < 0 || static_cast<std::size_t>(made) != out.size()) detail::fail_damaged(name(), in.size());
    }
};

}  // namespace slabwise
