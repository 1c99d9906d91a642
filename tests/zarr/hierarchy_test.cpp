#include <slabwise/store/memory_store.hpp>
#include <slabwise/zarr/hierarchy.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "store/map_store.hpp"

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

namespace {

std::string const array_2 = R"({"zarr_format": 2, "shape": [7], "chunks": [3], "dtype": "<i4", "fill_value": 0,
    "order": "C", "filters": null, "compressor": null})";
std::string const group_2 = R"({"zarr_format": 2})";
std::string const array_3 = R"({"zarr_format": 3, "node_type": "array", "shape": [7], "data_type": "uint8",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [3]}},
    "chunk_key_encoding": {"name": "default"}, "fill_value": 0, "codecs": ["bytes"]})";
std::string const group_3 = R"({"zarr_format": 3, "node_type": "group"})";

/// "path" of each group, "path: shape" of each array, "path! error" of others, in the order of the walk.
std::vector<std::string> walk(sw::any_store const& store, std::string const& path = "") {
    std::vector<std::string> lines;
    zarr::walk_hierarchy(store, path, [&](zarr::hierarchy_node const& node, std::size_t depth) {
        std::string line = std::to_string(depth) + ' ' + node.path;
        if (node.array) line += ": " + std::to_string(node.array->shape.at(0));
        if (!node.array && !node.group) line += "! " + node.error;
        lines.push_back(line);
    });
    return lines;
}

map_store::map version_2() {
    return {{".zgroup", group_2},        {"b/.zgroup", group_2}, {"b/x/.zarray", array_2},
            {"b/c/.zgroup", group_2},    {"a/.zarray", array_2}, {"no/node", ""},
            {"b/c/deep/.zarray", array_2}};
}
std::vector<std::string> const nodes{"0 ", "1 a: 7", "1 b", "2 b/x: 7", "2 b/c", "3 b/c/deep: 7"};

TEST(Hierarchy, IsWalkedByWhatTheStoreLists) {
    EXPECT_EQ(walk(sw::memory_store(map_store::bytes_of(version_2()))), nodes);
    EXPECT_EQ(walk(sw::memory_store(map_store::bytes_of(version_2())), "/b/c/"),
              (std::vector<std::string>{"0 b/c", "1 b/c/deep: 7"}));
    EXPECT_EQ(walk(sw::memory_store(map_store::bytes_of(version_2())), "a"), (std::vector<std::string>{"0 a: 7"}));
}

/// What lies below "b" may not be looked into.
class guarded_store {
public:
    explicit guarded_store(sw::memory_store objects) : objects_(std::move(objects)) {}
    sw::object_state get(std::string_view key, sw::byte_range range, sw::byte_sink& to) const {
        refuse(key);
        return objects_.get(key, range, to);
    }
    std::optional<std::uint64_t> size(std::string_view key) const {
        refuse(key);
        return objects_.size(key);
    }
    std::vector<sw::store_entry> list(std::string_view prefix) const { return objects_.list(prefix); }

private:
    static void refuse(std::string_view key) {
        if (key.starts_with("b/")) throw sw::store_error(sw::error_text("b: permission denied"), sw::error_text("b"));
    }
    sw::memory_store objects_;
};

TEST(Hierarchy, TellsWhatMayNotBeLookedIntoAndGoesOn) {
    EXPECT_EQ(walk(guarded_store(sw::memory_store(map_store::bytes_of(version_2())))),
              (std::vector<std::string>{"0 ", "1 a: 7", "1 b! b: permission denied"}));
    map_store::map const three{{"zarr.json", group_3}, {"b/zarr.json", group_3}, {"b/x/zarr.json", array_3}, {"a/zarr.json", array_3}};
    EXPECT_EQ(walk(guarded_store(sw::memory_store(map_store::bytes_of(three)))),
              (std::vector<std::string>{"0 ", "1 a: 7", "1 b! b: permission denied"}));
    EXPECT_THROW((void)walk(guarded_store(sw::memory_store(map_store::bytes_of(version_2()))), "b"), sw::store_error);
}

TEST(Hierarchy, IsWalkedByConsolidatedMetadataWhereTheStoreCannotList) {
    auto objects = version_2();
    EXPECT_THROW((void)walk(map_store(objects)), sw::metadata_error);
    objects[".zmetadata"] = R"({"zarr_consolidated_format": 1, "metadata": {".zgroup": {}, ".zattrs": {}, "a/.zarray": {},
        "b/.zgroup": {}, "b/x/.zarray": {}, "b/c/.zgroup": {}, "b/c/deep/.zarray": {}, "gone/.zarray": {}}})";
    EXPECT_EQ(walk(map_store(objects)), nodes);

    map_store::map three{{"zarr.json", group_3}, {"b/zarr.json", group_3}, {"b/x/zarr.json", array_3}, {"a/zarr.json", array_3}};
    EXPECT_THROW((void)walk(map_store(three)), sw::metadata_error);
    three["zarr.json"] = R"({"zarr_format": 3, "node_type": "group", "consolidated_metadata": {"kind": "inline",
        "must_understand": false, "metadata": {"a": {}, "b": {}, "b/x": {}}}})";
    EXPECT_EQ(walk(map_store(three)), (std::vector<std::string>{"0 ", "1 a: 7", "1 b", "2 b/x: 7"}));
}

TEST(Hierarchy, ShowsWhatCannotBeReadAmongTheOthers) {
    auto objects = version_2();
    objects["a/.zarray"] = "[";
    auto const lines = walk(sw::memory_store(map_store::bytes_of(objects)));
    EXPECT_EQ(lines.size(), 6u);
    EXPECT_EQ(lines[1], "1 a! a/.zarray: is not valid JSON, at byte 2");
    EXPECT_THROW((void)walk(sw::memory_store(map_store::bytes_of(objects)), "a"), sw::metadata_error);
    EXPECT_THROW((void)walk(sw::memory_store(map_store::bytes_of(objects)), "none"), sw::metadata_error);
}

TEST(Hierarchy, NestsToABound) {
    map_store::map objects;
    std::string path;
    for (int depth = 0; depth < 130; ++depth) {
        objects[path + ".zgroup"] = group_2;
        path += "g/";
    }
    EXPECT_THROW((void)walk(sw::memory_store(map_store::bytes_of(objects))), sw::metadata_error);
}

}  // namespace
