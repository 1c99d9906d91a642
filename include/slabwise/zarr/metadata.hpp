// What the metadata of a Zarr array says, whatever the version of the format.
#pragma once

#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <slabwise/codec/codec.hpp>
#include <slabwise/index/arithmetic.hpp>
#include <slabwise/zarr/chunk_encoding.hpp>
#include <slabwise/zarr/chunk_key.hpp>
#include <slabwise/zarr/data_type.hpp>
#include <slabwise/zarr/fill_value.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr {

/// A Zarr array as its metadata describes it.
/// **Ensures** shape and chunk_shape are equally long, extents are 0 or more, chunk extents 1 or more, and the bytes of
/// a chunk fit an index_t.
struct array_metadata {
    /// The version of the format, 2 or 3.
    int format = 2;
    /// **Units** elements.
    std::vector<index_t> shape;
    /// The shape at which every chunk is stored. **Units** elements.
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

    /// The size of a decoded chunk. **Units** bytes.
    [[nodiscard]] std::size_t chunk_bytes() const noexcept {
        std::size_t bytes = type.size;
        for (index_t const extent : chunk_shape) bytes *= static_cast<std::size_t>(extent);
        return bytes;
    }
};

namespace detail {

/// Takes the two shapes over and checks them. **Throws** metadata_error.
inline void set_shapes(array_metadata& array, json const& shape, json const& chunk_shape, char const* chunk_name,
                       std::string_view key) {
    array.shape = extents(shape, "shape", 0, key);
    array.chunk_shape = extents(chunk_shape, chunk_name, 1, key);
    if (array.shape.size() != array.chunk_shape.size()) {
        refuse(key, "shape has " + std::to_string(array.shape.size()) + " axes, but " + chunk_name + " has " +
                        std::to_string(array.chunk_shape.size()));
    }
    auto bytes = static_cast<index_t>(array.type.size);
    for (index_t const extent : array.chunk_shape) {
        if (!multiply_into(bytes, extent)) {
            refuse(key, std::string(chunk_name) + " is " + shown(chunk_shape) +
                            "; a chunk of that shape exceeds 2^63 - 1 bytes");
        }
    }
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
