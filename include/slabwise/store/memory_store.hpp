// Objects in memory as a store.
#pragma once

#include <cassert>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <slabwise/store/byte_store.hpp>
#include <slabwise/store/keys.hpp>

namespace slabwise {

/// Objects by their keys, all in memory, which never change. **Cost** a handle, copied by reference count; a look-up is
/// O(log objects).
class memory_store {
public:
    using objects = std::map<std::string, std::vector<std::byte>, std::less<>>;

    explicit memory_store(objects contents) : objects_(std::make_shared<objects const>(std::move(contents))) {}

    object_state get(std::string_view key, byte_range range, byte_sink& to) const {
        auto const found = objects_->find(key);
        if (found == objects_->end()) return object_state::absent;
        auto const [offset, length] = detail::require_within(range, found->second.size(), key);
        auto const room = to.room(length);
        assert(room.empty() || room.size() == length);
        if (!room.empty()) std::memcpy(room.data(), found->second.data() + offset, room.size());
        return object_state::present;
    }

    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const {
        auto const found = objects_->find(key);
        return found == objects_->end() ? std::nullopt : std::optional<std::uint64_t>(found->second.size());
    }

    [[nodiscard]] std::optional<shared_bytes> map(std::string_view key) const {
        auto const found = objects_->find(key);
        if (found == objects_->end()) return std::nullopt;
        return shared_bytes(objects_, found->second);
    }

    /// A key "a/b/c" lies below the prefixes "a" and "a/b".
    [[nodiscard]] std::vector<store_entry> list(std::string_view prefix) const {
        return detail::list_below(*objects_, prefix, [](std::vector<std::byte> const& bytes) { return bytes.size(); });
    }

private:
    std::shared_ptr<objects const> objects_;
};

}  // namespace slabwise
