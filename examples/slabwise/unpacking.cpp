#include "unpacking.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <slabwise/copy/fill_program.hpp>
#include <slabwise/copy/make_conversion.hpp>
#include <slabwise/zarr/fill_value.hpp>

#include "failure.hpp"

namespace program {

namespace {

using sw::zarr::json;

double number_of(json const& attributes, char const* name, double otherwise) {
    json const* const found = sw::zarr::detail::optional_member(attributes, name);
    if (found == nullptr) return otherwise;
    if (!found->is_number()) {
        throw data_failure(fmt::format("--unpack: the attribute {} is {}; a number was expected", name,
                                       sw::zarr::detail::shown(*found)));
    }
    return found->get<double>();
}

/// The bytes of the fill value in native byte order; none when there is none.
std::vector<std::byte> fill_of(sw::zarr::array_metadata const& metadata) {
    auto const attribute = [&](char const* name) {
        json const* const found = sw::zarr::detail::optional_member(metadata.attributes, name);
        return found == nullptr ? std::vector<std::byte>()
                                : sw::zarr::detail::fill_bytes(*found, {metadata.type}, name);
    };
    if (auto fill = attribute("_FillValue"); !fill.empty()) return fill;
    if (metadata.fill_text == "null") return attribute("missing_value");
    auto fill = metadata.fill;
    if (metadata.byte_order != std::endian::native) sw::reverse_words(fill, metadata.type.swap_size());
    return fill;
}

}  // namespace

sw::conversion unpacking_of(sw::zarr::array_metadata const& metadata) {
    if (!metadata.type.is_number() || metadata.type.kind == sw::element_kind::complex_floating) {
        throw usage_failure(
            fmt::format("--unpack: {} elements are no real numbers", sw::name_of(metadata.type).c_str()));
    }
    sw::conversion_options<double> options;
    options.scale = number_of(metadata.attributes, "scale_factor", 1);
    options.offset = number_of(metadata.attributes, "add_offset", 0);
    auto const fill = fill_of(metadata);
    if (!fill.empty()) {
        sw::element_value stored;
        stored.type = metadata.type;
        std::copy(fill.begin(), fill.end(), stored.bytes);
        options.stored_fill = stored;
        options.fill_replacement = std::numeric_limits<double>::quiet_NaN();
    }
    return sw::make_conversion<double>(metadata.type, options);
}

}  // namespace program
