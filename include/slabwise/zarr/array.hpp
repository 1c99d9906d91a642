// A Zarr array as a ChunkSource.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/copy/element_type.hpp>
#include <slabwise/copy/make_conversion.hpp>
#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/plan/visit_rank.hpp>
#include <slabwise/source/chunk_source.hpp>
#include <slabwise/store/any_store.hpp>
#include <slabwise/zarr/metadata.hpp>
#include <slabwise/zarr/node.hpp>

namespace slabwise::zarr {

namespace detail {

/// Reads and decodes the chunk stored as `key` into `bytes`. **Throws** codec_error, store_error.
inline chunk_state read_chunk(any_store const& store, codec_chain const& codecs, std::string const& key,
                              std::span<std::byte> bytes) {
    error_text const name = error_text().append(key.data(), key.size());
    if (codecs.empty()) {
        auto const found = store.get_into(key, bytes);
        if (!found) return chunk_state::absent;
        if (*found != bytes.size()) {
            throw codec_error(error_text(name.c_str())
                                  .append(": the chunk has ")
                                  .append(*found)
                                  .append(" bytes, ")
                                  .append(std::uint64_t{bytes.size()})
                                  .append(" expected"),
                              name);
        }
        return chunk_state::present;
    }
    // Kept from chunk to chunk: growing it anew would write each of its bytes once more.
    thread_local std::vector<std::byte> encoded;
    if (store.get(key, encoded) == object_state::absent) return chunk_state::absent;
    try {
        codecs.decode(encoded, bytes);
    } catch (codec_error const& error) {
        throw codec_error(error_text(name.c_str()).append(": ").append(error.what()), name);
    }
    return chunk_state::present;
}

}  // namespace detail

/// A Zarr array of rank R as a ChunkSource; a handle that is cheap to copy, and that threads may share.
template <std::size_t R>
class array {
public:
    /// The array that `metadata` describes, at `path` of the store. **Throws** metadata_error unless its rank is R.
    array(any_store store, std::string_view path, array_metadata metadata)
        : state_(std::make_shared<state const>(std::move(store), std::string(detail::trimmed(path)),
                                               std::move(metadata))) {}

    [[nodiscard]] chunk_grid<R> const& grid() const noexcept { return state_->grid; }
    [[nodiscard]] chunk_layout<R> const& layout() const noexcept { return state_->layout; }
    [[nodiscard]] array_metadata const& metadata() const noexcept { return state_->metadata; }
    /// Where the array lies in its store.
    [[nodiscard]] std::string const& path() const noexcept { return state_->path; }

    /// The key of a chunk in the store. **Expects** grid().contains(coord).
    [[nodiscard]] std::string chunk_key(coord_t<R> const& coord) const {
        assert(grid().contains(coord));
        std::string key = state_->path;
        if (!key.empty()) key += '/';
        state_->metadata.keys.append_to(key, coord);
        return key;
    }

    /// Fills `bytes` with a chunk, or leaves it alone when the chunk is absent. **Expects** grid().contains(coord), and
    /// in `bytes` the size of a whole chunk. **Throws** codec_error for a chunk that is damaged or of another size;
    /// store_error. **Cost** one request; a chunk stored as it is goes straight into `bytes`. A buffer for the encoded
    /// bytes is kept in each thread.
    chunk_state read_chunk(coord_t<R> const& coord, std::span<std::byte> bytes) const {
        assert(bytes.size() == state_->metadata.chunk_bytes());
        return detail::read_chunk(state_->store, state_->metadata.codecs, chunk_key(coord), bytes);
    }

private:
    struct state {
        state(any_store&& s, std::string&& p, array_metadata&& m)
            : store(std::move(s)), path(std::move(p)), metadata(std::move(m)),
              grid(extents(metadata.shape), extents(metadata.chunk_shape)),
              layout(chunk_layout<R>::c_order(metadata.type, grid.chunk_shape())) {
            layout.byte_order = metadata.byte_order;
            layout.fill = metadata.fill;
        }
        shape<R> extents(std::vector<index_t> const& values) const {
            if (values.size() != R) {
                detail::refuse(path.empty() ? std::string_view("\"\"") : path,
                               "the array has rank " + std::to_string(values.size()) + "; rank " + std::to_string(R) +
                                   " was asked for");
            }
            std::array<index_t, R> result{};
            for (std::size_t axis = 0; axis < R; ++axis) result[axis] = values[axis];
            return result;
        }

        any_store store;
        std::string path;
        array_metadata metadata;
        chunk_grid<R> grid;
        chunk_layout<R> layout;
    };

    std::shared_ptr<state const> state_;
};

/// Opens the array at `path` of a store; "" is its root. **Throws** metadata_error, also when the rank is not R;
/// store_error.
template <std::size_t R>
array<R> open(any_store store, std::string_view path = "") {
    array_metadata metadata = open_metadata(store, path);
    return array<R>(std::move(store), path, std::move(metadata));
}

/// As above, for reading elements of type T: that of the array, or one that conversion_rule::same_kind permits it to
/// become while it is read. **Throws** metadata_error also when the array stores another type.
template <class T, std::size_t R>
array<R> open(any_store store, std::string_view path = "") {
    auto result = open<R>(std::move(store), path);
    element_type const stored = result.metadata().type;
    if (stored != element_type_of<T> && !can_convert(stored, element_type_of<T>, conversion_rule::same_kind)) {
        detail::refuse(path.empty() ? std::string_view("\"\"") : path,
                       std::string("the array stores ") + name_of(stored).c_str() + "; " +
                           name_of(element_type_of<T>).c_str() +
                           " was asked for, which conversion_rule::same_kind does not permit");
    }
    return result;
}

/// An array whose rank is known at run time.
class any_array {
public:
    any_array(any_store store, std::string_view path, array_metadata metadata)
        : store_(std::move(store)), path_(detail::trimmed(path)), metadata_(std::move(metadata)) {}

    [[nodiscard]] array_metadata const& metadata() const noexcept { return metadata_; }
    [[nodiscard]] any_store const& store() const noexcept { return store_; }
    /// Where the array lies in its store.
    [[nodiscard]] std::string const& path() const noexcept { return path_; }

    /// Calls f(array<R>) for the rank R of the array, and gives what it gives.
    /// **Throws** selection_error for a rank above that which visit_rank allows, and what f throws.
    template <class F>
    decltype(auto) visit(F&& f) const {
        return visit_rank(metadata_.rank(), [&](auto rank) -> decltype(auto) {
            return f(array<decltype(rank)::value>(store_, path_, metadata_));
        });
    }

private:
    any_store store_;
    std::string path_;
    array_metadata metadata_;
};

/// Opens the array at `path` of a store, whatever its rank and type. **Throws** metadata_error, store_error.
inline any_array open_any(any_store store, std::string_view path = "") {
    array_metadata metadata = open_metadata(store, path);
    return any_array(std::move(store), path, std::move(metadata));
}

}  // namespace slabwise::zarr
