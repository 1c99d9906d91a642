// The program `slabwise`: looks into the chunked arrays of a store, plans reads and reads.
#include <csignal>
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <slabwise/error.hpp>
#include <slabwise/version.hpp>

#include "commands.hpp"
#include "failure.hpp"
#include "output_file.hpp"
#include "text.hpp"

namespace program {

namespace {

constexpr char const* selection_help = R"(SELECTION is NumPy's, with or without brackets:
  '0:1560:3, 5:100, ::-2'   first:stop:stride, one an axis; axes left out are whole
  '..., 5'                  an integer drops its axis; ... stands for the axes between
  'time=0:10, lat=5'        by dimension name)";

void fail(std::string_view sentence) {
    try {
        write_all(STDERR_FILENO, fmt::format("slabwise: {}\n", printable(sentence)), "the standard error");
    } catch (std::exception const&) {
        // There is no one left to tell.
    }
}

void add_selection(CLI::App& command, selection_options& options) {
    command.add_option("--start", options.start, "netCDF's form: first index of each axis")->type_name("N,N,..");
    command.add_option("--count", options.count, "number of indices of each axis; -1 to the end")->type_name("N,N,..");
    command.add_option("--stride", options.stride, "stride of each axis, at least 1")->type_name("N,N,..");
    command.footer(selection_help);
}

int run(int argc, char** argv) {
    CLI::App app{
        "Looks into the chunked arrays of Zarr stores, plans the reading of strided selections, and reads them."};
    app.name("slabwise");
    app.set_version_flag("--version", fmt::format("slabwise {}.{}.{}", SLABWISE_VERSION_MAJOR, SLABWISE_VERSION_MINOR,
                                                  SLABWISE_VERSION_PATCH));
    app.require_subcommand(1);

    info_options info;
    auto& info_command = *app.add_subcommand("info", "Describe an array, or list the arrays of a group");
    info_command.add_option("STORE[/PATH]", info.path, "a Zarr store, and a path in it")->required()->type_name("");
    info_command.add_flag("--json", info.as_json, "as one JSON object");

    tree_options tree;
    auto& tree_command = *app.add_subcommand("tree", "List all groups and arrays of a store");
    tree_command.add_option("STORE[/PATH]", tree.path, "a Zarr store, and a path in it")->required()->type_name("");
    tree_command.add_flag("--json", tree.as_json, "one JSON object a line");

    plan_options plan;
    std::optional<std::string> first;
    std::optional<std::string> second;
    auto& plan_command =
        *app.add_subcommand("plan", "Say which chunks a selection touches and what it costs; reads no data");
    plan_command.add_option("STORE[/PATH]", first, "a Zarr array; not with --shape")->type_name("");
    plan_command.add_option("SELECTION", second, "see below; all unless given")->type_name("");
    plan_command.add_option("--shape", plan.shape, "shape of an array without a store")->type_name("N,N,..");
    plan_command.add_option("--chunks", plan.chunks, "its chunk shape")->type_name("N,N,..");
    plan_command.add_option("--type", plan.type, "its type: f4, i2, u8, ..")->type_name("CODE");
    plan_command.add_flag("--json", plan.as_json, "as one JSON object");
    plan_command.add_option("--limit", plan.limit, "list at most K chunks")->type_name("K")->capture_default_str();
    plan_command.add_option("--svg", plan.svg, "draw the last two axes of the grid; a FILE that exists is replaced")
        ->type_name("FILE");
    plan_command.add_option("--at", plan.at, "with --svg: indices of the other axes")->type_name("N,N,..");
    add_selection(plan_command, plan.selected);

    read_options read;
    auto& read_command = *app.add_subcommand("read", "Print the selected elements, or write them to a file");
    read_command.add_option("STORE[/PATH]", read.path, "a Zarr array")->required()->type_name("");
    read_command.add_option("SELECTION", read.selected.text, "see below; all unless given")->type_name("");
    read_command.add_option("--output", read.output, "write a NumPy file, or one of another --format")
        ->type_name("FILE.npy");
    read_command.add_option("--format", read.format, "npy, csv, raw or json")->type_name("FORMAT");
    read_command.add_flag("--force", read.overwrites, "replace the file if it exists");
    read_command.add_flag("--stats", read.with_stats, "print chunks, bytes, seconds, min, max and mean");
    read_command.add_flag("--unpack", read.is_unpacked, "as float64: scale_factor and add_offset applied, fill as NaN");
    read_command.add_flag("--yes", read.is_confirmed, "read however many chunks it takes");
    add_selection(read_command, read.selected);

    try {
        app.parse(argc, argv);
    } catch (CLI::CallForVersion const& request) {
        print(fmt::format("{}\n", request.what()));
        return 0;
    } catch (CLI::Success const&) {  // --help
        print(app.help() + '\n');
        return 0;
    } catch (CLI::ParseError const& error) {
        if (app.get_subcommands().empty() && argc > 1 && argv[1][0] != '-') {
            throw usage_failure(fmt::format("'{}' is none of the commands info, tree, plan, read", argv[1]));
        }
        throw usage_failure(error.what());
    }
    if (plan.shape) {
        if (second) throw usage_failure("--shape and --chunks are for a plan without a STORE");
        plan.selected.text = first;
    } else {
        plan.path = first;
        plan.selected.text = second;
    }
    if (info_command.parsed()) run_info(info);
    if (tree_command.parsed()) run_tree(tree);
    if (plan_command.parsed()) run_plan(plan);
    if (read_command.parsed()) run_read(read);
    return 0;
}

}  // namespace

void print(std::string_view text) { write_all(STDOUT_FILENO, text, "the standard output"); }

selection selection_options::parse(array_axes const& axes) const {
    if (!start && !count && !stride) return parse_selection(text.value_or(""), axes);
    if (text) throw usage_failure("a SELECTION and --start, --count, --stride exclude each other");
    return parse_hyperslab(start, count, stride, axes);
}

}  // namespace program

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN);  // a write that fails says the same
    try {
        return program::run(argc, argv);
    } catch (program::pipe_closed const&) {
        return 0;
    } catch (program::usage_failure const& error) {
        program::fail(error.what());
        return 2;
    } catch (slabwise::selection_error const& error) {
        program::fail(error.what());
        return 2;
    } catch (std::bad_alloc const&) {
        program::fail("not enough memory");
        return 1;
    } catch (std::exception const& error) {
        program::fail(error.what());
        return 1;
    }
}
