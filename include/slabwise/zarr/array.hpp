// A Zarr array as a ChunkSource.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <slabwise/copy/element_type.hpp>
#include <slabwise/copy/make_conversion.hpp>
#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/grid/rectilinear_grid.hpp>
#include <slabwise/plan/rectilinear_axis.hpp>
#include <slabwise/plan/visit_rank.hpp>
#include <slabwise/source/chunk_source.hpp>
#include <slabwise/store/any_store.hpp>
#include <slabwise/zarr/chunk_level.hpp>
#include <slabwise/zarr/metadata.hpp>
#include <slabwise/zarr/node.hpp>
#include <slabwise/zarr/shard.hpp>

namespace slabwise::zarr {

/// A Zarr array of rank R as a ChunkSource; a handle that is cheap to copy, and that threads may share. Its grid is
/// regular, as nearly all are; a rectilinear_array takes any.
template <std::size_t R, class Grid = chunk_grid<R>>
class array {
    static constexpr bool is_regular = std::is_same_v<Grid, chunk_grid<R>>;

public:
    static constexpr std::size_t rank = R;

    /// The array that `metadata` describes, at `path` of the store. **Throws** metadata_error unless its rank is R, and
    /// its grid is one that the type takes.
    array(any_store store, std::string_view path, array_metadata metadata)
        : state_(std::make_shared<state const>(std::move(store), std::string(detail::trimmed(path)),
                                               std::move(metadata), std::nullopt)) {}

    /// The array of one field of structured elements: reading it copies the bytes of the field alone. A field of a field
    /// has both names, "b.b1". **Throws** metadata_error, which lists the fields, when there is none of that name.
    [[nodiscard]] array field(std::string_view name) const {
        std::string_view const key = path().empty() ? std::string_view("\"\"") : path();
        return array(std::make_shared<state const>(state_->store, path(), metadata(),
                                                   detail::find_field(metadata().fields, name, key)));
    }

    [[nodiscard]] Grid const& grid() const noexcept { return state_->level.grid; }
    [[nodiscard]] chunk_layout<R> const& layout() const noexcept { return state_->level.layout; }
    [[nodiscard]] array_metadata const& metadata() const noexcept { return state_->metadata; }
    /// Where the array lies in its store.
    [[nodiscard]] std::string const& path() const noexcept { return state_->path; }

    /// The shape at which a chunk is stored, and where its elements lie.
    [[nodiscard]] shape<R> stored_shape(coord_t<R> const& coord) const noexcept
        requires(!is_regular)
    {
        return state_->level.stored_shape(coord, false);
    }
    [[nodiscard]] std::array<index_t, R> byte_strides(coord_t<R> const& coord) const noexcept
        requires(!is_regular)
    {
        return state_->level.byte_strides(stored_shape(coord));
    }

    /// The key of a chunk in the store. **Expects** grid().contains(coord).
    [[nodiscard]] std::string chunk_key(coord_t<R> const& coord) const {
        assert(grid().contains(coord));
        std::string key = state_->path;
        if (!key.empty()) key += '/';
        state_->metadata.keys.append_to(key, coord);
        return key;
    }

    /// True when the chunks are shards, which hold inner chunks.
    [[nodiscard]] bool is_nested() const noexcept { return state_->level.inner != nullptr; }
    /// A shard as a source of its inner chunks, or nothing when it is absent. **Expects** is_nested() and
    /// grid().contains(coord). **Throws** codec_error for a damaged shard; store_error. **Cost** one request for the
    /// index, unless it was read lately; where the store can map the shard, mapping it instead.
    [[nodiscard]] std::optional<shard<R>> open_chunk(coord_t<R> const& coord) const {
        assert(is_nested());
        return shard<R>::open(stored(coord, true), state_->level, shape_of(coord), state_->indexes, state_);
    }

    /// True when the store holds a chunk. **Expects** grid().contains(coord). **Throws** store_error. **Cost** one request.
    [[nodiscard]] bool has_chunk(coord_t<R> const& coord) const {
        return state_->store.size(chunk_key(coord)).has_value();
    }

    /// A chunk that is stored as it is, where the store can map it and that pays: from 64 KiB on. **Throws** codec_error
    /// for a chunk of another size; store_error. **Cost** one map of the store.
    [[nodiscard]] std::optional<shared_bytes> view_chunk(coord_t<R> const& coord) const {
        constexpr std::size_t least = std::size_t{64} << 10;
        std::size_t const bytes = state_->level.bytes_of(shape_of(coord));
        if (is_nested() || !state_->metadata.encoding.codecs.empty() || bytes < least) return std::nullopt;
        auto const object = stored(coord, true);
        if (object.memory()) object.require_size(object.memory()->bytes().size(), bytes);
        return object.memory();
    }

    /// Fills `bytes` with a chunk, or leaves it alone when the chunk is absent. **Expects** grid().contains(coord), and
    /// in `bytes` the size of the chunk. **Throws** codec_error for a chunk that is damaged or of another size;
    /// store_error. **Cost** one request; a chunk stored as it is goes straight into `bytes`. A buffer for the encoded
    /// bytes is kept in each thread. Of a shard, all inner chunks are read.
    chunk_state read_chunk(coord_t<R> const& coord, std::span<std::byte> bytes) const {
        assert(bytes.size() == state_->level.bytes_of(shape_of(coord)));
        if (is_nested()) {
            auto const shards = open_chunk(coord);
            if (!shards) return chunk_state::absent;
            slabwise::detail::read_whole(*shards, state_->level.byte_strides(shape_of(coord)), bytes);
            return chunk_state::present;
        }
        return detail::read_chunk(state_->metadata.encoding.codecs, stored(coord, false), state_->level.largest_stored,
                                  bytes);
    }

private:
    struct state {
        state(any_store s, std::string p, array_metadata m, std::optional<zarr::field> const& part)
            : store(std::move(s)), path(std::move(p)), metadata(std::move(m)),
              level(detail::make_chunk_level<R>(grid(), metadata.encoding, metadata.encoding.axis_order, metadata,
                                                part ? &*part : nullptr)) {}
        [[nodiscard]] Grid grid() const {
            std::string_view const key = path.empty() ? std::string_view("\"\"") : path;
            if (metadata.rank() != R) {
                detail::refuse(key, "the array has rank " + std::to_string(metadata.rank()) + "; rank " +
                                        std::to_string(R) + " was asked for");
            }
            if (is_regular && !metadata.is_regular()) {
                detail::refuse(key, "the chunk grid is rectilinear; zarr::open_rectilinear reads such arrays");
            }
            return detail::grid_of<Grid>(metadata);
        }

        any_store store;
        std::string path;
        array_metadata metadata;
        detail::chunk_level<R, Grid> level;
        std::shared_ptr<detail::shard_index_cache> indexes = std::make_shared<detail::shard_index_cache>();
    };

    explicit array(std::shared_ptr<state const> of) noexcept : state_(std::move(of)) {}

    [[nodiscard]] shape<R> shape_of(coord_t<R> const& coord) const noexcept {
        return state_->level.stored_shape(coord, false);
    }
    /// The object of a chunk: in the store, or in memory where it may be mapped and can.
    [[nodiscard]] detail::object_part stored(coord_t<R> const& coord, bool may_map) const {
        std::string key = chunk_key(coord);
        if (may_map) {
            if (auto mapped = state_->store.map(key)) return {std::move(*mapped), std::move(key), false};
        }
        return {state_->store, std::move(key)};
    }

    std::shared_ptr<state const> state_;
};

/// A Zarr array whose grid is of either kind: that of a regular grid has one run of equal chunks on each axis.
template <std::size_t R>
using rectilinear_array = array<R, rectilinear_grid<R>>;

namespace detail {

template <class Array>
Array open_as(any_store store, std::string_view path) {
    array_metadata metadata = open_metadata(store, path);
    return Array(std::move(store), path, std::move(metadata));
}

/// **Throws** metadata_error also unless the elements can become those of type T while they are read.
template <class Array, class T>
Array open_for(any_store store, std::string_view path) {
    auto result = open_as<Array>(std::move(store), path);
    element_type const stored = result.metadata().type;
    if (stored != element_type_of<T> && !can_convert(stored, element_type_of<T>, conversion_rule::same_kind)) {
        refuse(path.empty() ? std::string_view("\"\"") : path,
               std::string("the array stores ") + name_of(stored).c_str() + "; " + name_of(element_type_of<T>).c_str() +
                   " was asked for, which conversion_rule::same_kind does not permit");
    }
    return result;
}

}  // namespace detail

/// Opens the array at `path` of a store; "" is its root. **Throws** metadata_error, also when the rank is not R, and for
/// a rectilinear grid; store_error.
template <std::size_t R>
array<R> open(any_store store, std::string_view path = "") {
    return detail::open_as<array<R>>(std::move(store), path);
}

/// As above, for reading elements of type T: that of the array, or one that conversion_rule::same_kind permits it to
/// become while it is read. **Throws** metadata_error also when the array stores another type.
template <class T, std::size_t R>
array<R> open(any_store store, std::string_view path = "") {
    return detail::open_for<array<R>, T>(std::move(store), path);
}

/// As open, whatever the grid.
template <std::size_t R>
rectilinear_array<R> open_rectilinear(any_store store, std::string_view path = "") {
    return detail::open_as<rectilinear_array<R>>(std::move(store), path);
}
template <class T, std::size_t R>
rectilinear_array<R> open_rectilinear(any_store store, std::string_view path = "") {
    return detail::open_for<rectilinear_array<R>, T>(std::move(store), path);
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

    /// Calls f(array<R>) for the rank R of the array, or f(rectilinear_array<R>) when its grid is rectilinear, and gives
    /// what it gives. **Throws** selection_error for a rank above that which visit_rank allows, and what f throws.
    template <class F>
    decltype(auto) visit(F&& f) const {
        return visit_rank(metadata_.rank(), [&](auto rank) -> decltype(auto) {
            constexpr std::size_t R = decltype(rank)::value;
            return metadata_.is_regular() ? f(array<R>(store_, path_, metadata_))
                                          : f(rectilinear_array<R>(store_, path_, metadata_));
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
