// Bytes of an object, wherever they are: in a store, or in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <slabwise/error.hpp>
#include <slabwise/store/any_store.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr::detail {

/// **Throws** codec_error: "KEY: SENTENCE".
[[noreturn]] inline void refuse_bytes(std::string_view key, std::string_view sentence) {
    error_text const name = error_text().append(key.data(), key.size());
    throw codec_error(error_text(name.c_str()).append(": ").append(sentence.data(), sentence.size()), name);
}

/// All bytes of an object, or some that lie together.
class object_part {
public:
    /// An object of a store, which is not asked before it is read.
    object_part(any_store store, std::string key) : store_(std::move(store)), key_(std::move(key)) {}
    /// All bytes of the object `key` in memory, or what they decode to.
    object_part(shared_bytes bytes, std::string key, bool is_decoded)
        : key_(std::move(key)), is_decoded_(is_decoded), length_(bytes.bytes().size()), memory_(std::move(bytes)) {}

    [[nodiscard]] std::string const& key() const noexcept { return key_; }
    /// True when the bytes are not those of the object, but decoded from some of them.
    [[nodiscard]] bool is_decoded() const noexcept { return is_decoded_; }
    /// Where the part begins in its object. **Units** bytes.
    [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
    /// **Expects** a part made by part(), or in memory. **Units** bytes.
    [[nodiscard]] std::uint64_t length() const noexcept { return *length_; }
    /// The length when it is known: not of an object that was not asked. **Units** bytes.
    [[nodiscard]] std::optional<std::uint64_t> known_length() const noexcept { return length_; }
    /// The bytes, when they are in memory.
    [[nodiscard]] std::optional<shared_bytes> const& memory() const noexcept { return memory_; }

    /// `length` bytes from `offset` on, both from a stranger. **Throws** codec_error when they do not lie within.
    [[nodiscard]] object_part part(std::uint64_t offset, std::uint64_t length) const {
        require_within(offset, length);
        object_part result = *this;
        result.length_ = length;
        result.offset_ += offset;
        if (memory_) result.memory_ = memory_->part(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
        return result;
    }

    /// Reads a range of the part. **Throws** codec_error when it does not lie within; store_error.
    object_state read(byte_range range, byte_sink& to) const {
        if (!length_) return store_->get(key_, range, to);
        auto const extent = range.within(*length_);
        if (!extent) require_within(range.offset(), range.length());
        if (!memory_) return store_->get(key_, byte_range::of(offset_ + extent->offset, extent->length), to);
        auto const from = memory_->part(static_cast<std::size_t>(extent->offset), static_cast<std::size_t>(extent->length));
        auto const room = to.room(extent->length);
        std::copy_n(from.bytes().begin(), room.size(), room.begin());
        return object_state::present;
    }
    /// Reads all of the part into `bytes`, which is left alone when the object is absent. **Throws** codec_error when
    /// there are more than `limit` bytes; store_error.
    object_state read(std::vector<std::byte>& bytes, std::uint64_t limit) const {
        limited_sink sink(bytes, limit);
        object_state const state = read(byte_range(), sink);
        if (sink.refused() != 0) {
            refuse_bytes(key_, "has " + std::to_string(sink.refused()) + " bytes; at most " + std::to_string(limit) +
                                   " were expected");
        }
        return state;
    }
    /// Reads all of the part, which should have to.size() bytes. **Throws** codec_error when it has more or less.
    object_state read(std::span<std::byte> to) const {
        slabwise::detail::exact_sink sink(to);
        object_state const state = read(byte_range(), sink);
        if (state == object_state::present) require_size(sink.found(), to.size());
        return state;
    }
    /// **Throws** codec_error when `found` bytes are not the size of a chunk.
    void require_size(std::uint64_t found, std::size_t expected) const {
        if (found == expected) return;
        refuse_bytes(key_, "the chunk has " + std::to_string(found) + " bytes, " + std::to_string(expected) +
                               " expected");
    }
    /// **Expects** not in memory.
    [[nodiscard]] any_store const& store() const noexcept { return *store_; }

private:
    class limited_sink final : public byte_sink {
    public:
        limited_sink(std::vector<std::byte>& bytes, std::uint64_t limit) noexcept : bytes_(bytes), limit_(limit) {}
        std::span<std::byte> room(std::uint64_t bytes) override {
            refused_ = bytes > limit_ ? bytes : 0;
            if (refused_ != 0) return {};
            bytes_.resize(static_cast<std::size_t>(bytes));
            return bytes_;
        }
        [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }

    private:
        std::vector<std::byte>& bytes_;
        std::uint64_t limit_;
        std::uint64_t refused_ = 0;
    };

    void require_within(std::uint64_t offset, std::uint64_t length) const {
        std::uint64_t const end = length_ ? *length_ : static_cast<std::uint64_t>(max_index);
        if (offset <= end && length <= end - offset) return;
        refuse_bytes(key_, std::to_string(length) + " bytes from offset " + std::to_string(offset) +
                               " on were to be read, but " +
                               (length_ ? "there are " + std::to_string(end) : "no object has so many"));
    }

    std::optional<any_store> store_;
    std::string key_;
    bool is_decoded_ = false;
    std::uint64_t offset_ = 0;
    std::optional<std::uint64_t> length_;  // none: all of the object
    std::optional<shared_bytes> memory_;
};

}  // namespace slabwise::zarr::detail
