#include "edges.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "text.hpp"

namespace program {

namespace {

/// More runs than this are not shown.
constexpr std::size_t most_runs = 12;

}  // namespace

std::string length_text(sw::chunk_edges const& edges, std::int64_t extent) {
    std::int64_t least = sw::max_index;
    std::int64_t most = 0;
    for (auto const& run : edges.runs()) {
        if (run.begin > 0 && run.begin >= extent) break;
        least = std::min(least, run.length);
        most = std::max(most, run.length);
    }
    return least >= most ? std::to_string(std::max<std::int64_t>(most, 1)) : fmt::format("{} to {}", least, most);
}

std::string chunk_shape_text(sw::zarr::array_metadata const& metadata) {
    std::vector<std::string> lengths;
    for (std::size_t axis = 0; axis < metadata.rank(); ++axis) {
        lengths.push_back(length_text(metadata.edges[axis], metadata.shape[axis]));
    }
    return joined(lengths);
}

std::string edges_text(sw::chunk_edges const& edges) {
    std::vector<std::string> words;
    auto const runs = edges.runs();
    for (auto const& run : runs.first(std::min(runs.size(), most_runs))) {
        words.push_back(run.count == 1 ? std::to_string(run.length) : fmt::format("{} x {}", run.count, run.length));
    }
    if (runs.size() > most_runs) words.push_back(fmt::format("and {} more runs", runs.size() - most_runs));
    return joined(words);
}

sw::zarr::json edges_json(sw::chunk_edges const& edges) {
    auto result = sw::zarr::json::array();
    for (auto const& run : edges.runs()) result.push_back({run.length, run.count});
    return result;
}

}  // namespace program
