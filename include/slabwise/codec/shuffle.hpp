// The filter that stores the first bytes of all elements, then their second bytes, and so on.
#pragma once

#include <slabwise/codec/codec.hpp>

namespace slabwise {

/// Shuffled bytes of elements of one size; bytes at the end that are no whole element stay where they are.
/// **Source** numcodecs, codec "shuffle"; HDF5 filter 2.
class shuffle_codec {
public:
    /// **Expects** element_size >= 1. **Units** bytes.
    explicit shuffle_codec(std::size_t element_size) noexcept : element_size_(element_size) {}

    [[nodiscard]] std::string_view name() const noexcept { return "shuffle"; }
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept { return bytes; }

    /// **Throws** codec_error when `in` has not out.size() bytes.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        detail::require_decoded_size(name(), in.size(), out.size());
        std::size_t const count = in.size() / element_size_;
        // Blocks of elements, so that what is written stays in the cache from byte to byte.
        constexpr std::size_t block = 4096;
        for (std::size_t first = 0; first < count; first += block) {
            std::size_t const past = count - first < block ? count : first + block;
            for (std::size_t byte = 0; byte < element_size_; ++byte) {
                for (std::size_t i = first; i < past; ++i) out[i * element_size_ + byte] = in[byte * count + i];
            }
        }
        for (std::size_t i = count * element_size_; i < in.size(); ++i) out[i] = in[i];
    }
    /// **Throws** codec_error when `in` has more than `limit` bytes.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        detail::require_within_limit(name(), in.size(), limit);
        out.resize(in.size());
        decode(in, out);
    }

private:
    std::size_t element_size_;
};

}  // namespace slabwise
