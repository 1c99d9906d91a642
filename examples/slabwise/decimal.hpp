// Binary floating point numbers as decimal text, digit for digit as NumPy writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace program {

/// The value of an IEEE 754 half.
double value_of_half(std::uint16_t bits);

/// A number is given as a double together with the size in bytes, 2, 4 or 8, of the type that it comes from: its
/// shortest decimal is the one that no other number *of that type* is nearer to.
struct floating_value {
    double value = 0;
    std::size_t size = sizeof(double);
};

/// The shortest decimal as 12.5 or 3. with at most `precision` digits after the point and all those before it exact.
/// **Expects** a finite value, precision > 0.
std::string positional_text(floating_value number, std::size_t precision);

/// The shortest decimal as 1.25e+01 or 3.e+00 with at most `precision` digits after the point. **Expects** a finite
/// value.
std::string scientific_text(floating_value number, std::size_t precision);

/// Exactly `precision` digits after the point and at least `exponent_digits` in the exponent. **Expects** a finite
/// value.
std::string exact_scientific_text(double value, std::size_t precision, std::size_t exponent_digits);

/// What NumPy's str() says of a scalar: 0.1, 1.0, 1e+16, nan, -inf.
std::string scalar_text(floating_value number);

/// What NumPy's str() says of a complex scalar: (1+2j), 2j, (1.5-infj).
std::string scalar_text(floating_value real, floating_value imaginary);

}  // namespace program
