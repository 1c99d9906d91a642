// The bzip2 format, by libbz2.
#pragma once

#include <algorithm>
#include <climits>
#include <new>

#include <bzlib.h>

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// bzip2: one stream or several, one after another.
class bz2_codec {
public:
    [[nodiscard]] std::string_view name() const noexcept { return "bz2"; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept {
        return detail::generous_encoding(bytes);
    }

    /// **Throws** codec_error when `in` is damaged or does not decode to out.size() bytes.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        auto const room = [&](std::size_t) { return out; };
        detail::require_decoded_size(name(), decode_stream(in, out, room), out.size());
    }
    /// **Throws** codec_error when `in` is damaged or decodes to more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        out.clear();
        auto const room = [&](std::size_t made) {
            out.resize((std::min)(limit, (std::max)({2 * made, in.size(), std::size_t{65536}})));
            return std::span<std::byte>(out);
        };
        out.resize(decode_stream(in, room(0), room));
    }

private:
    class decoder {
    public:
        decoder() {
            if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) throw std::bad_alloc();
        }
        decoder(decoder const&) = delete;
        decoder& operator=(decoder const&) = delete;
        ~decoder() { BZ2_bzDecompressEnd(&stream); }
        bz_stream stream{};
    };

    /// Decodes all of `in` into `out`, which room(made) replaces by a longer span with the same start when it is full;
    /// one that is no longer means that there is no more room. Returns the number of bytes made.
    template <class Room>
    std::size_t decode_stream(std::span<std::byte const> in, std::span<std::byte> out, Room room) const {
        constexpr std::size_t most = UINT_MAX / 2;  // of what the library takes or gives at once
        std::size_t const encoded_bytes = in.size();
        std::size_t made = 0;
        do {
            decoder here;
            int state = BZ_OK;
            while (state != BZ_STREAM_END) {
                auto const offered = static_cast<unsigned>((std::min)(in.size(), most));
                auto const wanted = static_cast<unsigned>((std::min)(out.size() - made, most));
                char nothing = 0;
                here.stream.next_in = const_cast<char*>(reinterpret_cast<char const*>(in.data()));
                here.stream.avail_in = offered;
                here.stream.next_out = wanted == 0 ? &nothing : reinterpret_cast<char*>(out.data() + made);
                here.stream.avail_out = wanted;
                state = BZ2_bzDecompress(&here.stream);
                if (state != BZ_OK && state != BZ_STREAM_END) detail::fail_damaged(name(), encoded_bytes);
                std::size_t const used = offered - here.stream.avail_in;
                std::size_t const got = wanted - here.stream.avail_out;
                in = in.subspan(used);
                made += got;
                if (state == BZ_STREAM_END || used + got != 0) continue;
                // Nothing moved: the output is full, or the input ends within a stream.
                if (made != out.size()) detail::fail_damaged(name(), encoded_bytes);
                auto const longer = room(made);
                if (longer.size() == out.size()) detail::fail_decode(name(), "decodes to more than ", made, " bytes");
                out = longer;
            }
        } while (!in.empty());
        return made;
    }
};

}  // namespace slabwise
