// Stores that zarr-python and netCDF-C write during the test, and version 3 stores written after the specification.
#include <slabwise/store/directory_store.hpp>
#include <slabwise/zarr/array.hpp>
#include <slabwise/zarr/locate.hpp>
#include <slabwise/zarr/stored_chunks.hpp>

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "store/temporary_directory.hpp"
#include "zarr/whole_array.hpp"

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

namespace {

/// The directory that make_stores.py fills, made when it is first asked for.
std::string const& written_stores() {
    static temporary_directory const directory;
    static std::string const path = [] {
        std::string const command = SLABWISE_PYTHON " " SLABWISE_TESTS "/zarr/make_stores.py " + directory.string();
        if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
        return directory.string();
    }();
    return path;
}

std::string content(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(WrittenStores, ReadAsTheirWritersRead) {
    auto const cases = zarr::json::parse(content(written_stores() + "/cases.json"));
    ASSERT_GT(cases.size(), 150u);
    for (auto const& one : cases) {
        SCOPED_TRACE(one["path"].get<std::string>());
        auto const path = one["path"].get<std::string>();
        // The store is the directory at the top; the array lies within.
        std::size_t const slash = path.find('/');
        sw::directory_store const store(written_stores() + "/" + path.substr(0, slash));
        auto const array = zarr::open_any(store, path.substr(slash));
        auto const& metadata = array.metadata();
        EXPECT_EQ(metadata.shape, one["shape"].get<std::vector<sw::index_t>>());
        EXPECT_EQ(metadata.type.size, one["size"].get<std::size_t>());
        if (one.contains("dimension_names")) {
            ASSERT_EQ(metadata.dimension_names.size(), metadata.rank());
            for (std::size_t axis = 0; axis < metadata.rank(); ++axis) {
                auto const& name = one["dimension_names"][axis];
                EXPECT_EQ(metadata.dimension_names[axis].value_or("null"),
                          name.is_null() ? "null" : name.get<std::string>());
            }
        }
        auto const found = whole_array(array);
        EXPECT_TRUE(found == content(written_stores() + "/" + one["expected"].get<std::string>()));
        auto const stored = zarr::count_stored_chunks(store, array.path(), metadata);
        EXPECT_EQ(stored.objects, one["stored"].get<std::uint64_t>());
        if (metadata.encoding.codecs.empty()) {
            EXPECT_EQ(stored.bytes, stored.objects * metadata.chunk_bytes());
        }
    }
}

TEST(WrittenStores, HaveGroups) {
    auto const v2 = zarr::read_group(sw::directory_store(written_stores() + "/v2.zarr"));
    EXPECT_EQ(v2.format, 2);
    EXPECT_EQ(v2.attributes["title"], "many types");
    EXPECT_EQ(v2.groups, (std::vector<std::string>{"sub0", "sub1"}));
    EXPECT_EQ(v2.arrays, (std::vector<std::string>{"no_fill"}));
    sw::directory_store const store(written_stores() + "/v3.zarr");
    auto const v3 = zarr::read_group(store);
    EXPECT_EQ(v3.format, 3);
    EXPECT_EQ(v3.attributes["title"], "many types");
    EXPECT_EQ(v3.groups, (std::vector<std::string>{"deep"}));
    EXPECT_TRUE(v3.arrays.empty());
    EXPECT_EQ(zarr::read_group(store, "/deep/").arrays.size(), 100u);
    auto const netcdf = zarr::read_group(sw::directory_store(written_stores() + "/netcdf.zarr"));
    EXPECT_EQ(netcdf.arrays, (std::vector<std::string>{"pr", "scalar"}));
}

TEST(WrittenStores, OfTheEarlyDraftOfVersion3AreRefusedByName) {
    auto const message = [](std::string const& path) -> std::string {
        try {
            auto const place = zarr::locate(written_stores() + "/draft.zr3" + (path.empty() ? "" : "/") + path);
            EXPECT_EQ(place.store, written_stores() + "/draft.zr3");
            (void)zarr::open_any(sw::directory_store(place.store), place.path);
        } catch (sw::metadata_error const& error) {
            return error.what();
        }
        return "";
    };
    for (std::string const path : {"", "a"}) {
        EXPECT_NE(message(path).find("an early draft of Zarr v3"), std::string::npos) << message(path);
    }
}

}  // namespace
