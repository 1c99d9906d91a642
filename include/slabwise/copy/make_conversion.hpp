// Choosing a conversion. The type that comes out is known where the program is compiled, the type that is stored when
// it runs: make_conversion<T> compiles the loops to T from every type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include <slabwise/copy/conversion.hpp>
#include <slabwise/copy/element_type.hpp>
#include <slabwise/error.hpp>

namespace slabwise {

/// How elements become elements of type T.
template <class T>
struct conversion_options {
    conversion_rule rule = conversion_rule::same_kind;
    /// The result is stored * scale + offset, calculated as double, each step rounded, and then converted to T. What
    /// exceeds a double on the way is infinite, which every rule lets pass to floating types.
    double scale = 1;
    double offset = 0;
    /// With a value, elements that have the bits of stored_fill become it, without scale and offset.
    std::optional<T> fill_replacement = {};
    /// The stored type's value that is replaced. A reader takes the array's fill value where this has none.
    std::optional<element_value> stored_fill = {};
};

namespace detail {

/// The type that stands for a kind and size in the loops; void for those that have no conversions.
template <element_kind Kind, std::size_t Size>
constexpr auto element_for() {
    if constexpr (Kind == element_kind::boolean && Size == 1) {
        return std::type_identity<stored_bool>();
    } else if constexpr (Kind == element_kind::signed_integer && Size <= 8) {
        return std::type_identity<std::make_signed_t<word_of<Size>>>();
    } else if constexpr (Kind == element_kind::unsigned_integer && Size <= 8) {
        return std::type_identity<word_of<Size>>();
    } else if constexpr (Kind == element_kind::brain_floating && Size == 2) {
        return std::type_identity<bfloat16>();
    } else if constexpr (Kind == element_kind::floating && Size == 2) {
        return std::type_identity<float16>();
    } else if constexpr (Kind == element_kind::floating && Size == 4) {
        return std::type_identity<float>();
    } else if constexpr (Kind == element_kind::floating && Size == 8) {
        return std::type_identity<double>();
    } else if constexpr (Kind == element_kind::complex_floating && Size <= 16) {
        return element_for<element_kind::floating, Size / 2>();
    } else {
        return std::type_identity<void>();
    }
}

/// What stands for T in the loops; for a complex type, for its components.
template <class T>
using component_of = typename decltype(element_for<element_type_of<T>.kind, element_type_of<T>.size>())::type;

}  // namespace detail

/// A type that elements can be converted to: bool, the integers up to 64 bits, float16, bfloat16, float, double and the
/// complex numbers of float and double.
template <class T>
concept ConvertibleElement = !std::is_void_v<detail::component_of<T>>;

/// True when a rule permits a conversion between two types. **Source** same_kind: numpy.can_cast, in which bfloat16 is
/// one more floating type.
[[nodiscard]] constexpr bool can_convert(element_type from, element_type to, conversion_rule rule) noexcept {
    constexpr int ranks[] = {0, 2, 1, 3, 3, 4, -1, -1, -1};
    int const from_rank = ranks[static_cast<std::size_t>(from.kind)];
    int const to_rank = ranks[static_cast<std::size_t>(to.kind)];
    auto const is_known = [](element_type type) {
        bool const is_complex = type.kind == element_kind::complex_floating;
        std::size_t const size = is_complex ? type.size / 2 : type.size;
        switch (type.kind) {
        case element_kind::boolean:
            return size == 1;
        case element_kind::brain_floating:
            return size == 2;
        case element_kind::opaque:
        case element_kind::fixed_bytes:
        case element_kind::fixed_utf32:
            return false;
        default:
            break;
        }
        bool const is_integer =
            type.kind == element_kind::signed_integer || type.kind == element_kind::unsigned_integer;
        return size == 4 || size == 8 || (!is_complex && size == 2) || (is_integer && size == 1);
    };
    if (!is_known(from) || !is_known(to)) return false;
    return from_rank <= to_rank || (rule != conversion_rule::same_kind && from.kind != element_kind::complex_floating);
}

namespace detail {

[[noreturn]] inline void throw_no_conversion(element_type from, element_type to, char const* why) {
    throw selection_error(error_text("conversion: ")
                              .append(name_of(from).c_str())
                              .append(" to ")
                              .append(name_of(to).c_str())
                              .append(why));
}
[[noreturn]] inline void throw_fill_type(element_type from, element_type fill) {
    throw selection_error(error_text("conversion: the stored fill is of type ")
                              .append(name_of(fill).c_str())
                              .append(", but the elements of type ")
                              .append(name_of(from).c_str()));
}
[[noreturn]] inline void throw_no_stored_fill() {
    throw selection_error("conversion: a fill replacement needs the stored fill that it replaces");
}

/// **Throws** selection_error unless the rule permits the conversion.
inline void require_conversion(element_type from, element_type to, conversion_rule rule, bool is_scaled) {
    bool const is_complex = from.kind == element_kind::complex_floating || to.kind == element_kind::complex_floating;
    if (!can_convert(from, to, rule)) {
        if (can_convert(from, to, conversion_rule::saturate)) {
            throw_no_conversion(from, to,
                                " is not within one kind or to a wider kind; conversion_rule::saturate or "
                                "conversion_rule::check permits it");
        }
        if (from.kind == element_kind::complex_floating && can_convert(from, from, rule)) {
            throw_no_conversion(from, to, " loses the imaginary part, which no rule permits; a complex type keeps it");
        }
        throw_no_conversion(from, to, " is no conversion; only elements of equal types are copied");
    }
    if (is_scaled && is_complex) {
        throw_no_conversion(from, to, " has no scale and offset; real types permit them");
    }
    bool const is_floating = to.kind == element_kind::floating || to.kind == element_kind::brain_floating;
    if (is_scaled && !is_floating && rule == conversion_rule::same_kind) {
        throw_no_conversion(from, to,
                            " with a scale or an offset is not of the same kind; a floating type, "
                            "conversion_rule::saturate or conversion_rule::check permits it");
    }
}

template <conversion_rule Rule, bool MakesComplex, class To, class From>
block_kernel find_kernel_from(instruction_set set) noexcept {
    constexpr element_kind to = std::is_same_v<To, stored_bool> ? element_kind::boolean
                                : std::is_signed_v<To>          ? element_kind::signed_integer
                                                                : element_kind::unsigned_integer;
    constexpr element_kind from = std::is_same_v<From, stored_bool> ? element_kind::boolean
                                  : is_real_float<From>             ? element_kind::floating
                                  : std::is_signed_v<From>          ? element_kind::signed_integer
                                                                    : element_kind::unsigned_integer;
    constexpr bool is_same_kind =
        is_real_float<To> || can_convert({from, from == element_kind::floating ? 4 : sizeof(From)}, {to, sizeof(To)},
                                         conversion_rule::same_kind);
    if constexpr (Rule == conversion_rule::same_kind && !is_same_kind) {
        return {};
    } else if constexpr (Rule != conversion_rule::same_kind && is_same_kind && always_fits<To, From>()) {
        return find_kernel_from<conversion_rule::same_kind, MakesComplex, To, From>(set);
    } else if constexpr (MakesComplex) {
        return {kernel_for<complex_element<Rule, To, From>>(set), sizeof(From), 2 * sizeof(To)};
    } else if constexpr (std::is_same_v<To, From> && !std::is_same_v<To, stored_bool>) {
        return {keep_elements<sizeof(To)>, sizeof(To), sizeof(To)};
    } else {
        return {kernel_for<convert_element<Rule, To, From>>(set), sizeof(From), sizeof(To)};
    }
}

/// The loop from real elements, or between components.
template <conversion_rule Rule, bool MakesComplex, class To>
block_kernel find_kernel_from_real(element_type from, instruction_set set) noexcept {
    switch (from.kind) {
    case element_kind::boolean:
        return find_kernel_from<Rule, MakesComplex, To, stored_bool>(set);
    case element_kind::signed_integer:
        switch (from.size) {
        case 1:
            return find_kernel_from<Rule, MakesComplex, To, std::int8_t>(set);
        case 2:
            return find_kernel_from<Rule, MakesComplex, To, std::int16_t>(set);
        case 4:
            return find_kernel_from<Rule, MakesComplex, To, std::int32_t>(set);
        default:
            return find_kernel_from<Rule, MakesComplex, To, std::int64_t>(set);
        }
    case element_kind::unsigned_integer:
        switch (from.size) {
        case 1:
            return find_kernel_from<Rule, MakesComplex, To, std::uint8_t>(set);
        case 2:
            return find_kernel_from<Rule, MakesComplex, To, std::uint16_t>(set);
        case 4:
            return find_kernel_from<Rule, MakesComplex, To, std::uint32_t>(set);
        default:
            return find_kernel_from<Rule, MakesComplex, To, std::uint64_t>(set);
        }
    case element_kind::brain_floating:
        return find_kernel_from<Rule, MakesComplex, To, bfloat16>(set);
    default:
        switch (from.size) {
        case 2:
            return find_kernel_from<Rule, MakesComplex, To, float16>(set);
        case 4:
            return find_kernel_from<Rule, MakesComplex, To, float>(set);
        default:
            return find_kernel_from<Rule, MakesComplex, To, double>(set);
        }
    }
}

template <conversion_rule Rule, bool IsComplex, class To>
void set_kernels(conversion_parts& parts, bool is_scaled) noexcept {
    if (parts.from.kind == element_kind::complex_floating) {
        if constexpr (IsComplex) {
            parts.components = 2;
            parts.kernel = parts.from.size == 8 ? find_kernel_from<Rule, false, To, float>(parts.set)
                                                : find_kernel_from<Rule, false, To, double>(parts.set);
        }
        return;
    }
    if constexpr (!IsComplex) {
        if (is_scaled) {
            constexpr auto any_rule = conversion_rule::same_kind;
            parts.widen_kernel = find_kernel_from_real<any_rule, false, double>(parts.from, parts.set);
            parts.scale_kernel = {kernel_for<scale_element>(parts.set), sizeof(double), sizeof(double)};
            parts.kernel = find_kernel_from<Rule, false, To, double>(parts.set);
            return;
        }
    }
    parts.kernel = find_kernel_from_real<Rule, IsComplex, To>(parts.from, parts.set);
}

/// What does not depend on the type that comes out; the replacement does.
template <class T>
conversion_parts parts_of(element_type from, conversion_options<T> const& options, instruction_set set) {
    conversion_parts parts;
    parts.from = from;
    parts.rule = options.rule;
    parts.set = set;
    parts.scale = {options.scale, options.offset};
    if (options.fill_replacement) {
        if (!options.stored_fill) throw_no_stored_fill();
        if (options.stored_fill->type != from) throw_fill_type(from, options.stored_fill->type);
        std::memcpy(parts.fill, options.stored_fill->bytes, sizeof parts.fill);
    }
    return parts;
}

/// The same for every T of one kind and size.
template <element_kind Kind, std::size_t Size>
conversion make_conversion_to(conversion_parts parts, bool has_replacement) {
    using to = typename decltype(element_for<Kind, Size>())::type;
    constexpr bool is_complex = Kind == element_kind::complex_floating;
    parts.to = {Kind, Size};
    bool const is_scaled = parts.scale.scale != 1 || parts.scale.offset != 0;
    require_conversion(parts.from, parts.to, parts.rule, is_scaled);
    switch (parts.rule) {
    case conversion_rule::same_kind:
        set_kernels<conversion_rule::same_kind, is_complex, to>(parts, is_scaled);
        break;
    case conversion_rule::saturate:
        set_kernels<conversion_rule::saturate, is_complex, to>(parts, is_scaled);
        break;
    case conversion_rule::check:
        set_kernels<conversion_rule::check, is_complex, to>(parts, is_scaled);
        break;
    }
    if (has_replacement) parts.replace = find_replace_kernel<Size>(parts.from.size);
    return conversion(parts);
}

#if defined(SLABWISE_COMPILED_KERNELS)
// Compiled by slabwise::kernels.
extern template conversion make_conversion_to<element_kind::boolean, 1>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::signed_integer, 1>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::signed_integer, 2>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::signed_integer, 4>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::signed_integer, 8>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::unsigned_integer, 1>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::unsigned_integer, 2>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::unsigned_integer, 4>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::unsigned_integer, 8>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::brain_floating, 2>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::floating, 2>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::floating, 4>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::floating, 8>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::complex_floating, 8>(conversion_parts, bool);
extern template conversion make_conversion_to<element_kind::complex_floating, 16>(conversion_parts, bool);
#endif

}  // namespace detail

/// The conversion of elements of type `from` to elements of T. **Throws** selection_error when the rule does not permit
/// it, and for a fill replacement without a stored fill of type `from`. **Cost** some comparisons; compiling it takes
/// two loops for each type.
template <class T>
[[nodiscard]] conversion make_conversion(element_type from, conversion_options<T> const& options = {},
                                         instruction_set set = default_instruction_set()) {
    static_assert(ConvertibleElement<T>,
                  "slabwise: elements are converted to bool, integers of up to 64 bits, float16, "
                  "bfloat16, float, double and complex numbers of float and double only");
    auto parts = detail::parts_of(from, options, set);
    if (options.fill_replacement) std::memcpy(parts.replacement, &*options.fill_replacement, sizeof(T));
    return detail::make_conversion_to<element_type_of<T>.kind, element_type_of<T>.size>(
        parts, options.fill_replacement.has_value());
}

}  // namespace slabwise
