// The keys of objects: paths, whose parts are separated by '/'.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/store/byte_store.hpp>

namespace slabwise::detail {

/// True when `key` is a path that stays below where it starts: '/'-separated, no part empty, "." or "..", no null.
constexpr bool is_plain_key(std::string_view key) noexcept {
    for (std::size_t begin = 0;;) {
        std::size_t const end = key.find('/', begin);
        std::string_view const part = key.substr(begin, end == key.npos ? key.npos : end - begin);
        if (part.empty() || part == "." || part == ".." || part.find('\0') != part.npos) return false;
        if (end == key.npos) return true;
        begin = end + 1;
    }
}

/// What lies directly below a prefix, of objects whose sizes `bytes_of(object)` tells. A key "a/b/c" lies below the
/// prefixes "a" and "a/b". **Cost** one look-up an entry.
template <class Object, class BytesOf>
std::vector<store_entry> list_below(std::map<std::string, Object, std::less<>> const& objects, std::string_view prefix,
                                    BytesOf const& bytes_of) {
    std::vector<store_entry> entries;
    std::string const start = prefix.empty() ? std::string() : std::string(prefix) + '/';
    for (auto at = objects.lower_bound(start); at != objects.end() && at->first.starts_with(start);) {
        std::string name = at->first.substr(start.size());
        std::size_t const slash = name.find('/');
        if (slash == name.npos) {
            entries.push_back({std::move(name), false, bytes_of(at->second)});
            ++at;
            continue;
        }
        name.resize(slash);
        // '0' follows '/': this is the first key that is not below the prefix.
        at = objects.lower_bound(start + name + '0');
        entries.push_back({std::move(name), true, 0});
    }
    return entries;
}

}  // namespace slabwise::detail
