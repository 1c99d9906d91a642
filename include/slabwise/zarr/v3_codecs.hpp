// The codecs of Zarr version 3: from the array by transposes and "bytes" to bytes and on, or by "sharding_indexed" to
// chunks within chunks, which have codecs of their own.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/zarr/make_codec.hpp>
#include <slabwise/zarr/metadata.hpp>

namespace slabwise::zarr::detail {

/// An extension point of Zarr v3: a name, alone or in an object with a configuration. It refers to the JSON that it was
/// read from: copies of configurations within configurations would take memory for each level of them.
/// **Source** Zarr v3 core specification, "Extension definition".
struct extension {
    std::string name;
    json const& configuration;
};

inline extension parse_extension(json const& value, std::string const& where, std::string_view key) {
    json const* const name = value.is_object() ? optional_member(value, "name") : &value;
    if (name == nullptr || !name->is_string()) {
        refuse(key, where + " is " + shown(value) + "; an object with a string \"name\" was expected");
    }
    static json const none = json::object();
    json const* const configuration = value.is_object() ? optional_member(value, "configuration") : nullptr;
    if (configuration != nullptr && !configuration->is_object()) {
        refuse(key, where + " has the configuration " + shown(*configuration) + "; an object was expected");
    }
    return {name->get<std::string>(), configuration == nullptr ? none : *configuration};
}

/// A member of an extension's configuration. **Throws** metadata_error when it is missing.
inline json const& configuration_member(json const& configuration, char const* name, std::string const& where,
                                        std::string_view key) {
    json const* const found = optional_member(configuration, name);
    if (found == nullptr) refuse(key, where + " has no member \"" + name + "\" in its configuration");
    return *found;
}

/// Reads lists of codecs. The levels of a sharded array share one element type, and its byte order is told once, by the
/// codec "bytes" of the innermost level.
class v3_codec_parser {
public:
    v3_codec_parser(element_type type, std::string_view key) noexcept : type_(type), key_(key) {}

    [[nodiscard]] std::endian byte_order() const noexcept { return byte_order_; }

    /// How chunks of `chunk_shape` (along the array's axes) are stored, whose axes enter the codecs in `axis_order`.
    /// No codecs at all, which zarrita writes, stand for little-endian bytes. **Throws** metadata_error.
    /// **Source** Zarr v3 core specification, "Codecs". The recursion is as deep as the metadata, whose depth is bounded.
    chunk_encoding parse(json const& codecs, std::vector<index_t> const& chunk_shape,
                         std::vector<std::size_t> axis_order, std::string const& where) {
        if (!codecs.is_array()) refuse(key_, where + " is " + shown(codecs) + "; an array of codecs was expected");
        require_few_codecs(codecs, where, key_);
        chunk_encoding result;
        result.axis_order = std::move(axis_order);
        bool has_bytes = codecs.empty();
        codec_maker maker(result.codecs, {type_, announced_byte_order(codecs)}, 3, key_);
        for (std::size_t i = 0; i < codecs.size(); ++i) {
            std::string const at = where + "[" + std::to_string(i) + "]";
            extension const codec = parse_extension(codecs[i], at, key_);
            bool const makes_bytes = codec.name == "bytes" || codec.name == "sharding_indexed";
            if (makes_bytes && has_bytes) {
                refuse(key_, at + " is " + shown(codec.name) + ", but a codec before it has made bytes of the array");
            }
            has_bytes = has_bytes || makes_bytes;
            if (codec.name == "bytes") {
                byte_order_ = endian_of(codec.configuration, type_.swap_size(), at);
            } else if (codec.name == "sharding_indexed") {
                result.shards = parse_shards(codec.configuration, chunk_shape, result.axis_order, at);
            } else if (codec.name == "transpose") {
                if (has_bytes) refuse(key_, at + " is \"transpose\", but a codec before it has made bytes of the array");
                transpose(result.axis_order, member_of(codec.configuration, "order", at), at);
            } else {
                if (has_bytes == is_filter(plain_name(codec))) {
                    refuse(key_, at + " is " + shown(codec.name) +
                                     (has_bytes ? ", but a codec before it has made bytes of the array"
                                                : ", before the codec \"bytes\" that it depends on"));
                }
                maker.append(plain_name(codec), codec.configuration, at + ": the codec");
            }
        }
        if (!has_bytes) refuse(key_, where + " is " + shown(codecs) + "; it lacks the codec \"bytes\"");
        return result;
    }

private:
    json const& member_of(json const& configuration, char const* name, std::string const& where) const {
        return configuration_member(configuration, name, where, key_);
    }

    /// The filters of numcodecs come before "bytes": they are given the array's elements in the byte order that "bytes"
    /// then tells. They stand in the chain before the codecs of bytes.
    static bool is_filter(std::string_view name) noexcept {
        for (std::string_view const filter : {"delta", "astype", "fixedscaleoffset", "quantize", "bitround", "packbits"}) {
            if (name == filter) return true;
        }
        return false;
    }
    static std::string_view plain_name(extension const& codec) noexcept {
        std::string_view name = codec.name;
        if (name.starts_with("numcodecs.")) name.remove_prefix(10);
        return name;
    }

    std::endian endian_of(json const& configuration, std::size_t word_size, std::string const& where) const {
        json const* const endian = optional_member(configuration, "endian");
        if (endian == nullptr ? word_size > 1 : *endian != "little" && *endian != "big") {
            refuse(key_, where + " \"bytes\" has the endian " + (endian == nullptr ? "null" : shown(*endian)) +
                             "; \"little\" or \"big\" was expected");
        }
        return endian != nullptr && *endian == "big" ? std::endian::big : std::endian::little;
    }
    /// That which "bytes" will set: filters before it need to know.
    static std::endian announced_byte_order(json const& codecs) {
        for (json const& codec : codecs) {
            json const* const configuration = codec.is_object() ? optional_member(codec, "configuration") : nullptr;
            if (configuration == nullptr || !configuration->is_object()) continue;
            json const* const endian = optional_member(*configuration, "endian");
            if (endian != nullptr && *endian == "big") return std::endian::big;
        }
        return std::endian::little;
    }

    /// Permutes the axes: the place j of the result holds what the place order[j] held. "C" and "F", which early writers
    /// wrote, stand for the order as it is and for the reversed one.
    /// **Source** Zarr v3 transpose codec specification, version 1.0.
    void transpose(std::vector<std::size_t>& axes, json const& order, std::string const& where) const {
        if (order == "C") return;
        if (order == "F") {
            std::reverse(axes.begin(), axes.end());
            return;
        }
        std::vector<std::size_t> permuted;
        std::vector<bool> is_taken(axes.size(), false);
        bool is_permutation = order.is_array() && order.size() == axes.size();
        for (std::size_t j = 0; is_permutation && j < axes.size(); ++j) {
            is_permutation = order[j].is_number_unsigned() && order[j].get<std::uint64_t>() < axes.size();
            if (!is_permutation) break;
            auto const place = order[j].get<std::size_t>();
            is_permutation = !is_taken[place];
            is_taken[place] = true;
            permuted.push_back(axes[place]);
        }
        if (!is_permutation) {
            refuse(key_, where + " \"transpose\" has the order " + shown(order) + "; a permutation of the " +
                             std::to_string(axes.size()) + " axes was expected");
        }
        axes = std::move(permuted);
    }

    /// **Source** Zarr v3 sharding codec specification, version 1.0, "Configuration parameters".
    std::shared_ptr<sharding const> parse_shards(json const& configuration, std::vector<index_t> const& shard_shape,
                                                 std::vector<std::size_t> const& axis_order, std::string const& where) {
        auto result = std::make_shared<sharding>();
        auto const stored_shape =
            extents(member_of(configuration, "chunk_shape", where), where + " chunk_shape", 1, key_);
        if (stored_shape.size() != shard_shape.size()) {
            refuse(key_, where + " chunk_shape has " + std::to_string(stored_shape.size()) + " axes, but the array has " +
                             std::to_string(shard_shape.size()));
        }
        result->chunk_shape.resize(shard_shape.size());
        index_t index_bytes = 16;  // an offset and a length an inner chunk
        for (std::size_t j = 0; j < stored_shape.size(); ++j) {
            index_t const extent = shard_shape[axis_order[j]];
            // An inner chunk ends with its shard at the latest.
            index_t const length = (std::min)(stored_shape[j], extent);
            result->chunk_shape[axis_order[j]] = length;
            if (!multiply_into(index_bytes, ceil_divide(extent, length))) {
                refuse(key_, where + " has so many inner chunks that the index of a shard exceeds 2^63 - 1 bytes");
            }
        }
        result->inner = parse(member_of(configuration, "codecs", where), result->chunk_shape, axis_order,
                              where + " codecs");
        if (json const* location = optional_member(configuration, "index_location")) {
            if (*location != "start" && *location != "end") {
                refuse(key_, where + " has the index_location " + shown(*location) +
                                 "; \"start\" or \"end\" was expected");
            }
            result->is_index_at_end = *location == "end";
        }
        parse_index_codecs(*result, member_of(configuration, "index_codecs", where), where + " index_codecs");
        return result;
    }

    void parse_index_codecs(sharding& shards, json const& codecs, std::string const& where) const {
        if (!codecs.is_array() || codecs.empty()) {
            refuse(key_, where + " is " + shown(codecs) + "; an array of codecs was expected");
        }
        require_few_codecs(codecs, where, key_);
        for (std::size_t i = 0; i < codecs.size(); ++i) {
            std::string const at = where + "[" + std::to_string(i) + "]";
            extension const codec = parse_extension(codecs[i], at, key_);
            if ((i == 0) != (codec.name == "bytes")) {
                refuse(key_, at + " is " + shown(codec.name) + "; \"bytes\" must come first, and once");
            }
            if (i == 0) {
                shards.index_byte_order = endian_of(codec.configuration, 8, at);
            } else if (codec.name == "crc32c") {
                shards.index_codecs.push_back(crc32c_codec(checksum_place::behind));
            } else {
                refuse(key_, at + ": the codec " + shown(codec.name) +
                                 " is not supported for an index, whose size must be known; supported are bytes, crc32c");
            }
        }
    }

    element_type type_;
    std::string_view key_;
    std::endian byte_order_ = std::endian::little;
};

}  // namespace slabwise::zarr::detail
