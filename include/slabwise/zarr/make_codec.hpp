// Codecs from bytes to bytes by the names and configurations that metadata gives them, whatever the version.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/codec/astype.hpp>
#include <slabwise/codec/bitround.hpp>
#include <slabwise/codec/blosc.hpp>
#include <slabwise/codec/bz2.hpp>
#include <slabwise/codec/checksum.hpp>
#include <slabwise/codec/delta.hpp>
#include <slabwise/codec/fixed_scale_offset.hpp>
#include <slabwise/codec/gzip.hpp>
#include <slabwise/codec/lz4.hpp>
#include <slabwise/codec/lzma.hpp>
#include <slabwise/codec/packbits.hpp>
#include <slabwise/codec/shuffle.hpp>
#include <slabwise/codec/zstd.hpp>
#include <slabwise/zarr/data_type.hpp>
#include <slabwise/zarr/json.hpp>

namespace slabwise::zarr::detail {

inline constexpr char const* supported_codecs =
    "adler32, astype, bitround, blosc, bz2, crc32, crc32c, delta, fixedscaleoffset, fletcher32, gzip, lz4, lzma, packbits, "
    "quantize, shuffle, zlib, zstd";

/// **Throws** metadata_error for a list of more codecs than any array needs: each costs a pass over every chunk.
inline void require_few_codecs(json const& list, std::string const& where, std::string_view key) {
    constexpr std::size_t most = 64;
    if (list.size() <= most) return;
    refuse(key, where + " has " + std::to_string(list.size()) + " codecs; at most " + std::to_string(most) +
                    " are supported");
}

/// Makes codecs and appends them to a chain. What enters the next codec has a type as long as filters keep it one.
class codec_maker {
public:
    /// `stored` is what enters the first codec: the elements as they are stored. `key` names the metadata in errors.
    /// In version 2 the types that filters name tell their own byte order, in version 3 all have that of the array.
    codec_maker(codec_chain& chain, number_type stored, int format, std::string_view key)
        : chain_(chain), type_(stored), byte_order_(stored.byte_order), format_(format), key_(key) {}

    /// Appends the codec `name`, whose parameters are members of `configuration`; `where` names it in errors.
    /// **Throws** metadata_error for one that is not supported, and for parameters that it cannot have.
    /// **Source** numcodecs; Zarr v3 codec specifications.
    void append(std::string_view name, json const& configuration, std::string const& where) {
        configuration_ = &configuration;
        where_ = where + " " + shown(std::string(name));
        if (name == "gzip") return chain_.push_back(gzip_codec());
        if (name == "zlib") return chain_.push_back(zlib_codec());
        if (name == "zstd") return chain_.push_back(zstd_codec());
        if (name == "blosc") return chain_.push_back(blosc_codec());
        if (name == "lz4") return chain_.push_back(lz4_codec());
        if (name == "bz2") return chain_.push_back(bz2_codec());
        if (name == "lzma") return chain_.push_back(lzma());
        if (name == "crc32") return chain_.push_back(crc32_codec(place(checksum_place::before)));
        if (name == "adler32") return chain_.push_back(adler32_codec(place(checksum_place::before)));
        if (name == "crc32c") return chain_.push_back(crc32c_codec(place(checksum_place::behind)));
        if (name == "fletcher32") return chain_.push_back(fletcher32_codec(place(checksum_place::behind)));
        if (name == "shuffle") return chain_.push_back(shuffle());
        if (name == "bitround") return chain_.push_back(bitround_codec());
        if (name == "packbits") return append_packbits();
        if (name == "delta") {
            auto const [encoded, decoded] = types("astype", "dtype");
            return append_filter(delta_codec(encoded, decoded));
        }
        if (name == "astype") {
            auto const [encoded, decoded] = types("encode_dtype", "decode_dtype");
            return append_filter(astype_codec(encoded, decoded));
        }
        if (name == "quantize") {
            auto const [encoded, decoded] = types("astype", "dtype");
            if (!encoded.is_floating() || !decoded.is_floating()) refuse_parameters("takes floating types only");
            return append_filter(quantize_codec(encoded, decoded));
        }
        if (name == "fixedscaleoffset") {
            auto const [encoded, decoded] = types("astype", "dtype");
            double const scale = number("scale");
            if (scale == 0) refuse_parameters("has the scale 0");
            return append_filter(fixed_scale_offset_codec(encoded, decoded, scale, number("offset")));
        }
        refuse(key_, where_ + " is not supported; supported are " + supported_codecs);
    }

private:
    [[noreturn]] void refuse_parameters(std::string const& sentence) const { refuse(key_, where_ + ' ' + sentence); }

    json const& parameter(char const* name) const {
        json const* const found = optional_member(*configuration_, name);
        if (found == nullptr) refuse_parameters(std::string("has no member \"") + name + "\"");
        return *found;
    }
    double number(char const* name) const {
        json const& found = parameter(name);
        if (!found.is_number()) {
            refuse_parameters(std::string("has the ") + name + ' ' + shown(found) + "; a number was expected");
        }
        return found.get<double>();
    }

    checksum_place place(checksum_place usual) const {
        json const* const location = optional_member(*configuration_, "location");
        if (location == nullptr) return usual;
        if (*location != "start" && *location != "end") {
            refuse_parameters("has the location " + shown(*location) + "; \"start\" or \"end\" was expected");
        }
        return *location == "start" ? checksum_place::before : checksum_place::behind;
    }

    shuffle_codec shuffle() {
        // numcodecs' own default.
        std::uint64_t size = 4;
        if (json const* found = optional_member(*configuration_, "elementsize")) {
            if (!found->is_number_unsigned() || *found == 0) {
                refuse_parameters("has the elementsize " + shown(*found) + "; an integer from 1 on was expected");
            }
            size = found->get<std::uint64_t>();
        }
        return shuffle_codec(static_cast<std::size_t>(size));
    }

    void append_packbits() {
        if (type_ && type_->type.kind != element_kind::boolean) refuse_parameters("takes bool elements only");
        chain_.push_back(packbits_codec());
        type_.reset();
    }

    /// The type that a member names. In metadata of version 3 it may have a name of that version.
    number_type type_of(json const& value) const {
        number_type found;
        bool const is_v2 = value.is_string() && !value.get_ref<std::string const&>().empty() &&
                           std::string_view("<>|=").find(value.get_ref<std::string const&>()[0]) != std::string_view::npos;
        if (is_v2) {
            data_type const parsed = parse_v2_type(value, key_);
            found = {parsed.type, format_ == 2 ? parsed.byte_order : byte_order_};
        } else {
            found = {parse_v3_type(value, key_).type, byte_order_};
        }
        if (!found.is_real()) refuse_parameters("has the type " + shown(value) + "; a real type was expected");
        return found;
    }
    /// The types on both sides of a filter; without a name for the encoded one it is the decoded one.
    std::pair<number_type, number_type> types(char const* encoded_name, char const* decoded_name) const {
        number_type const decoded = type_of(parameter(decoded_name));
        json const* const encoded = optional_member(*configuration_, encoded_name);
        if (type_ && type_->type.size != decoded.type.size) {
            refuse_parameters(std::string("has the ") + decoded_name + ' ' + shown(parameter(decoded_name)) +
                              ", but elements of " + name_of(type_->type).c_str() + " enter it");
        }
        return {encoded == nullptr || encoded->is_null() ? decoded : type_of(*encoded), decoded};
    }
    template <class Filter>
    void append_filter(Filter const& filter) {
        type_ = filter.encoded();
        chain_.push_back(filter);
    }

    lzma_codec lzma() const {
        constexpr int raw = 3;  // of Python's lzma.FORMAT_AUTO, _XZ, _ALONE and _RAW
        json const* const format = optional_member(*configuration_, "format");
        if (format != nullptr && (!format->is_number_integer() || *format < 0 || *format > raw)) {
            refuse_parameters("has the format " + shown(*format) + "; an integer from 0 to 3 was expected");
        }
        if (format == nullptr || *format != raw) return {};
        json const& filters = parameter("filters");
        if (!filters.is_array() || filters.empty() || filters.size() > LZMA_FILTERS_MAX) {
            refuse_parameters("has the filters " + shown(filters) + "; a list of 1 to 4 was expected for a raw stream");
        }
        std::vector<lzma_codec::filter> list;
        for (json const& filter : filters) list.push_back(lzma_filter_of(filter));
        return lzma_codec(std::move(list));
    }
    lzma_codec::filter lzma_filter_of(json const& filter) const {
        auto const integer = [&](char const* name, std::uint32_t otherwise) {
            json const* const found = filter.is_object() ? optional_member(filter, name) : nullptr;
            if (found == nullptr) return otherwise;
            if (!found->is_number_unsigned() || *found > (std::numeric_limits<std::uint32_t>::max)()) {
                refuse_parameters("has a filter whose " + std::string(name) + " is " + shown(*found));
            }
            return found->get<std::uint32_t>();
        };
        json const* const id = filter.is_object() ? optional_member(filter, "id") : nullptr;
        if (id == nullptr || !id->is_number_unsigned()) refuse_parameters("has the filter " + shown(filter) + " without an id");
        lzma_codec::filter result;
        result.id = id->get<lzma_vli>();
        if (::lzma_lzma_preset(&result.lzma, integer("preset", LZMA_PRESET_DEFAULT)) != 0) {
            refuse_parameters("has a filter with a preset that does not exist");
        }
        result.lzma.dict_size = integer("dict_size", result.lzma.dict_size);
        result.lzma.lc = integer("lc", result.lzma.lc);
        result.lzma.lp = integer("lp", result.lzma.lp);
        result.lzma.pb = integer("pb", result.lzma.pb);
        result.delta.type = LZMA_DELTA_TYPE_BYTE;
        result.delta.dist = integer("dist", 1);
        bool const is_known = result.id == LZMA_FILTER_LZMA1 || result.id == LZMA_FILTER_LZMA2 ||
                              result.id == LZMA_FILTER_DELTA || (result.id >= LZMA_FILTER_X86 && result.id <= LZMA_FILTER_SPARC);
        if (!is_known) refuse_parameters("has a filter with the id " + shown(*id) + ", which is not known");
        constexpr std::uint32_t most_dictionary = std::uint32_t{128} << 20;
        if (result.lzma.dict_size > most_dictionary) {
            refuse_parameters("has a filter with a dictionary of " + std::to_string(result.lzma.dict_size) +
                              " bytes; at most " + std::to_string(most_dictionary) + " are supported");
        }
        return result;
    }

    codec_chain& chain_;
    std::optional<number_type> type_;
    std::endian byte_order_;
    int format_;
    std::string_view key_;
    json const* configuration_ = nullptr;
    std::string where_;
};

}  // namespace slabwise::zarr::detail
