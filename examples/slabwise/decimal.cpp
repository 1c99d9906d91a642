#include "decimal.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace program {

namespace {

template <class... Format>
std::string written(double value, Format... format) {
    char text[512];  // holds 1.8e308 with all its digits before the point and some after
    auto const end = std::to_chars(text, text + sizeof text, value, format...).ptr;
    return {text, end};
}

std::string shortest_of_half(double value) {
    double const size = std::fabs(value);
    if (size == 0) return written(value, std::chars_format::scientific);
    // Half the distance to the next number above and below; that below a power of two is nearer. A decimal just between
    // two numbers stands for the one with the even significand.
    int exponent = 0;
    bool const is_power_of_two = std::frexp(size, &exponent) == 0.5;
    double const above = std::ldexp(1.0, (exponent < -13 ? -13 : exponent) - 12);
    double const below = is_power_of_two && exponent > -13 ? above / 2 : above;
    bool const is_even = std::fmod(size / above, 4) == 0;
    for (int precision = 0;; ++precision) {
        // Of two decimals equally far from a power of two, the upper one may stand for it where the lower one does not.
        for (double const nearby : {value, value * (1 + 1e-12)}) {
            std::string text = written(nearby, std::chars_format::scientific, precision);
            double const error = std::fabs(std::strtod(text.c_str(), nullptr)) - size;
            if ((error > -below && error < above) || (is_even && (error == -below || error == above))) return text;
        }
    }
}

/// A number as its digits d.ddd and the exponent of ten that they are to be multiplied by.
struct decimal {
    bool negative;
    std::string digits;
    int exponent;
};

decimal shortest(floating_value number) {
    std::string text;
    if (number.size == 2) {
        text = shortest_of_half(number.value);
    } else if (number.size == 4) {
        char buffer[64];
        text = {buffer, std::to_chars(buffer, buffer + sizeof buffer, static_cast<float>(number.value),
                                      std::chars_format::scientific)
                            .ptr};
    } else {
        text = written(number.value, std::chars_format::scientific);
    }
    auto const e = text.find('e');
    decimal result{text[0] == '-', {}, std::atoi(text.c_str() + e + 1)};
    for (char const character : std::string_view(text).substr(0, e)) {
        if (character >= '0' && character <= '9') result.digits += character;
    }
    return result;
}

void trim_zeros(std::string& text) {
    while (text.back() == '0') text.pop_back();
}

std::string exponent_text(int exponent, std::size_t digits) {
    std::string text = std::to_string(std::abs(exponent));
    if (text.size() < digits) text.insert(0, digits - text.size(), '0');
    return (exponent < 0 ? "e-" : "e+") + text;
}

std::string positional(decimal const& number) {
    auto const length = static_cast<int>(number.digits.size());
    std::string text = number.negative ? "-" : "";
    if (number.exponent < 0) {
        return text + "0." + std::string(static_cast<std::size_t>(-number.exponent - 1), '0') + number.digits;
    }
    if (number.exponent + 1 >= length) {
        return text + number.digits + std::string(static_cast<std::size_t>(number.exponent + 1 - length), '0') + '.';
    }
    auto const before_point = static_cast<std::size_t>(number.exponent + 1);
    return text + number.digits.substr(0, before_point) + '.' + number.digits.substr(before_point);
}

/// The scalar without a point that nothing follows.
std::string bare_scalar_text(floating_value number) {
    if (std::isnan(number.value)) return "nan";
    if (std::isinf(number.value)) return number.value < 0 ? "-inf" : "inf";
    double const size = std::fabs(number.value);
    std::string text =
        size == 0 || (size >= 1e-4 && size < 1e16) ? positional(shortest(number)) : scientific_text(number, 17);
    if (text.back() == '.') text.pop_back();
    if (auto const point = text.find(".e"); point != text.npos) text.erase(point, 1);
    return text;
}

}  // namespace

double value_of_half(std::uint16_t bits) {
    int const exponent = bits >> 10 & 0x1f;
    int const fraction = bits & 0x3ff;
    double size = 0;
    if (exponent == 0x1f) {
        size = fraction == 0 ? HUGE_VAL : std::nan("");
    } else if (exponent == 0) {
        size = std::ldexp(fraction, -24);
    } else {
        size = std::ldexp(fraction + 0x400, exponent - 25);
    }
    return bits >> 15 ? -size : size;
}

std::string positional_text(floating_value number, std::size_t precision) {
    decimal const digits = shortest(number);
    if (static_cast<int>(digits.digits.size()) <= digits.exponent + 1) {
        return written(number.value, std::chars_format::fixed, 0) + '.';
    }
    std::string text = positional(digits);
    if (text.size() - text.find('.') - 1 > precision) {
        text = written(number.value, std::chars_format::fixed, static_cast<int>(precision));
    }
    trim_zeros(text);
    return text;
}

std::string scientific_text(floating_value number, std::size_t precision) {
    decimal const digits = shortest(number);
    std::string text;
    if (digits.digits.size() - 1 > precision) {
        text = exact_scientific_text(number.value, precision, 2);
    } else {
        text = (digits.negative ? "-" : "") + digits.digits.substr(0, 1) + '.' + digits.digits.substr(1) +
               exponent_text(digits.exponent, 2);
    }
    auto const e = text.find('e');
    std::string mantissa = text.substr(0, e);
    trim_zeros(mantissa);
    return mantissa + text.substr(e);
}

std::string exact_scientific_text(double value, std::size_t precision, std::size_t exponent_digits) {
    std::string const text = written(value, std::chars_format::scientific, static_cast<int>(precision));
    auto const e = text.find('e');
    return text.substr(0, e) + (precision == 0 ? "." : "") +
           exponent_text(std::atoi(text.c_str() + e + 1), exponent_digits);
}

std::string scalar_text(floating_value number) {
    std::string text = bare_scalar_text(number);
    return text.find_first_not_of("-0123456789") == text.npos ? text + ".0" : text;
}

std::string scalar_text(floating_value real, floating_value imaginary) {
    std::string const second = bare_scalar_text(imaginary) + 'j';
    if (real.value == 0 && !std::signbit(real.value)) return second;
    return '(' + bare_scalar_text(real) + (second[0] == '-' ? "" : "+") + second + ')';
}

}  // namespace program
