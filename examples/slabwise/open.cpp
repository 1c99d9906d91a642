#include "open.hpp"

#include <filesystem>

#include <slabwise/store/directory_store.hpp>
#include <slabwise/store/zip_store.hpp>
#include <slabwise/zarr/locate.hpp>

namespace program {

sw::any_store store_at(std::string const& path) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(path, ignored)) return sw::zip_store(path);
    return sw::directory_store(path);
}

opened_array open_array(std::string const& path) {
    sw::zarr::location const at = sw::zarr::locate(path);
    return naming_store(at.store, [&] {
        auto array = sw::zarr::open_any(store_at(at.store), at.path);
        auto axes = axes_of(array.metadata());
        return opened_array{std::move(array), at.store, name_at(path), std::move(axes)};
    });
}

std::string name_at(std::string const& path) {
    std::error_code ignored;
    auto whole = std::filesystem::absolute(path, ignored).lexically_normal();
    if (!whole.has_filename()) whole = whole.parent_path();
    return whole.extension() == ".zarr" ? whole.stem().string() : whole.filename().string();
}

array_axes axes_of(sw::zarr::array_metadata const& metadata) {
    array_axes axes{metadata.shape, {}};
    for (auto const& name : metadata.dimension_names) axes.names.push_back(name.value_or(""));
    return axes;
}

}  // namespace program
