// `slabwise info`: what a store holds.
#include <algorithm>
#include <variant>

#include <fmt/format.h>

#include <slabwise/zarr/locate.hpp>
#include <slabwise/zarr/stored_chunks.hpp>

#include "any_plan.hpp"
#include "array_line.hpp"
#include "commands.hpp"
#include "edges.hpp"
#include "element.hpp"
#include "open.hpp"
#include "text.hpp"

namespace program {

namespace {

using sw::zarr::json;

constexpr std::size_t shown_attributes = 20;

std::string byte_order_text(sw::zarr::array_metadata const& metadata) {
    if (metadata.type.swap_size() == 1) return "none";
    return metadata.byte_order == std::endian::little ? "little" : "big";
}

json codec_names(sw::codec_chain const& codecs) {
    json names = json::array();
    for (std::size_t i = 0; i < codecs.size(); ++i) names.push_back(std::string(codecs.name(i)));
    return names;
}
std::string codec_text(sw::codec_chain const& codecs) {
    std::string text;
    for (auto const& codec : codec_names(codecs)) text += (text.empty() ? "" : ", ") + codec.get<std::string>();
    return text.empty() ? "none" : text;
}

bool is_c_order(std::vector<std::size_t> const& axis_order) {
    return std::is_sorted(axis_order.begin(), axis_order.end());
}

json encoding_json(sw::zarr::chunk_encoding const& encoding) {
    json shards;
    if (encoding.shards != nullptr) {
        sw::zarr::sharding const& inner = *encoding.shards;
        shards = {{"chunk_shape", inner.chunk_shape},
                  {"index_location", inner.is_index_at_end ? "end" : "start"},
                  {"index_codecs", codec_names(inner.index_codecs)}};
        shards.update(encoding_json(inner.inner));
    }
    return {{"axis_order", encoding.axis_order}, {"codecs", codec_names(encoding.codecs)}, {"shards", shards}};
}
/// The lines on how chunks are stored, and on the inner chunks of shards.
std::string encoding_text(sw::zarr::chunk_encoding const& encoding) {
    std::string text;
    if (!is_c_order(encoding.axis_order)) {
        std::vector<std::int64_t> const order(encoding.axis_order.begin(), encoding.axis_order.end());
        text += fmt::format("axis order   ({}), the last lies fastest\n", joined(order));
    }
    text += fmt::format("codecs       {}", codec_text(encoding.codecs));
    bool const is_encoded_as_a_whole = encoding.shards != nullptr && !encoding.codecs.empty();
    text += is_encoded_as_a_whole ? ", of whole shards: each is read as a whole\n" : "\n";
    if (encoding.shards == nullptr) return text;
    sw::zarr::sharding const& inner = *encoding.shards;
    text += fmt::format("inner chunks ({}), index at the {} of each shard, index codecs {}\n", joined(inner.chunk_shape),
                        inner.is_index_at_end ? "end" : "start", codec_text(inner.index_codecs));
    return text + encoding_text(inner.inner);
}

std::string attribute_lines(json const& attributes) {
    std::string lines;
    std::size_t count = 0;
    for (auto const& [name, value] : attributes.items()) {
        if (count++ == shown_attributes) break;
        lines += fmt::format("  {}: {}\n", printable(name), json_text(value));
    }
    if (attributes.size() > shown_attributes) {
        lines += fmt::format("  and {} more\n", attributes.size() - shown_attributes);
    }
    return lines.empty() ? "" : "attributes\n" + lines;
}

std::string array_info(std::string const& name, sw::zarr::any_array const& array, bool as_json) {
    auto const& metadata = array.metadata();
    auto const stored = sw::zarr::count_stored_chunks(array.store(), array.path(), metadata);
    std::vector<std::int64_t> counts;
    for (std::size_t axis = 0; axis < metadata.rank(); ++axis) {
        counts.push_back(metadata.edges[axis].chunks_below(metadata.shape[axis]));
    }
    auto const chunks = bounded_product(counts);
    auto const chunk_bytes = static_cast<std::int64_t>(metadata.chunk_bytes());
    auto const stored_chunks = static_cast<std::int64_t>(stored.objects);
    auto const stored_bytes = static_cast<std::int64_t>(stored.bytes);
    double const ratio = stored.bytes == 0 ? 0
                                           : stored.elements * static_cast<double>(metadata.type.size) /
                                                 static_cast<double>(stored_bytes);
    json const fill = json::parse(metadata.fill_text);
    if (as_json) {
        json result = {{"kind", "array"}, {"format", metadata.format}};
        result.update(brief_json(name, metadata));
        result["bytes_chunk"] = chunk_bytes;
        result["chunks"] = chunks ? json(*chunks) : json();
        result["chunks_stored"] = stored_chunks;
        result["chunks_missing"] = chunks ? json(*chunks - stored_chunks) : json();
        result["bytes_stored"] = stored_bytes;
        result["ratio"] = stored.bytes == 0 ? json() : json(ratio);
        result["dtype"] = metadata.dtype;
        result["byte_order"] = byte_order_text(metadata);
        result.update(encoding_json(metadata.encoding));
        result["fill_value"] = fill;
        result["attributes"] = metadata.attributes;
        return json_text(result) + '\n';
    }
    std::string text = signature(name, metadata) + '\n';
    text += fmt::format("chunk shape  ({}), {}{} bytes ({})\n", chunk_shape_text(metadata),
                        metadata.is_regular() ? "" : "at most ", chunk_bytes, byte_text(chunk_bytes));
    if (!metadata.is_regular()) {
        auto const axes = axes_of(metadata);
        for (std::size_t axis = 0; axis < metadata.rank(); ++axis) {
            text += fmt::format("edges        {}: {}\n", printable(axes.label(axis)), edges_text(metadata.edges[axis]));
        }
    }
    text += chunks ? fmt::format("chunks       {}: {} stored, {} missing\n", *chunks, stored_chunks,
                                 *chunks - stored_chunks)
                   : fmt::format("chunks       more than 2^63 - 1: {} stored\n", stored_chunks);
    text += fmt::format("stored       {} bytes ({})", stored_bytes, byte_text(stored_bytes));
    text += stored.bytes == 0 ? "\n" : fmt::format(", ratio {:.3f}\n", ratio);
    text += fmt::format("type         {} in Zarr {}, byte order {}\n", printable(metadata.dtype), metadata.format,
                        byte_order_text(metadata));
    text += encoding_text(metadata.encoding);
    text += fmt::format("fill value   {}\n", printable(fill.is_string() ? fill.get<std::string>() : json_text(fill)));
    return text + attribute_lines(metadata.attributes);
}

/// One line, or one JSON object, for each array of the group; one that cannot be read does not hide the others.
std::string group_info(sw::any_store const& store, std::string const& path, sw::zarr::group_metadata const& group,
                       bool as_json) {
    std::string text;
    json arrays = json::array();
    for (auto const& name : group.arrays) {
        try {
            auto const metadata = sw::zarr::open_metadata(store, path.empty() ? name : path + '/' + name);
            text += signature(name, metadata) + '\n';
            arrays.push_back(brief_json(name, metadata));
        } catch (sw::error const& error) {
            text += fmt::format("unreadable {}: {}\n", printable(name), printable(error.what()));
            arrays.push_back({{"name", name}, {"error", error.what()}});
        }
    }
    if (as_json) {
        return json_text({{"kind", "group"},
                          {"format", group.format},
                          {"arrays", arrays},
                          {"groups", group.groups},
                          {"attributes", group.attributes}}) +
               '\n';
    }
    for (auto const& name : group.groups) text += fmt::format("group {}\n", printable(name));
    return text + attribute_lines(group.attributes);
}

using node = std::variant<sw::zarr::any_array, sw::zarr::group_metadata>;

node open_node(sw::any_store const& store, std::string const& path) {
    try {
        return sw::zarr::open_any(store, path);
    } catch (sw::metadata_error const&) {
        auto const no_array = std::current_exception();
        try {
            return sw::zarr::read_group(store, path);
        } catch (sw::metadata_error const&) {
            std::rethrow_exception(no_array);
        }
    }
}

}  // namespace

void run_info(info_options const& options) {
    sw::zarr::location const at = sw::zarr::locate(options.path);
    print(naming_store(at.store, [&] {
        sw::any_store const store = store_at(at.store);
        node const found = open_node(store, at.path);
        if (auto const* array = std::get_if<sw::zarr::any_array>(&found)) {
            return array_info(name_at(options.path), *array, options.as_json);
        }
        return group_info(store, at.path, std::get<sw::zarr::group_metadata>(found), options.as_json);
    }));
}

}  // namespace program
