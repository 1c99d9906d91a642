// Decoded chunks that are kept for later reads.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <slabwise/store/shared_bytes.hpp>

namespace slabwise {

/// Keeps the chunks used last, at most so many bytes of them; a handle that is cheap to copy, and that sources and
/// threads may share. A chunk in use stays as long as it is used, whatever the cache does.
/// **Cost** a look-up is O(log chunks), under one lock.
class chunk_cache {
public:
    /// Which chunk of which source.
    struct key {
        std::uint64_t source;
        std::uint64_t chunk;

        friend constexpr auto operator<=>(key const&, key const&) noexcept = default;
    };

    /// A cache that holds at most `capacity` bytes; a chunk that is larger is not kept.
    explicit chunk_cache(std::size_t capacity) : state_(std::make_shared<state>(capacity)) {}

    /// A number that no other source of this process has.
    [[nodiscard]] static std::uint64_t new_source() noexcept {
        static std::atomic<std::uint64_t> next{0};
        return next++;
    }

    [[nodiscard]] std::optional<shared_bytes> find(key const& wanted) const {
        std::lock_guard const lock(state_->mutex);
        auto const found = state_->kept.find(wanted);
        if (found == state_->kept.end()) return std::nullopt;
        state_->order.splice(state_->order.begin(), state_->order, found->second.place);
        return found->second.bytes;
    }

    /// Keeps a chunk, and lets go of those that were not used for longest.
    void insert(key const& at, shared_bytes const& bytes) const {
        std::size_t const size = bytes.bytes().size();
        std::lock_guard const lock(state_->mutex);
        if (size > state_->capacity || !state_->kept.try_emplace(at).second) return;
        state_->order.push_front(at);
        state_->kept[at] = {bytes, state_->order.begin()};
        state_->bytes += size;
        state_->let_go();
    }

    /// Puts another form of a chunk in its place, when it is still kept. **Expects** at most capacity() bytes.
    void replace(key const& at, shared_bytes const& bytes) const {
        std::lock_guard const lock(state_->mutex);
        auto const found = state_->kept.find(at);
        if (found == state_->kept.end()) return;
        state_->bytes += bytes.bytes().size() - found->second.bytes.bytes().size();
        found->second.bytes = bytes;
        state_->order.splice(state_->order.begin(), state_->order, found->second.place);
        state_->let_go();
    }

    /// **Units** bytes.
    [[nodiscard]] std::size_t capacity() const noexcept { return state_->capacity; }
    /// **Units** bytes of chunks that are kept.
    [[nodiscard]] std::size_t bytes() const {
        std::lock_guard const lock(state_->mutex);
        return state_->bytes;
    }

private:
    struct kept_chunk {
        shared_bytes bytes;
        std::list<key>::iterator place;
    };
    struct state {
        explicit state(std::size_t c) : capacity(c) {}

        void let_go() {
            while (bytes > capacity) {
                auto const oldest = kept.find(order.back());
                bytes -= oldest->second.bytes.bytes().size();
                kept.erase(oldest);
                order.pop_back();
            }
        }

        std::mutex mutex;
        std::map<key, kept_chunk> kept;
        std::list<key> order;  // the one used last comes first
        std::size_t bytes = 0;
        std::size_t capacity;
    };

    std::shared_ptr<state> state_;
};

}  // namespace slabwise
