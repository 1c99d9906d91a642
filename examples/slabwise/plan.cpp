// `slabwise plan`: which chunks a selection touches, and what that costs.
#include <algorithm>

#include <fmt/format.h>

#include "any_plan.hpp"
#include "commands.hpp"
#include "drawing.hpp"
#include "element.hpp"
#include "failure.hpp"
#include "inner_chunks.hpp"
#include "open.hpp"
#include "output_file.hpp"
#include "text.hpp"

namespace program {

namespace {

/// More chunks than this are not looked for in the store, so that the answer comes at once.
constexpr std::int64_t most_looked_for = 100000;

/// What is planned: an array of a store, or only a shape.
struct subject {
    array_axes axes;
    std::vector<sw::chunk_edges> edges;
    std::optional<sw::element_type> type;
    std::optional<opened_array> array;
};

subject subject_of(plan_options const& options) {
    if (options.path) {
        if (options.shape || options.chunks) throw usage_failure("--shape and --chunks are for a plan without a STORE");
        if (options.type) throw usage_failure("--type is for a plan without a STORE");
        auto array = open_array(*options.path);
        auto const& metadata = array.array.metadata();
        return {array.axes, metadata.edges, metadata.type, std::move(array)};
    }
    if (!options.shape || !options.chunks) throw usage_failure("a plan needs a STORE, or --shape and --chunks");
    subject result{{parse_numbers("--shape", *options.shape), {}}, {}, {}, {}};
    auto const lengths = parse_numbers("--chunks", *options.chunks);
    if (result.axes.rank() != lengths.size()) {
        throw usage_failure(fmt::format("--shape has {} axes, --chunks has {}", result.axes.rank(), lengths.size()));
    }
    for (std::size_t axis = 0; axis < result.axes.rank(); ++axis) {
        if (result.axes.extents[axis] < 0) {
            throw usage_failure(
                fmt::format("{}: --shape {} is below 0", result.axes.label(axis), result.axes.extents[axis]));
        }
        if (lengths[axis] < 1) {
            throw usage_failure(fmt::format("{}: --chunks {} is below 1", result.axes.label(axis), lengths[axis]));
        }
        result.edges.push_back(sw::chunk_edges::equal(lengths[axis], result.axes.extents[axis]));
    }
    if (options.type) result.type = type_of_code(*options.type);
    return result;
}

/// What of the touched chunks is stored; of shards, of the inner chunks that are touched.
struct stored_part {
    std::int64_t bytes = 0;
    std::int64_t missing = 0;
    /// Inner chunks touched, in shards that are there.
    std::optional<std::int64_t> inner_chunks;
};

stored_part look_up_inner(opened_array const& opened, any_plan const& plan, selection const& selected) {
    stored_part found{0, 0, 0};
    for (std::int64_t k = 0; k < plan.size(); ++k) {
        auto const chunks = inner_chunks(opened, plan.at(k), selected.drops_axis);
        found.missing += chunks ? 0 : 1;
        if (!chunks) continue;
        *found.inner_chunks += static_cast<std::int64_t>(chunks->size());
        for (inner_chunk const& chunk : *chunks) {
            if (chunk.stored) found.bytes += static_cast<std::int64_t>(chunk.stored->length);
        }
    }
    return found;
}

std::optional<stored_part> look_up(opened_array const& opened, any_plan const& plan, selection const& selected) {
    if (plan.size() > most_looked_for) return std::nullopt;
    if (has_inner_chunks(opened)) return look_up_inner(opened, plan, selected);
    return opened.array.visit([&]<std::size_t R, class Grid>(sw::zarr::array<R, Grid> const& array) -> std::optional<stored_part> {
        stored_part found;
        for (std::int64_t k = 0; k < plan.size(); ++k) {
            auto const record = plan.at(k);
            sw::coord_t<R> coord{};
            std::copy_n(record.coord.begin(), R, coord.begin());
            auto const bytes = opened.array.store().size(array.chunk_key(coord));
            found.bytes += static_cast<std::int64_t>(bytes.value_or(0));
            found.missing += bytes ? 0 : 1;
        }
        return found;
    });
}

struct cost {
    std::optional<std::int64_t> bytes_chunks;
    std::optional<std::int64_t> bytes_used;
};

cost cost_of(any_plan const& plan, std::size_t element_size) {
    auto const size = static_cast<std::int64_t>(element_size);
    std::int64_t bytes_chunks = plan.size() == 0 ? 0 : size;
    bool fits = true;
    for (std::size_t axis = 0; axis < plan.rank(); ++axis) {
        fits = fits && sw::multiply_into(bytes_chunks, plan.axis(axis).stored_lengths());
    }
    return {fits ? std::optional(bytes_chunks) : std::nullopt,
            bounded_product(std::array{plan.element_count(), size})};
}

/// The elements of the touched chunks for each element selected. **Expects** a selection that is not empty.
double read_amplification(any_plan const& plan) {
    double ratio = 1;
    for (std::size_t axis = 0; axis < plan.rank(); ++axis) {
        auto const& along = plan.axis(axis);
        ratio *= static_cast<double>(along.stored_lengths()) / static_cast<double>(along.count());
    }
    return ratio;
}

std::string json_number(std::optional<std::int64_t> number) { return number ? std::to_string(*number) : "null"; }

std::string json_slices(std::vector<sw::slice> const& slices) {
    std::string text;
    for (auto const& slice : slices) {
        text += fmt::format("{}[{},{},{}]", text.empty() ? "" : ",", slice.first(), slice.stop(), slice.stride());
    }
    return '[' + text + ']';
}

std::string json_inner(opened_array const& opened, projection_record const& shard, selection const& selected) {
    auto const chunks = inner_chunks(opened, shard, selected.drops_axis);
    if (!chunks) return ",\"inner_chunks\":null";
    std::string text;
    for (auto const& [projection, stored] : *chunks) {
        text += fmt::format("{}\n {{\"coord\":[{}],\"in_chunk\":{},\"in_array\":{},\"covers_chunk\":{},\"offset\":{},"
                            "\"bytes\":{}}}",
                            text.empty() ? "" : ",", fmt::join(projection.coord, ","), json_slices(projection.in_chunk),
                            json_slices(projection.in_array), projection.covers_chunk,
                            stored ? std::to_string(stored->offset) : "null",
                            stored ? std::to_string(stored->length) : "null");
    }
    return ",\"inner_chunks\":[" + text + ']';
}

void print_json(subject const& planned, any_plan const& plan, selection const& selected, std::int64_t limit) {
    cost const bytes = planned.type ? cost_of(plan, planned.type->size) : cost{};
    std::string text =
        fmt::format("{{\"shape\":[{}],\"chunks\":{},\"elements\":{},\"bytes_chunks\":{},\"bytes_used\":{}",
                    fmt::join(selected.shape(), ","), plan.size(), plan.element_count(),
                    json_number(bytes.bytes_chunks), json_number(bytes.bytes_used));
    if (planned.array) {
        auto const stored = look_up(*planned.array, plan, selected);
        text += fmt::format(",\"bytes_stored\":{},\"chunks_missing\":{}", stored ? json_number(stored->bytes) : "null",
                            stored ? json_number(stored->missing) : "null");
    }
    text += ",\"projections\":[";
    std::int64_t const listed = std::min(limit, plan.size());
    for (std::int64_t k = 0; k < listed; ++k) {
        auto const projection = plan.at(k);
        text += fmt::format("{}\n{{\"coord\":[{}],\"in_chunk\":{},\"in_array\":{},\"covers_chunk\":{}",
                            k == 0 ? "" : ",", fmt::join(projection.coord, ","), json_slices(projection.in_chunk),
                            json_slices(projection.in_array), projection.covers_chunk);
        if (planned.array && has_inner_chunks(*planned.array)) text += json_inner(*planned.array, projection, selected);
        text += '}';
        if (text.size() > 65536) {
            print(text);
            text.clear();
        }
    }
    text += listed < plan.size() ? "],\"truncated\":true}\n" : "]}\n";
    print(text);
}

/// first:stop:stride as NumPy takes it: without a stride of 1, and without the stop that lies below 0.
std::string slice_text(sw::slice const& slice) {
    std::string text = fmt::format("{}:", slice.first());
    if (slice.stop() >= 0) text += std::to_string(slice.stop());
    if (slice.stride() != 1) text += fmt::format(":{}", slice.stride());
    return text;
}

std::string axis_name(array_axes const& axes, std::size_t axis) {
    return axes.names.empty() || axes.names[axis].empty() ? fmt::format("axis {}", axis) : printable(axes.names[axis]);
}

/// time 0:1560:3, lat 5, lon 254::-2
std::string selection_text(array_axes const& axes, selection const& selected) {
    std::vector<std::string> words;
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
        auto const& slice = selected.slices[axis];
        words.push_back(axis_name(axes, axis) + ' ' +
                        (selected.drops_axis[axis] ? std::to_string(slice.first()) : slice_text(slice)));
    }
    return words.empty() ? "the one element" : joined(words);
}

/// One row of the table: the chunk, what is taken of it, where it goes, and a remark.
std::vector<std::string> projection_row(std::string name, projection_record const& projection, selection const& selected,
                                        std::string remark) {
    std::vector<std::string> row{std::move(name)};
    for (std::size_t axis = 0; axis < projection.in_chunk.size(); ++axis) {
        auto const& slice = projection.in_chunk[axis];
        row.push_back(selected.drops_axis[axis] ? std::to_string(slice.first()) : slice_text(slice));
    }
    row.push_back("->");
    for (auto const& slice : projection.in_array) row.push_back(slice_text(slice));
    row.push_back(std::move(remark));
    return row;
}

std::string projection_table(subject const& planned, any_plan const& plan, selection const& selected,
                             std::int64_t limit) {
    array_axes const& axes = planned.axes;
    std::vector<std::string> header{"chunk"};
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) header.push_back(axis_name(axes, axis));
    header.push_back("->");
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
        if (!selected.drops_axis[axis]) header.push_back(axis_name(axes, axis));
    }
    header.push_back("");
    std::vector<std::vector<std::string>> rows{header};
    std::int64_t const listed = std::min(limit, plan.size());
    for (std::int64_t k = 0; k < listed; ++k) {
        auto const projection = plan.at(k);
        std::string const name = fmt::format("({})", joined(projection.coord));
        bool const is_nested = planned.array && has_inner_chunks(*planned.array);
        auto const inner = is_nested ? inner_chunks(*planned.array, projection, selected.drops_axis) : std::nullopt;
        std::string const whole = projection.covers_chunk ? "whole" : "";
        rows.push_back(projection_row(name, projection, selected, is_nested && !inner ? "absent" : whole));
        if (!inner) continue;
        for (auto const& [part, stored] : *inner) {
            rows.push_back(projection_row(fmt::format("in {}: ({})", name, joined(part.coord)), part, selected,
                                          stored ? fmt::format("bytes {}:{}", stored->offset, stored->offset + stored->length)
                                                 : "absent"));
        }
    }
    std::string text = table(rows);
    if (listed < plan.size()) text += fmt::format("and {} more\n", counted(plan.size() - listed, "chunk"));
    return text;
}

void print_table(subject const& planned, any_plan const& plan, selection const& selected, std::int64_t limit) {
    std::string text = plan.size() == 0 ? "" : projection_table(planned, plan, selected, limit) + '\n';
    auto const all = plan.chunks_of_array();
    text += fmt::format("selected  {}\n", selection_text(planned.axes, selected));
    text += fmt::format("shape     ({})\n", joined(selected.shape()));
    text += fmt::format("chunks    {}{}\n", plan.size(), all ? fmt::format(" of {}", *all) : "");
    text +=
        fmt::format("elements  {} in {}\n", plan.element_count(), counted(plan.contiguous_runs(), "contiguous run"));
    if (planned.type) {
        cost const bytes = cost_of(plan, planned.type->size);
        text += fmt::format("bytes     {} of chunks, {} of them used", byte_text(bytes.bytes_chunks),
                            byte_text(bytes.bytes_used));
        if (plan.element_count() > 0) {
            text += fmt::format(": {:.2f} for each byte used", read_amplification(plan));
        }
        text += '\n';
    }
    if (planned.array) {
        auto const stored = look_up(*planned.array, plan, selected);
        if (stored && stored->inner_chunks) {
            text += fmt::format("inner     {} of the shards that are there\n", counted(*stored->inner_chunks, "chunk"));
        }
        text += stored ? fmt::format("stored    {} bytes ({}), {} missing\n", stored->bytes, byte_text(stored->bytes),
                                     counted(stored->missing, "chunk"))
                       : fmt::format("stored    not looked up: more than {} chunks\n", most_looked_for);
    }
    print(text);
}

void write_drawing(plan_options const& options, subject const& planned, any_plan const& plan,
                   selection const& selected) {
    std::optional<std::vector<std::int64_t>> at;
    if (options.at) at = parse_numbers("--at", *options.at);
    std::string title = selection_text(planned.axes, selected);
    if (planned.array) title = planned.array->name + ": " + title;
    std::string const svg = drawing(plan, planned.axes, title, at);
    output_file file("--svg", *options.svg, true);
    file.write(svg);
    file.commit();
}

}  // namespace

void run_plan(plan_options const& options) {
    if (options.limit < 0) throw usage_failure(fmt::format("--limit {} is below 0", options.limit));
    if (options.at && !options.svg) throw usage_failure("--at is for --svg");
    if (options.svg && options.svg->empty()) throw usage_failure("--svg: the name of the file is empty");
    subject const planned = subject_of(options);
    selection const selected = options.selected.parse(planned.axes);
    auto const plan = make_any_plan(planned.axes.extents, planned.edges, selected);
    if (options.svg) write_drawing(options, planned, *plan, selected);
    if (options.as_json) {
        print_json(planned, *plan, selected, options.limit);
    } else {
        print_table(planned, *plan, selected, options.limit);
    }
}

}  // namespace program
