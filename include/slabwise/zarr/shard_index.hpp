// The index of a shard: where each of its inner chunks lies.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <slabwise/zarr/chunk_encoding.hpp>
#include <slabwise/zarr/object_part.hpp>

namespace slabwise::zarr::detail {

/// Where the inner chunks of a shard lie, in the C order of their places in the stored shard.
class shard_index {
public:
    struct entry {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
    };

    /// **Shape** 2 numbers an inner chunk.
    explicit shard_index(std::vector<std::uint64_t> numbers) noexcept : numbers_(std::move(numbers)) {}

    /// Where the i-th inner chunk lies in its shard; nothing when it is absent. Nothing of it is checked but that.
    [[nodiscard]] std::optional<entry> operator[](std::size_t i) const noexcept {
        constexpr std::uint64_t none = ~std::uint64_t{0};
        entry const found{numbers_[2 * i], numbers_[2 * i + 1]};
        if (found.offset == none && found.length == none) return std::nullopt;
        return found;
    }
    /// **Units** bytes of memory.
    [[nodiscard]] std::size_t bytes() const noexcept { return numbers_.size() * sizeof(std::uint64_t); }

private:
    std::vector<std::uint64_t> numbers_;
};

/// Reads the index of a shard with one request; nothing when the shard is absent.
/// **Throws** codec_error when the shard is shorter than its index or the index is damaged; store_error.
/// **Source** Zarr v3 sharding codec specification, version 1.0, "Binary shard format".
inline std::shared_ptr<shard_index const> read_shard_index(object_part const& shard, sharding const& shards,
                                                           std::size_t chunks) {
    std::size_t const decoded_bytes = chunks * 16;
    std::size_t const stored_bytes = shards.index_codecs.largest_encoding(decoded_bytes);
    // Takes the index only when all of it is there: a stranger's metadata may promise any number of inner chunks.
    class index_sink final : public byte_sink {
    public:
        explicit index_sink(std::size_t wanted) noexcept : wanted_(wanted) {}
        std::span<std::byte> room(std::uint64_t bytes) override {
            found_ = bytes;
            if (bytes == wanted_) stored.resize(wanted_);
            return stored;
        }
        [[nodiscard]] std::uint64_t found() const noexcept { return found_; }
        std::vector<std::byte> stored;

    private:
        std::size_t wanted_;
        std::uint64_t found_ = 0;
    } sink(stored_bytes);
    byte_range const range =
        shards.is_index_at_end ? byte_range::last(stored_bytes) : byte_range::of(0, stored_bytes);
    if (shard.read(range, sink) == object_state::absent) return nullptr;
    if (sink.found() != stored_bytes) {
        refuse_bytes(shard.key(), "the shard has " + std::to_string(sink.found()) + " bytes, but its index alone has " +
                                      std::to_string(stored_bytes));
    }
    std::vector<std::byte> decoded;
    if (!shards.index_codecs.empty()) {
        decoded.resize(decoded_bytes);
        try {
            shards.index_codecs.decode(sink.stored, decoded);
        } catch (codec_error const& error) {
            refuse_bytes(shard.key(), std::string("the index of the shard: ") + error.what());
        }
    } else {
        decoded = std::move(sink.stored);
    }
    std::vector<std::uint64_t> numbers(2 * chunks);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::uint64_t number = 0;
        for (std::size_t b = 0; b < 8; ++b) {
            std::size_t const place = shards.index_byte_order == std::endian::little ? 7 - b : b;
            number = number << 8 | std::to_integer<std::uint64_t>(decoded[8 * i + place]);
        }
        numbers[i] = number;
    }
    return std::make_shared<shard_index const>(std::move(numbers));
}

/// The indexes of the shards that were read last, for many threads. **Cost** memory: at most `capacity` bytes, or the
/// last index alone.
class shard_index_cache {
public:
    /// The index of a shard of that encoding, with so many inner chunks, as `read()` gives it unless it is still here.
    /// Null when the shard is absent, which is not kept.
    template <class Read>
    std::shared_ptr<shard_index const> get(object_part const& shard, chunk_encoding const* encoding, std::size_t chunks,
                                           Read read) {
        place const at{shard.key(), shard.offset(), shard.known_length(), encoding, chunks};
        {
            std::lock_guard const lock(mutex_);
            if (auto const found = kept_.find(at); found != kept_.end()) {
                order_.splice(order_.begin(), order_, found->second.order);
                return found->second.index;
            }
        }
        std::shared_ptr<shard_index const> index = read();
        if (index == nullptr) return index;
        std::lock_guard const lock(mutex_);
        auto const [mine, is_new] = kept_.try_emplace(at, kept_index{index, {}});
        if (!is_new) return index;  // another thread was faster
        order_.push_front(&mine->first);
        mine->second.order = order_.begin();
        bytes_ += index->bytes();
        while (bytes_ > capacity && order_.size() > 1) {
            auto const oldest = kept_.find(*order_.back());
            bytes_ -= oldest->second.index->bytes();
            order_.pop_back();
            kept_.erase(oldest);
        }
        return index;
    }

private:
    static constexpr std::size_t capacity = std::size_t{32} << 20;
    /// All that the index follows from: shards may share bytes, and a shard may begin where its first inner one does.
    struct place {
        std::string key;
        std::uint64_t offset;
        std::optional<std::uint64_t> length;
        chunk_encoding const* encoding;
        std::size_t chunks;

        friend auto operator<=>(place const&, place const&) = default;
    };
    struct kept_index {
        std::shared_ptr<shard_index const> index;
        std::list<place const*>::iterator order;
    };

    std::mutex mutex_;
    std::map<place, kept_index> kept_;
    std::list<place const*> order_;  // the one used last comes first
    std::size_t bytes_ = 0;
};

}  // namespace slabwise::zarr::detail
