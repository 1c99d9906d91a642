// The least that is a store: objects in memory, whose bytes a test writes as text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <slabwise/store/memory_store.hpp>

class map_store {
public:
    using map = std::map<std::string, std::string, std::less<>>;
    explicit map_store(map const& contents) : objects_(bytes_of(contents)) {}

    slabwise::object_state get(std::string_view key, slabwise::byte_range range, slabwise::byte_sink& to) const {
        return objects_.get(key, range, to);
    }
    std::optional<std::uint64_t> size(std::string_view key) const { return objects_.size(key); }

    static slabwise::memory_store::objects bytes_of(map const& contents) {
        slabwise::memory_store::objects objects;
        for (auto const& [key, text] : contents) {
            auto const* const bytes = reinterpret_cast<std::byte const*>(text.data());
            objects[key].assign(bytes, bytes + text.size());
        }
        return objects;
    }

private:
    slabwise::memory_store objects_;
};
