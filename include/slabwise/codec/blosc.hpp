// The Blosc format (version 1), by c-blosc: blocks of shuffled bytes, compressed by blosclz, lz4, lz4hc, snappy, zlib or
// zstd, as the header says.
#pragma once

#include <blosc.h>

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// Blosc. The header tells everything; it comes from a stranger and is checked before it is believed.
/// **Source** c-blosc, README_CHUNK_FORMAT.
class blosc_codec {
public:
    [[nodiscard]] std::string_view name() const noexcept { return "blosc"; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept {
        return detail::generous_encoding(bytes);
    }

    /// **Throws** codec_error when `in` is damaged or does not decode to out.size() bytes.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        detail::require_decoded_size(name(), checked_size(in), out.size());
        decode_checked(in, out);
    }
    /// **Throws** codec_error when `in` is damaged or decodes to more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        std::size_t const size = checked_size(in);
        detail::require_within_limit(name(), size, limit);
        out.resize(size);
        decode_checked(in, out);
    }

private:
    /// The decoded size, of a header that agrees with the bytes that there are.
    [[nodiscard]] std::size_t checked_size(std::span<std::byte const> in) const {
        std::size_t size = 0;
        if (in.size() < BLOSC_MIN_HEADER_LENGTH || blosc_cbuffer_validate(in.data(), in.size(), &size) != 0) {
            detail::fail_damaged(name(), in.size());
        }
        // None of the compressors makes so much of a byte, zstd 2^15: memory is not taken for what cannot be.
        if (size >> 16 > in.size()) detail::fail_damaged(name(), in.size());
        return size;
    }
    void decode_checked(std::span<std::byte const> in, std::span<std::byte> out) const {
        // One thread, and none of the library's global state.
        int const made = blosc_decompress_ctx(in.data(), out.data(), out.size(), 1);
        if (made < 0 || static_cast<std::size_t>(made) != out.size()) detail::fail_damaged(name(), in.size());
    }
};

}  // namespace slabwise
