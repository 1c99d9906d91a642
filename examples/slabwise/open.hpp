// From STORE[/PATH] to the array that it names.
#pragma once

#include <string>

#include <slabwise/store/any_store.hpp>
#include <slabwise/zarr/array.hpp>

#include "selection.hpp"

namespace program {

struct opened_array {
    sw::zarr::any_array array;
    /// The directory or zip archive of its store.
    std::string store;
    /// The last part of its path, without the ending .zarr.
    std::string name;
    array_axes axes;
};

/// The store in a directory or a zip archive. **Throws** store_error.
sw::any_store store_at(std::string const& path);

/// **Throws** slabwise::error, which says what was looked for and where.
opened_array open_array(std::string const& path);

/// The name of an array or a group at this path.
std::string name_at(std::string const& path);

/// The axes of an array, named where its metadata names them.
array_axes axes_of(sw::zarr::array_metadata const& metadata);

/// Calls f; errors of metadata and of chunks that it throws, which name a key, will name the store too.
template <class F>
decltype(auto) naming_store(std::string const& store, F&& f) {
    auto const with_store = [&](sw::keyed_error const& error) {
        return sw::error_text().append(store.data(), store.size()).append(": ").append(error.what());
    };
    try {
        return f();
    } catch (sw::metadata_error const& error) {
        throw sw::metadata_error(with_store(error), error.key());
    } catch (sw::codec_error const& error) {
        throw sw::codec_error(with_store(error), error.key());
    }
}

}  // namespace program
