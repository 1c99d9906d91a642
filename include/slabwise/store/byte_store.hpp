// Where the bytes of objects come from. A ByteStore maps keys such as "pr/0.0.1" to objects; that an object is absent,
// that it is empty and that the store failed are three different answers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slabwise {

/// Whether a store holds an object. An absent object is an answer, not an error.
enum class object_state : unsigned char { absent, present };

/// One name directly below a prefix: an object, or a further prefix (of a directory: a subdirectory).
struct store_entry {
    std::string name;
    bool is_prefix = false;
    /// The size of the object, 0 for a prefix. **Units** bytes.
    std::uint64_t bytes = 0;
};

/// A store of bytes, a handle that is cheap to copy. Any number of threads may ask it at once. Every member throws
/// store_error, which names the key, when the store cannot answer.
///
/// | expression                | result                    | meaning                                                     |
/// |---------------------------|---------------------------|-------------------------------------------------------------|
/// | `store.get(key, bytes)`   | `object_state`            | present: `bytes`, a vector, holds the object                |
/// | `store.get_into(key, to)` | `optional<std::uint64_t>` | the object's size, or nothing when absent; the object is in |
/// |                           |                           | the span `to` exactly when the size is `to.size()`          |
/// | `store.size(key)`         | `optional<std::uint64_t>` | the object's size in bytes, or nothing when absent          |
template <class Store>
concept ByteStore = std::copyable<Store> && requires(Store const& store, std::string_view key,
                                                     std::vector<std::byte>& bytes, std::span<std::byte> to) {
    { store.get(key, bytes) } -> std::same_as<object_state>;
    { store.get_into(key, to) } -> std::same_as<std::optional<std::uint64_t>>;
    { store.size(key) } -> std::same_as<std::optional<std::uint64_t>>;
};

/// A store that can also say what it holds: `store.list(prefix)` gives what lies directly below the prefix ("" for all
/// of the store), in no order; nothing below a prefix that does not exist.
template <class Store>
concept ListsKeys = ByteStore<Store> && requires(Store const& store, std::string_view prefix) {
    { store.list(prefix) } -> std::same_as<std::vector<store_entry>>;
};

}  // namespace slabwise
