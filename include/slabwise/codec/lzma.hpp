// The formats of LZMA, by liblzma: .xz, the older .lzma, and raw streams whose filters are told apart.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include <lzma.h>

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// LZMA in one of the containers that numcodecs knows. **Source** numcodecs, codec "lzma"; Python's module lzma.
class lzma_codec {
public:
    /// A filter of a raw stream.
    struct filter {
        lzma_vli id = LZMA_VLI_UNKNOWN;
        lzma_options_lzma lzma{};
        lzma_options_delta delta{};
    };

    /// .xz and .lzma, told apart by their first bytes.
    lzma_codec() = default;
    /// A raw stream. **Expects** 1 to 4 filters, in the order in which they encode.
    explicit lzma_codec(std::vector<filter> filters)
        : filters_(std::make_shared<std::vector<filter> const>(std::move(filters))) {}

    [[nodiscard]] std::string_view name() const noexcept { return "lzma"; }
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
    // What the largest preset needs, and more; a stranger's header may ask for 4 GiB.
    static constexpr std::uint64_t most_memory = std::uint64_t{256} << 20;

    class decoder {
    public:
        explicit decoder(std::vector<filter> const* filters) {
            lzma_ret state = LZMA_OK;
            if (filters == nullptr) {
                state = lzma_auto_decoder(&stream, most_memory, LZMA_CONCATENATED);
            } else {
                std::array<lzma_filter, LZMA_FILTERS_MAX + 1> chain{};
                std::size_t i = 0;
                for (filter const& one : *filters) {
                    void* options = nullptr;
                    if (one.id == LZMA_FILTER_LZMA1 || one.id == LZMA_FILTER_LZMA2) {
                        options = const_cast<lzma_options_lzma*>(&one.lzma);
                    }
                    if (one.id == LZMA_FILTER_DELTA) options = const_cast<lzma_options_delta*>(&one.delta);
                    chain[i++] = {one.id, options};
                }
                chain[i] = {LZMA_VLI_UNKNOWN, nullptr};
                state = lzma_raw_decoder(&stream, chain.data());
            }
            if (state != LZMA_OK) detail::fail_decode("lzma", "the decoder cannot be made");
        }
        decoder(decoder const&) = delete;
        decoder& operator=(decoder const&) = delete;
        ~decoder() { lzma_end(&stream); }
        lzma_stream stream = LZMA_STREAM_INIT;
    };

    /// Decodes all of `in` into `out`, which room(made) replaces by a longer span with the same start when it is full;
    /// one that is no longer means that there is no more room. Returns the number of bytes made.
    template <class Room>
    std::size_t decode_stream(std::span<std::byte const> in, std::span<std::byte> out, Room room) const {
        decoder here(filters_.get());
        lzma_stream& stream = here.stream;
        stream.next_in = reinterpret_cast<std::uint8_t const*>(in.data());
        stream.avail_in = in.size();
        std::size_t made = 0;
        for (bool has_room = true;;) {
            // A stream may go on behind its last byte: there is always room for one that is not wanted.
            std::uint8_t unwanted = 0;
            stream.next_out = has_room ? reinterpret_cast<std::uint8_t*>(out.data() + made) : &unwanted;
            stream.avail_out = has_room ? out.size() - made : 1;
            std::size_t const in_before = stream.avail_in;
            std::size_t const room_before = stream.avail_out;
            lzma_ret const state = lzma_code(&stream, LZMA_FINISH);
            std::size_t const got = room_before - stream.avail_out;
            if (!has_room && got != 0) detail::fail_decode(name(), "decodes to more than ", made, " bytes");
            made += got;
            if (state == LZMA_STREAM_END) break;
            if (state == LZMA_MEMLIMIT_ERROR) detail::fail_decode(name(), "needs more than ", most_memory, " bytes of memory");
            if (state != LZMA_OK && state != LZMA_BUF_ERROR) detail::fail_damaged(name(), in.size());
            if (has_room && made == out.size()) {
                auto const longer = room(made);
                has_room = longer.size() != out.size();
                out = longer;
            } else if (got == 0 && stream.avail_in == in_before) {
                detail::fail_damaged(name(), in.size());
            }
        }
        if (stream.avail_in != 0) {
            detail::fail_decode(name(), "", stream.avail_in, " bytes that do not belong to it follow the encoded bytes");
        }
        return made;
    }

    std::shared_ptr<std::vector<filter> const> filters_;
};

}  // namespace slabwise
