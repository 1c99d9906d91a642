// A store in memory, whose objects a test writes as text.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <slabwise/store/byte_store.hpp>

struct map_store {
    using map = std::map<std::string, std::string, std::less<>>;
    explicit map_store(map contents) : objects(std::make_shared<map const>(std::move(contents))) {}

    slabwise::object_state get(std::string_view key, std::vector<std::byte>& bytes) const {
        auto const found = objects->find(key);
        if (found == objects->end()) return slabwise::object_state::absent;
        bytes.resize(found->second.size());
        (void)get_into(key, bytes);
        return slabwise::object_state::present;
    }
    std::optional<std::uint64_t> get_into(std::string_view key, std::span<std::byte> to) const {
        auto const found = objects->find(key);
        if (found == objects->end()) return std::nullopt;
        bool const fits = !to.empty() && found->second.size() == to.size();
        if (fits) std::memcpy(to.data(), found->second.data(), to.size());
        return found->second.size();
    }
    std::optional<std::uint64_t> size(std::string_view key) const { return get_into(key, {}); }

    std::shared_ptr<map const> objects;
};
