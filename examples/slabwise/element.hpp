// Elements whose type is known at run time: their names, and one of them as text.
#pragma once

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

#include <slabwise/copy/element_type.hpp>
#include <slabwise/copy/float16.hpp>

namespace program {

namespace sw = slabwise;

/// The type that a NumPy code such as f4, i8, u2, b1 or c16 names. **Throws** usage_failure for another one.
sw::element_type type_of_code(std::string_view code);

/// The NumPy code of a type: f4, b1.
std::string code_of(sw::element_type type);

/// The name that CDL, or C++, has for a type: float, ushort, complex128.
std::string cdl_name(sw::element_type type);

/// How an element is written.
enum class notation { numpy, json };

/// Appends the element in native byte order at `bytes`. In JSON a complex number is a list of two, and NaN and the
/// infinities are the strings "NaN", "Infinity" and "-Infinity".
void append_element(std::string& text, sw::element_type type, std::byte const* bytes, notation form);

/// The T at `bytes`, aligned or not.
template <class T>
T loaded(std::byte const* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// The real number of `size` bytes, 2, 4 or 8, at `bytes`.
double loaded_floating(std::byte const* bytes, std::size_t size);

/// The bfloat16 at `bytes`.
double loaded_brain_floating(std::byte const* bytes);

}  // namespace program
