// All nodes of a Zarr hierarchy, one by one.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/zarr/node.hpp>

namespace slabwise::zarr {

/// A node of a hierarchy: a group, an array, or one whose metadata cannot be read.
struct hierarchy_node {
    /// From the root of the store, "" for the root itself.
    std::string path;
    std::optional<group_metadata> group;
    std::optional<array_metadata> array;
    /// Why neither is there.
    std::string error;
};

/// How deep groups may nest below the node where a walk starts.
inline constexpr std::size_t deepest_hierarchy = 128;

/// Calls visit(node, depth) for the node at `path`, depth 0, and for all below, each group before its members, arrays
/// before groups, by name. A node that cannot be read does not hide the others. **Throws** metadata_error when `path`
/// itself is no node and when groups nest too deep; store_error when it cannot be read; what visit throws.
/// **Cost** as read_group for each group, and as open_metadata for each array.
template <class Visit>
void walk_hierarchy(any_store const& store, std::string_view path, Visit visit) {
    struct step {
        std::string path;
        std::size_t depth;
        bool is_array;
    };
    path = detail::trimmed(path);
    std::vector<step> waiting{{std::string(path), 0, detail::is_array(store, path)}};
    while (!waiting.empty()) {
        step const at = std::move(waiting.back());
        waiting.pop_back();
        hierarchy_node node;
        node.path = at.path;
        try {
            if (at.is_array) {
                node.array = open_metadata(store, at.path);
            } else {
                node.group = read_group(store, at.path);
            }
        } catch (keyed_error const& error) {
            if (at.depth == 0) throw;
            node.error = error.what();
        }
        if (node.group) {
            if (at.depth == deepest_hierarchy) {
                detail::refuse(at.path, "groups nest deeper than " + std::to_string(deepest_hierarchy) + " levels");
            }
            // The last one pushed comes first.
            for (bool const is_array : {false, true}) {
                auto const& names = is_array ? node.group->arrays : node.group->groups;
                for (auto name = names.rbegin(); name != names.rend(); ++name) {
                    waiting.push_back({detail::join(at.path, *name), at.depth + 1, is_array});
                }
            }
        }
        visit(std::as_const(node), at.depth);
    }
}

}  // namespace slabwise::zarr
