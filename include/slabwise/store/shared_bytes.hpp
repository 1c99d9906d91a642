// Bytes that are read where they lie.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

namespace slabwise {

/// Bytes together with what keeps them: they stay where they are as long as a copy of this lives.
class shared_bytes {
public:
    shared_bytes() noexcept = default;
    shared_bytes(std::shared_ptr<void const> owner, std::span<std::byte const> bytes) noexcept
        : owner_(std::move(owner)), bytes_(bytes) {}

    [[nodiscard]] std::span<std::byte const> bytes() const noexcept { return bytes_; }

    /// A part of the bytes, kept by the same owner. **Expects** that it lies within them.
    [[nodiscard]] shared_bytes part(std::size_t offset, std::size_t length) const noexcept {
        return {owner_, bytes_.subspan(offset, length)};
    }

private:
    std::shared_ptr<void const> owner_;
    std::span<std::byte const> bytes_;
};

}  // namespace slabwise
