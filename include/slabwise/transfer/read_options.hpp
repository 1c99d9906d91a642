// How a read treats the values: the options of a read, and the conversion that follows from them.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include <slabwise/copy/conversion.hpp>
#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/copy/make_conversion.hpp>
#include <slabwise/transfer/output_traits.hpp>

namespace slabwise {

/// The options of a read into elements of T: `{.conversion = {.scale = 0.01, .offset = 273.15}}`.
template <class T>
struct read_options {
    /// What becomes of the stored values. Its stored_fill is the array's fill value unless it is given.
    conversion_options<T> conversion = {};
};

namespace detail {

template <class Output, std::size_t R>
struct output_element {
    using type = std::byte;
};
template <class Output, std::size_t R>
    requires OutputContainer<std::remove_reference_t<Output>, R>
struct output_element<Output, R> {
    using view = std::remove_cvref_t<decltype(output_traits<std::remove_cvref_t<Output>>::view(
        std::declval<std::remove_reference_t<Output>&>(), std::declval<shape<R> const&>()))>;
    using type = std::remove_const_t<typename view::element_type>;
};

}  // namespace detail

/// The options of a read of rank R into a destination.
template <class Output, std::size_t R>
using read_options_for = read_options<typename detail::output_element<Output, R>::type>;

namespace detail {

[[noreturn]] inline void throw_type_mismatch(element_type stored, element_type wanted, char const* whose) {
    throw selection_error(error_text("read: the array holds ")
                              .append(name_of(stored).c_str())
                              .append(" elements, the ")
                              .append(whose)
                              .append(" ")
                              .append(name_of(wanted).c_str()));
}

/// The conversion of a read into elements of T; none where they are copied as they are. `fill` is the array's fill
/// value in native byte order. **Throws** selection_error when there is none, or the rule does not permit it.
template <class T>
std::optional<conversion> find_conversion(element_type stored, std::span<std::byte const> fill,
                                          conversion_options<T> const& options) {
    bool const changes_values = options.scale != 1 || options.offset != 0 || options.fill_replacement.has_value();
    bool const is_opaque = !stored.is_number() && stored.size == sizeof(T);
    if (is_opaque && !changes_values) return std::nullopt;
    if constexpr (requires { element_type_of<T>; }) {
        if (stored == element_type_of<T> && !changes_values) return std::nullopt;
    }
    if constexpr (ConvertibleElement<T>) {
        if (!options.fill_replacement || options.stored_fill || stored.size > element_value::capacity) {
            return make_conversion<T>(stored, options);
        }
        element_value array_fill;
        array_fill.type = stored;
        std::memcpy(array_fill.bytes, fill.data(), stored.size);
        conversion_options<T> with_fill = options;
        with_fill.stored_fill = array_fill;
        return make_conversion<T>(stored, with_fill);
    } else if constexpr (requires { element_type_of<T>; }) {
        // Types without conversions: a scale, say, of equal ones.
        if (stored == element_type_of<T>) require_conversion(stored, stored, options.rule, false);
        throw_type_mismatch(stored, element_type_of<T>, "destination");
    } else {
        throw_type_mismatch(stored, {element_kind::opaque, sizeof(T)}, "destination");
    }
}

}  // namespace detail

}  // namespace slabwise
