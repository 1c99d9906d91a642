// What the elements of an array are, known at run time.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include <slabwise/error.hpp>

namespace slabwise {

/// What an element is. A floating one has the format of IEEE 754 for its size; a brain_floating one of 2 bytes is the
/// upper half of a float; a fixed_bytes one is text of one byte a character, a fixed_utf32 one of 4, both with zeros
/// behind shorter texts. Texts and opaque elements are copied and never converted.
enum class element_kind : unsigned char {
    boolean,
    signed_integer,
    unsigned_integer,
    floating,
    brain_floating,
    complex_floating,
    opaque,
    fixed_bytes,
    fixed_utf32,
};

/// An element's kind and size. **Units** size is in bytes and counts the whole element.
struct element_type {
    element_kind kind = element_kind::opaque;
    std::size_t size = 1;

    friend constexpr bool operator==(element_type const&, element_type const&) noexcept = default;

    /// True for a number, which may be converted; bool is one.
    [[nodiscard]] constexpr bool is_number() const noexcept { return kind < element_kind::opaque; }
    /// The size of the words that a change of byte order turns around: a half of a complex element, a character of text,
    /// otherwise the element; 1 (nothing to turn) for opaque ones.
    [[nodiscard]] constexpr std::size_t swap_size() const noexcept {
        if (kind == element_kind::opaque || kind == element_kind::fixed_bytes) return 1;
        if (kind == element_kind::fixed_utf32) return 4;
        return kind == element_kind::complex_floating ? size / 2 : size;
    }
};

/// A type's usual name, such as float32, bfloat16, complex128 (the number of bits), or opaque12, bytes5, utf32x5 (the
/// number of bytes, or of characters).
inline error_text name_of(element_type type) noexcept {
    constexpr char const* names[] = {"bool", "int", "uint", "float", "bfloat", "complex", "opaque", "bytes", "utf32x"};
    error_text name(names[static_cast<std::size_t>(type.kind)]);
    if (type.kind == element_kind::boolean) return name;
    if (type.kind == element_kind::fixed_utf32) return name.append(std::uint64_t{type.size / 4});
    return name.append(std::uint64_t{type.is_number() ? 8 * type.size : type.size});
}

/// The element_type of a C++ type. Undefined for types that have none.
template <class T>
struct element_type_traits;

template <>
struct element_type_traits<bool> {
    static constexpr element_type value{element_kind::boolean, sizeof(bool)};
};
template <>
struct element_type_traits<std::byte> {
    static constexpr element_type value{element_kind::opaque, 1};
};
template <std::signed_integral T>
struct element_type_traits<T> {
    static constexpr element_type value{element_kind::signed_integer, sizeof(T)};
};
template <std::unsigned_integral T>
struct element_type_traits<T> {
    static constexpr element_type value{element_kind::unsigned_integer, sizeof(T)};
};
template <std::floating_point T>
struct element_type_traits<T> {
    static constexpr element_type value{element_kind::floating, sizeof(T)};
};
// std::complex by its form, since <complex> is one of the costliest headers to include.
template <class T>
    requires std::floating_point<typename T::value_type> && (sizeof(T) == 2 * sizeof(typename T::value_type)) &&
             requires(T const& value) {
                 { value.real() } -> std::same_as<typename T::value_type>;
                 { value.imag() } -> std::same_as<typename T::value_type>;
             }
struct element_type_traits<T> {
    static constexpr element_type value{element_kind::complex_floating, sizeof(T)};
};

/// The element_type of T.
template <class T>
    requires requires { element_type_traits<std::remove_cv_t<T>>::value; }
inline constexpr element_type element_type_of = element_type_traits<std::remove_cv_t<T>>::value;

}  // namespace slabwise
