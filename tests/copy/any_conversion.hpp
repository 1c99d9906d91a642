// Choosing a conversion between two types that are both known at run time. Including this header and calling it
// compiles the loops between all types, some seconds' worth: where one type is known, make_conversion.hpp is enough.
#pragma once

#include <cstring>

#include <slabwise/copy/conversion.hpp>
#include <slabwise/copy/make_conversion.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_replacement_type(element_type to, element_type replacement) {
    throw selection_error(error_text("conversion: the fill replacement is of type ")
                              .append(name_of(replacement).c_str())
                              .append(", but the result of type ")
                              .append(name_of(to).c_str()));
}

}  // namespace detail

/// The conversion of elements of type `from` to elements of type `to`; the fill replacement is a value of type `to`.
/// **Throws** selection_error as make_conversion, and for a fill replacement of another type.
[[nodiscard]] inline conversion make_any_conversion(element_type from, element_type to,
                                                    conversion_options<element_value> const& options = {},
                                                    instruction_set set = default_instruction_set()) {
    if (options.fill_replacement && options.fill_replacement->type != to) {
        detail::throw_replacement_type(to, options.fill_replacement->type);
    }
    auto parts = detail::parts_of(from, options, set);
    bool const has_replacement = options.fill_replacement.has_value();
    if (has_replacement) std::memcpy(parts.replacement, options.fill_replacement->bytes, sizeof parts.replacement);
    if (!can_convert(to, to, options.rule)) detail::require_conversion(from, to, options.rule, false);
    using enum element_kind;
    switch (to.kind) {
    case boolean:
        return detail::make_conversion_to<boolean, 1>(parts, has_replacement);
    case signed_integer:
        return to.size == 1   ? detail::make_conversion_to<signed_integer, 1>(parts, has_replacement)
               : to.size == 2 ? detail::make_conversion_to<signed_integer, 2>(parts, has_replacement)
               : to.size == 4 ? detail::make_conversion_to<signed_integer, 4>(parts, has_replacement)
                              : detail::make_conversion_to<signed_integer, 8>(parts, has_replacement);
    case unsigned_integer:
        return to.size == 1   ? detail::make_conversion_to<unsigned_integer, 1>(parts, has_replacement)
               : to.size == 2 ? detail::make_conversion_to<unsigned_integer, 2>(parts, has_replacement)
               : to.size == 4 ? detail::make_conversion_to<unsigned_integer, 4>(parts, has_replacement)
                              : detail::make_conversion_to<unsigned_integer, 8>(parts, has_replacement);
    case brain_floating:
        return detail::make_conversion_to<brain_floating, 2>(parts, has_replacement);
    case complex_floating:
        return to.size == 8 ? detail::make_conversion_to<complex_floating, 8>(parts, has_replacement)
                            : detail::make_conversion_to<complex_floating, 16>(parts, has_replacement);
    default:
        return to.size == 2   ? detail::make_conversion_to<floating, 2>(parts, has_replacement)
               : to.size == 4 ? detail::make_conversion_to<floating, 4>(parts, has_replacement)
                              : detail::make_conversion_to<floating, 8>(parts, has_replacement);
    }
}

}  // namespace slabwise
