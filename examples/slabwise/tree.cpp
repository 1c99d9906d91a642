// `slabwise tree`: all groups and arrays of a store.
#include <fmt/format.h>

#include <slabwise/zarr/hierarchy.hpp>
#include <slabwise/zarr/locate.hpp>

#include "array_line.hpp"
#include "commands.hpp"
#include "edges.hpp"
#include "open.hpp"
#include "text.hpp"

namespace program {

namespace {

using sw::zarr::json;

std::string last_part(std::string const& path) { return path.substr(path.rfind('/') + 1); }

std::string line_of(sw::zarr::hierarchy_node const& node, std::size_t depth, std::string const& root) {
    std::string const name = depth == 0 ? root : last_part(node.path);
    std::string line(2 * depth, ' ');
    if (node.array) {
        auto const& metadata = *node.array;
        line += fmt::format("{}, chunks ({})", signature(name, metadata), chunk_shape_text(metadata));
        if (metadata.encoding.shards != nullptr) {
            line += fmt::format(" of ({})", joined(metadata.encoding.shards->chunk_shape));
        }
    } else if (node.group) {
        line += printable(name) + '/';
    } else {
        line += fmt::format("unreadable {}: {}", printable(name), printable(node.error));
    }
    return line + '\n';
}

std::string json_of(sw::zarr::hierarchy_node const& node, std::string const& root) {
    json line = {{"path", node.path}};
    if (node.array) {
        line["kind"] = "array";
        line.update(brief_json(node.path.empty() ? root : last_part(node.path), *node.array));
    } else if (node.group) {
        line["kind"] = "group";
    } else {
        line["error"] = node.error;
    }
    return json_text(line) + '\n';
}

}  // namespace

void run_tree(tree_options const& options) {
    sw::zarr::location const at = sw::zarr::locate(options.path);
    naming_store(at.store, [&] {
        std::string const root = name_at(options.path);
        sw::zarr::walk_hierarchy(store_at(at.store), at.path,
                                 [&](sw::zarr::hierarchy_node const& node, std::size_t depth) {
                                     print(options.as_json ? json_of(node, root) : line_of(node, depth, root));
                                 });
    });
}

}  // namespace program
