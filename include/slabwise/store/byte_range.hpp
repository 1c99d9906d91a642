// Which bytes of an object are wanted.
#pragma once

#include <cstdint>
#include <optional>

namespace slabwise {

/// All bytes of an object, some from an offset on, or its last ones. **Units** bytes.
class byte_range {
public:
    /// All of an object, whatever its size.
    constexpr byte_range() noexcept = default;
    [[nodiscard]] static constexpr byte_range whole() noexcept { return {}; }
    /// `length` bytes, the first of which is at `offset`. They must all be there.
    [[nodiscard]] static constexpr byte_range of(std::uint64_t offset, std::uint64_t length) noexcept {
        return {kind::middle, offset, length};
    }
    /// The last `length` bytes; all of an object that has fewer, as in HTTP.
    [[nodiscard]] static constexpr byte_range last(std::uint64_t length) noexcept { return {kind::suffix, 0, length}; }

    /// Bytes whose places are known.
    struct extent {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;

        friend constexpr bool operator==(extent const&, extent const&) noexcept = default;
    };
    /// Where the range lies in an object of that size; nothing when it ends behind the object's end.
    [[nodiscard]] constexpr std::optional<extent> within(std::uint64_t object_bytes) const noexcept {
        switch (kind_) {
        case kind::all: return extent{0, object_bytes};
        case kind::suffix: {
            std::uint64_t const length = length_ < object_bytes ? length_ : object_bytes;
            return extent{object_bytes - length, length};
        }
        case kind::middle: break;
        }
        if (offset_ > object_bytes || length_ > object_bytes - offset_) return std::nullopt;
        return extent{offset_, length_};
    }

    [[nodiscard]] constexpr bool is_whole() const noexcept { return kind_ == kind::all; }
    [[nodiscard]] constexpr bool is_suffix() const noexcept { return kind_ == kind::suffix; }
    /// The first byte's place, 0 unless made by of().
    [[nodiscard]] constexpr std::uint64_t offset() const noexcept { return offset_; }
    /// **Expects** not is_whole().
    [[nodiscard]] constexpr std::uint64_t length() const noexcept { return length_; }

    friend constexpr bool operator==(byte_range const&, byte_range const&) noexcept = default;

private:
    enum class kind : unsigned char { all, middle, suffix };
    constexpr byte_range(kind k, std::uint64_t offset, std::uint64_t length) noexcept
        : kind_(k), offset_(offset), length_(length) {}

    kind kind_ = kind::all;
    std::uint64_t offset_ = 0;
    std::uint64_t length_ = 0;
};

}  // namespace slabwise
