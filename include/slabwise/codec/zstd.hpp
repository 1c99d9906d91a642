// The Zstandard format, by libzstd.
#pragma once

#include <algorithm>
#include <memory>
#include <new>

#include <zstd.h>

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// Zstandard: one frame or several, skippable ones among them. **Source** RFC 8878.
class zstd_codec {
public:
    [[nodiscard]] std::string_view name() const noexcept { return "zstd"; }
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
            std::size_t const wanted = (std::max)({2 * made, in.size(), ZSTD_DStreamOutSize()});
            out.resize((std::min)(limit, wanted));
            return std::span<std::byte>(out);
        };
        out.resize(decode_stream(in, room(0), room));
    }

private:
    /// One context a thread: making one takes longer than decoding a small chunk.
    static ZSTD_DCtx* context() {
        thread_local std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> const kept(ZSTD_createDCtx(), &ZSTD_freeDCtx);
        if (!kept) throw std::bad_alloc();
        return kept.get();
    }

    /// Decodes all of `in` into `out`, which room(made) replaces by a longer span with the same start when it is full;
    /// one that is no longer means that there is no more room. Returns the number of bytes made.
    template <class Room>
    std::size_t decode_stream(std::span<std::byte const> in, std::span<std::byte> out, Room room) const {
        // An empty input is no frame: it stands for nothing only where nothing is expected.
        if (in.empty()) detail::fail_damaged(name(), 0);
        ZSTD_DCtx* const decoder = context();
        ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only);
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        ZSTD_outBuffer to{out.data(), out.size(), 0};
        for (;;) {
            std::size_t const before = from.pos + to.pos;
            std::size_t const left = ZSTD_decompressStream(decoder, &to, &from);
            if (ZSTD_isError(left) != 0) detail::fail_decode(name(), ZSTD_getErrorName(left));
            if (left == 0 && from.pos == from.size) return to.pos;
            if (from.pos + to.pos != before) continue;
            // Nothing moved: the output is full, or the input ends within a frame.
            if (to.pos != to.size) detail::fail_damaged(name(), in.size());
            out = room(to.pos);
            if (out.size() == to.size) detail::fail_decode(name(), "decodes to more than ", to.size, " bytes");
            to = {out.data(), out.size(), to.pos};
        }
    }
};

}  // namespace slabwise
