// What the metadata of a Zarr array says, whatever the version of the format.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/codec/codec.hpp>
#include <slabwise/grid/rectilinear_grid.hpp>
#include <slabwise/zarr/chunk_encoding.hpp>
#include <slabwise/zarr/chunk_key.hpp>
#include <slabwise/zarr/data_type.hpp>
#include <slabwise/zarr/fill_value.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr {

/// A Zarr array as its metadata describes it.
/// **Ensures** shape, edges and chunk_shape are equally long, extents are 0 or more, chunk extents 1 or more, the chunks of
/// every axis reach to its end, and the bytes of a chunk fit an index_t.
struct array_metadata {
    /// The version of the format, 2 or 3.
    int format = 2;
    /// **Units** elements.
    std::vector<index_t> shape;
    /// The chunks of each axis: of a regular grid, one run.
    std::vector<chunk_edges> edges;
    /// The shape at which every chunk of a regular grid is stored; of a rectilinear one, the longest edge of each axis.
    /// **Units** elements.
    std::vector<index_t> chunk_shape;
    /// The type of the elements.
    element_type type;
    /// The order in which the bytes of an element are stored.
    std::endian byte_order = std::endian::native;
    /// The fields of structured elements, in the order of their offsets.
    std::vector<field> fields;
    /// The type as it stands in the metadata, such as "<f4" or "float32", or as JSON text.
    std::string dtype;
    /// One element in the stored byte order; zeros when no fill value is defined.
    std::vector<std::byte> fill;
    /// The fill value as JSON text; "null" when none is defined.
    std::string fill_text;
    chunk_encoding encoding;
    chunk_key_encoding keys;
    /// The name of each axis that has one; empty when the array names none.
    std::vector<std::optional<std::string>> dimension_names;
    /// The user's attributes, a JSON object.
    json attributes = json::object();

    [[nodiscard]] std::size_t rank() const noexcept { return shape.size(); }

    /// True when all chunks that have elements of the array are stored at one shape.
    [[nodiscard]] bool is_regular() const noexcept {
        for (std::size_t axis = 0; axis < rank(); ++axis) {
            auto const runs = edges[axis].runs();
            if (runs.size() > 1 && runs[1].begin < shape[axis]) return false;
        }
        return true;
    }

    /// The size of a decoded chunk; of a rectilinear grid, no chunk is larger. **Units** bytes.
    [[nodiscard]] std::size_t chunk_bytes() const noexcept {
        std::size_t bytes = type.size;
        for (index_t const extent : chunk_shape) bytes *= static_cast<std::size_t>(extent);
        return bytes;
    }
};

namespace detail {

/// Sets the shape. **Throws** metadata_error, also when the grid has another number of axes.
inline void set_shape(array_metadata& array, json const& shape, std::size_t grid_rank, std::string const& grid_name,
                      std::string_view key) {
    array.shape = extents(shape, "shape", 0, key);
    if (array.shape.size() != grid_rank) {
        refuse(key, "shape has " + std::to_string(array.shape.size()) + " axes, but " + grid_name + " has " +
                        std::to_string(grid_rank));
    }
}

/// Takes the edges of the chunks over. **Expects** a shape and a type. **Throws** metadata_error for chunks too large.
inline void set_edges(array_metadata& array, std::vector<chunk_edges> edges, json const& source,
                      std::string const& name, std::string_view key) {
    array.edges = std::move(edges);
    auto bytes = static_cast<index_t>(array.type.size);
    for (std::size_t axis = 0; axis < array.rank(); ++axis) {
        // Of an axis without extent, the first chunk.
        index_t const longest = array.edges[axis].longest_below((std::max)(array.shape[axis], index_t{1}));
        array.chunk_shape.push_back(longest);
        if (!multiply_into(bytes, longest)) {
            refuse(key, name + " is " + shown(source) + "; a chunk of that shape exceeds 2^63 - 1 bytes");
        }
    }
}

/// Takes the two shapes over and checks them. **Throws** metadata_error.
inline void set_shapes(array_metadata& array, json const& shape, json const& chunk_shape, std::string const& chunk_name,
                       std::string_view key) {
    auto const lengths = extents(chunk_shape, chunk_name, 1, key);
    set_shape(array, shape, lengths.size(), chunk_name, key);
    std::vector<chunk_edges> edges;
    for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
        edges.push_back(chunk_edges::equal(lengths[axis], array.shape[axis]));
    }
    set_edges(array, std::move(edges), chunk_shape, chunk_name, key);
}

/// The axes in the order in which they are stored in C order.
inline std::vector<std::size_t> c_axis_order(std::size_t rank) {
    std::vector<std::size_t> order(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) order[axis] = axis;
    return order;
}

/// **Throws** metadata_error unless zarr_format is `expected`.
inline void check_format(json const& object, int expected, std::string_view key) {
    json const& found = member(object, "zarr_format", key);
    if (found.is_string() && expected == 3) {
        refuse(key, "zarr_format is " + shown(found) +
                        ": an early draft of Zarr v3, which zarr-python 2 writes, is not supported; supported are Zarr "
                        "2 and 3");
    }
    if (found != expected) {
        refuse(key, "zarr_format is " + shown(found) + "; " + std::to_string(expected) + " was expected");
    }
}

}  // namespace detail
}  // namespace slabwise::zarr
