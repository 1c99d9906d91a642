// Where the bytes of objects come from. A ByteStore maps keys such as "pr/0.0.1" to objects; that an object is absent,
// that it is empty and that the store failed are three different answers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <slabwise/error.hpp>
#include <slabwise/store/byte_range.hpp>
#include <slabwise/store/shared_bytes.hpp>

namespace slabwise {

/// Whether a store holds an object. An absent object is an answer, not an error.
enum class object_state : unsigned char { absent, present };

/// Where the bytes of one answer go.
class byte_sink {
public:
    /// Room for `bytes` bytes, of which there are that many; or an empty span when they are not wanted after all, so
    /// that the store does not read them.
    virtual std::span<std::byte> room(std::uint64_t bytes) = 0;

protected:
    ~byte_sink() = default;
};

/// What is wanted of a store: bytes of the object named `key`, which must stay valid until they have come.
struct fetch_request {
    std::string_view key;
    byte_range range;
};

/// Where the answers to many requests go. Each request is answered once, by present, absent or failed, on any thread;
/// answers to several may come at once.
class fetch_sink {
public:
    /// Room for the bytes of a request, as byte_sink::room; called at most once, before its answer.
    virtual std::span<std::byte> room(std::size_t request, std::uint64_t bytes) = 0;
    /// The room that was given holds the bytes.
    virtual void present(std::size_t request) = 0;
    /// The store has no such object.
    virtual void absent(std::size_t request) = 0;
    /// The bytes could not be had: a store_error, or what room() threw.
    virtual void failed(std::size_t request, std::exception_ptr error) = 0;

protected:
    ~fetch_sink() = default;
};

/// One name directly below a prefix: an object, or a further prefix (of a directory: a subdirectory).
struct store_entry {
    std::string name;
    bool is_prefix = false;
    /// The size of the object, 0 for a prefix. **Units** bytes.
    std::uint64_t bytes = 0;
};

/// A store of bytes, a handle that is cheap to copy. Any number of threads may ask it at once. Every member throws
/// store_error, which names the key, when the store cannot answer; a range that ends behind the object's end, too. Of
/// what is no key (a path that is absolute, or has an empty, "." or ".." part) no object is given: it is absent or a
/// store_error.
///
/// | expression                   | result                    | meaning                                            |
/// |------------------------------|---------------------------|----------------------------------------------------|
/// | `store.get(key, range, to)`  | `object_state`            | present: the room that the byte_sink `to` gave     |
/// |                              |                           | holds the bytes                                    |
/// | `store.size(key)`            | `optional<std::uint64_t>` | the object's size in bytes, or nothing when absent |
template <class Store>
concept ByteStore =
    std::copyable<Store> && requires(Store const& store, std::string_view key, byte_range range, byte_sink& to) {
        { store.get(key, range, to) } -> std::same_as<object_state>;
        { store.size(key) } -> std::same_as<std::optional<std::uint64_t>>;
    };

/// A store that answers many requests better than one after another: `store.fetch(requests, sink)` answers each of them
/// and then returns. It throws nothing that belongs to one request.
template <class Store>
concept FetchesMany =
    ByteStore<Store> && requires(Store const& store, std::span<fetch_request const> requests, fetch_sink& sink) {
        store.fetch(requests, sink);
    };

/// A store whose objects can be read where they lie: `store.map(key)` gives all bytes of an object, or nothing when it
/// cannot (the object is absent, or not kept as it is): then get() tells.
template <class Store>
concept MapsObjects = ByteStore<Store> && requires(Store const& store, std::string_view key) {
    { store.map(key) } -> std::same_as<std::optional<shared_bytes>>;
};

/// A store that can also say what it holds: `store.list(prefix)` gives what lies directly below the prefix ("" for all
/// of the store), in no order; nothing below a prefix that does not exist. A name can be both an object and a prefix.
template <class Store>
concept ListsKeys = ByteStore<Store> && requires(Store const& store, std::string_view prefix) {
    { store.list(prefix) } -> std::same_as<std::vector<store_entry>>;
};

namespace detail {

/// Where a range lies in the object `key` of that size. **Throws** store_error when it ends behind the object's end.
inline byte_range::extent require_within(byte_range range, std::uint64_t object_bytes, std::string_view key) {
    if (auto const extent = range.within(object_bytes)) return *extent;
    error_text const name = error_text().append(key.data(), key.size());
    throw store_error(error_text(name.c_str())
                          .append(": ")
                          .append(range.length())
                          .append(" bytes from offset ")
                          .append(range.offset())
                          .append(" on were asked for, but the object has ")
                          .append(object_bytes),
                      name);
}

}  // namespace detail
}  // namespace slabwise
