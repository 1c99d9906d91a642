// Which part of a path in the file system is the store, and which part the path of a node within it.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>

#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr {

/// A node of a hierarchy: the directory or zip archive of its store and its path within, "" for the root.
struct location {
    std::string store;
    std::string path;
};

/// Splits STORE/PATH: the store is the longest part of the path, from its start, that holds Zarr metadata or is a file
/// whose name ends in .zip.
/// **Throws** metadata_error when no part does; store_error when that cannot be told since a part may not be looked into.
/// **Cost** at most five looks a part.
inline location locate(std::string path) {
    constexpr char const* names[] = {".zarray", ".zgroup", "zarr.json", ".zmetadata"};
    while (path.size() > 1 && path.back() == '/') path.pop_back();
    location found{path, ""};
    std::string closed;  // the longest part that may not be looked into
    while (!found.store.empty()) {
        std::error_code failure;
        if (found.store.ends_with(".zip") && std::filesystem::is_regular_file(found.store, failure)) return found;
        for (char const* name : names) {
            if (std::filesystem::exists(found.store + '/' + name, failure)) return found;
            if (failure == std::errc::permission_denied && closed.empty()) closed = found.store;
        }
        std::size_t const slash = found.store.rfind('/');
        std::string_view const last = std::string_view(found.store).substr(slash == std::string::npos ? 0 : slash + 1);
        if (!last.empty()) found.path = std::string(last) + (found.path.empty() ? "" : "/") + found.path;
        found.store.resize(slash == std::string::npos ? 0 : slash);
    }
    if (!closed.empty()) {
        error_text const key = error_text().append(closed.data(), closed.size());
        throw store_error(error_text(key.c_str()).append(": permission denied while looking for a Zarr store"), key);
    }
    detail::refuse(
        path, "no Zarr store is there; looked for .zarray, .zgroup, zarr.json and .zmetadata in each part of the path, and for a file *.zip");
}

}  // namespace slabwise::zarr
