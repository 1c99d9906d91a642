// Checksums that are stored with the bytes, 4 bytes, little-endian, before or behind them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include <libdeflate.h>

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// On which side of the bytes a checksum stands.
enum class checksum_place : unsigned char { before, behind };

namespace detail {

/// Tables for 8 bytes at a time: entry [k][b] is the checksum of the byte b followed by k zero bytes.
constexpr std::array<std::array<std::uint32_t, 256>, 8> make_crc32c_tables() noexcept {
    constexpr std::uint32_t reversed_polynomial = 0x82f63b78;
    std::array<std::array<std::uint32_t, 256>, 8> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t value = byte;
        for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? reversed_polynomial : 0);
        tables[0][byte] = value;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            std::uint32_t const shorter = tables[k - 1][byte];
            tables[k][byte] = shorter >> 8 ^ tables[0][shorter & 0xff];
        }
    }
    return tables;
}

}  // namespace detail

/// CRC-32C (Castagnoli). **Source** RFC 3720, appendix B.4. **Cost** about 1 ns a byte at worst.
inline std::uint32_t crc32c(std::span<std::byte const> bytes) noexcept {
    static constexpr auto tables = detail::make_crc32c_tables();
    std::uint32_t value = 0xffffffff;
    std::size_t i = 0;
    for (; bytes.size() - i >= 8; i += 8) {
        std::uint32_t next = 0;
        for (std::size_t b = 0; b < 8; ++b) {
            std::uint32_t const mixed = b < 4 ? value >> (8 * b) & 0xff : 0;
            next ^= tables[7 - b][std::to_integer<std::uint32_t>(bytes[i + b]) ^ mixed];
        }
        value = next;
    }
    for (; i < bytes.size(); ++i) {
        value = value >> 8 ^ tables[0][(value ^ std::to_integer<std::uint32_t>(bytes[i])) & 0xff];
    }
    return ~value;
}

/// Fletcher's checksum of big-endian words of 16 bits, as HDF5 computes it. **Source** HDF5 file format, "Fletcher32".
inline std::uint32_t fletcher32(std::span<std::byte const> bytes) noexcept {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    auto const fold = [](std::uint32_t sum) { return (sum & 0xffff) + (sum >> 16); };
    std::size_t i = 0;
    while (i < bytes.size()) {
        // Sums of so many words cannot overflow.
        std::size_t const past = (std::min)(bytes.size(), i + 2 * 360);
        for (; i < past; i += 2) {
            std::uint32_t const last = i + 1 < bytes.size() ? std::to_integer<std::uint32_t>(bytes[i + 1]) : 0;
            low += std::to_integer<std::uint32_t>(bytes[i]) << 8 | last;
            high += low;
        }
        low = fold(low);
        high = fold(high);
    }
    return fold(high) << 16 | fold(low);
}

namespace detail {

struct crc32_sum {
    static constexpr std::string_view name = "crc32";
    static std::uint32_t of(std::span<std::byte const> bytes) noexcept {
        return libdeflate_crc32(0, bytes.data(), bytes.size());
    }
};
struct adler32_sum {
    static constexpr std::string_view name = "adler32";
    static std::uint32_t of(std::span<std::byte const> bytes) noexcept {
        return libdeflate_adler32(1, bytes.data(), bytes.size());
    }
};
struct crc32c_sum {
    static constexpr std::string_view name = "crc32c";
    static std::uint32_t of(std::span<std::byte const> bytes) noexcept { return crc32c(bytes); }
};
struct fletcher32_sum {
    static constexpr std::string_view name = "fletcher32";
    static std::uint32_t of(std::span<std::byte const> bytes) noexcept { return fletcher32(bytes); }
};

template <class Sum>
class checksum_codec {
public:
    explicit checksum_codec(checksum_place place) noexcept : place_(place) {}

    [[nodiscard]] std::string_view name() const noexcept { return Sum::name; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept { return saturating_add(bytes, sum_bytes); }

    /// **Throws** codec_error when the checksum is wrong, and when `in` does not hold out.size() bytes.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        auto const bytes = checked(in);
        require_decoded_size(name(), bytes.size(), out.size());
        std::copy(bytes.begin(), bytes.end(), out.begin());
    }
    /// **Throws** codec_error when the checksum is wrong, and when `in` holds more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        auto const bytes = checked(in);
        require_within_limit(name(), bytes.size(), limit);
        out.assign(bytes.begin(), bytes.end());
    }

private:
    static constexpr std::size_t sum_bytes = 4;

    [[nodiscard]] std::span<std::byte const> checked(std::span<std::byte const> in) const {
        if (in.size() < sum_bytes) fail_damaged(name(), in.size());
        bool const is_before = place_ == checksum_place::before;
        auto const stored = is_before ? in.first(sum_bytes) : in.last(sum_bytes);
        auto const bytes = is_before ? in.subspan(sum_bytes) : in.first(in.size() - sum_bytes);
        std::uint32_t expected = 0;
        for (std::size_t i = sum_bytes; i-- > 0;) expected = expected << 8 | std::to_integer<std::uint32_t>(stored[i]);
        if (Sum::of(bytes) != expected) {
            fail_decode(name(), "the checksum of the ", bytes.size(), " encoded bytes is wrong: they are damaged");
        }
        return bytes;
    }

    checksum_place place_;
};

}  // namespace detail

using crc32_codec = detail::checksum_codec<detail::crc32_sum>;
using adler32_codec = detail::checksum_codec<detail::adler32_sum>;
using crc32c_codec = detail::checksum_codec<detail::crc32c_sum>;
using fletcher32_codec = detail::checksum_codec<detail::fletcher32_sum>;

}  // namespace slabwise
