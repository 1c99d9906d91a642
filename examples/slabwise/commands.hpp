// The commands, and what the command line says to each.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "selection.hpp"

namespace program {

struct selection_options {
    std::optional<std::string> text;
    std::optional<std::string> start;
    std::optional<std::string> count;
    std::optional<std::string> stride;

    /// **Throws** usage_failure.
    [[nodiscard]] selection parse(array_axes const& axes) const;
};

struct info_options {
    std::string path;
    bool as_json = false;
};

struct tree_options {
    std::string path;
    bool as_json = false;
};

struct plan_options {
    std::optional<std::string> path;
    std::optional<std::string> shape;
    std::optional<std::string> chunks;
    std::optional<std::string> type;
    selection_options selected;
    bool as_json = false;
    std::int64_t limit = 10000;
    std::optional<std::string> svg;
    std::optional<std::string> at;
};

struct read_options {
    std::string path;
    selection_options selected;
    std::optional<std::string> output;
    std::optional<std::string> format;
    bool overwrites = false;
    bool with_stats = false;
    bool is_confirmed = false;
    bool is_unpacked = false;
};

/// Each does what it is asked for. **Throws** usage_failure, data_failure, pipe_closed, slabwise::error.
void run_info(info_options const& options);
void run_tree(tree_options const& options);
void run_plan(plan_options const& options);
void run_read(read_options const& options);

/// Writes to the standard output. **Throws** as write_all.
void print(std::string_view text);

}  // namespace program
