// The gzip and zlib formats, by libdeflate. Each call makes a decompressor of its own, which takes 0.14 us: one kept in
// each thread would save nothing that counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>

#include <libdeflate.h>

#include <slabwise/codec/codec.hpp>
#include <slabwise/error.hpp>

namespace slabwise {

namespace detail {

enum class deflate_format : unsigned char { gzip, zlib };

/// Decodes one wrapped DEFLATE stream after another. **Source** RFC 1952 (gzip), RFC 1950 (zlib).
class inflater {
public:
    explicit inflater(deflate_format format)
        : format_(format), decompressor_(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor) {
        if (!decompressor_) throw std::bad_alloc();
    }

    struct answer {
        libdeflate_result result;
        std::size_t used = 0;
        std::size_t made = 0;
    };
    /// Decodes the stream at the start of `in` into the start of `out`.
    [[nodiscard]] answer decode_one(std::span<std::byte const> in, std::span<std::byte> out) const noexcept {
        answer found{};
        auto const decode =
            format_ == deflate_format::gzip ? &libdeflate_gzip_decompress_ex : &libdeflate_zlib_decompress_ex;
        found.result =
            decode(decompressor_.get(), in.data(), in.size(), out.data(), out.size(), &found.used, &found.made);
        return found;
    }

    /// Decodes all of `in`. `room(more)` gives the span to decode into, a
    /// larger one with the same start when `more`, or throws. Returns the number of bytes made.
    template <class Room>
    std::size_t decode_all(std::span<std::byte const> in, Room room) const {
        std::size_t made = 0;
        std::span<std::byte> out = room(false);
        for (bool is_first = true; is_first || !is_finished(in); is_first = false) {
            answer found = decode_one(in, out.subspan(made));
            while (found.result == LIBDEFLATE_INSUFFICIENT_SPACE) {
                out = room(true);
                found = decode_one(in, out.subspan(made));
            }
            if (found.result != LIBDEFLATE_SUCCESS) {
                fail_damaged(name(), in.size());
            }
            made += found.made;
            in = in.subspan(found.used);
        }
        return made;
    }

    [[nodiscard]] char const* name() const noexcept { return format_ == deflate_format::gzip ? "gzip" : "zlib"; }

    [[noreturn]] void fail(char const* before, std::size_t value, char const* after) const {
        fail_decode(name(), before, value, after);
    }

private:
    // A gzip file is a series of members, which zero bytes may follow; a zlib stream stands alone.
    [[nodiscard]] bool is_finished(std::span<std::byte const> rest) const {
        bool const is_gzip = format_ == deflate_format::gzip;
        bool const is_padding = std::all_of(rest.begin(), rest.end(), [](std::byte b) { return b == std::byte{0}; });
        if (rest.empty() || (is_gzip && is_padding)) return true;
        bool const is_member = rest.size() >= 2 && rest[0] == std::byte{0x1f} && rest[1] == std::byte{0x8b};
        if (!is_gzip || !is_member) fail("", rest.size(), " bytes that do not belong to it follow the encoded bytes");
        return false;
    }

    deflate_format format_;
    std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor_;
};

template <deflate_format Format>
class deflate_codec {
public:
    [[nodiscard]] std::string_view name() const noexcept { return Format == deflate_format::gzip ? "gzip" : "zlib"; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept { return generous_encoding(bytes); }

    /// **Throws** codec_error when `in` is damaged or does not decode to out.size() bytes. **Cost** one allocation.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        inflater const inflate(Format);
        std::size_t const made = inflate.decode_all(in, [&](bool more) {
            if (more) inflate.fail("decodes to more than the ", out.size(), " bytes expected");
            return out;
        });
        require_decoded_size(name(), made, out.size());
    }

    /// **Throws** codec_error when `in` is damaged or decodes to more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        inflater const inflate(Format);
        out.clear();
        std::size_t const made = inflate.decode_all(in, [&](bool more) {
            if (more && out.size() == limit) inflate.fail("decodes to more than ", limit, " bytes");
            out.resize((std::min)(limit, (std::max)({out.size() * 2, in.size(), std::size_t{4096}})));
            return std::span<std::byte>(out);
        });
        out.resize(made);
    }
};

}  // namespace detail

/// The gzip format: one member or several, which zero bytes may follow.
using gzip_codec = detail::deflate_codec<detail::deflate_format::gzip>;
/// The zlib format: one stream and nothing after it.
using zlib_codec = detail::deflate_codec<detail::deflate_format::zlib>;

}  // namespace slabwise
