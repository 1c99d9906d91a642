#include "print_array.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "decimal.hpp"
#include "element.hpp"

namespace program {

namespace {

/// NumPy's print options of the same names.
constexpr std::size_t line_width = 75;
constexpr std::size_t precision = 8;
constexpr std::int64_t threshold = 1000;

/// The texts of real numbers, padded so that their points lie below each other; positive ones bear a sign if asked.
std::vector<std::string> floating_texts(std::vector<double> const& values, std::size_t size, bool always_sign) {
    double smallest = HUGE_VAL;
    double largest = 0;
    bool has_negative_infinity = false;
    for (double const value : values) {
        has_negative_infinity = has_negative_infinity || (std::isinf(value) && value < 0);
        if (!std::isfinite(value)) continue;
        if (value == 0) continue;
        smallest = std::min(smallest, std::fabs(value));
        largest = std::max(largest, std::fabs(value));
    }
    // NumPy divides in the type of the array: in single precision, and for halves rounds to steps of a half near 1000.
    double const ratio = size == sizeof(double)
                             ? largest / smallest
                             : static_cast<double>(static_cast<float>(largest) / static_cast<float>(smallest));
    bool const is_scientific =
        largest != 0 && (largest >= 1e8 || smallest < 0.0001 || ratio > (size == 2 ? 1000.25 : 1000.0));

    auto const sign = [&](double value) { return always_sign && !std::signbit(value) ? "+" : ""; };
    auto const parts = [&](double value) {  // the lengths before the point, after it, and of the exponent's digits
        std::string const text = sign(value) + (is_scientific ? scientific_text({value, size}, precision)
                                                              : positional_text({value, size}, precision));
        std::size_t const point = text.find('.');
        std::size_t const e = std::min(text.find('e'), text.size());
        return std::array{point, e - point - 1, e == text.size() ? 0 : text.size() - e - 2};
    };
    std::array<std::size_t, 3> longest{};
    for (double const value : values) {
        if (!std::isfinite(value)) continue;
        auto const lengths = parts(value);
        for (std::size_t i = 0; i < 3; ++i) longest[i] = std::max(longest[i], lengths[i]);
    }
    auto const [before, after, exponent_digits] = longest;
    std::size_t const right = is_scientific ? after + 2 + exponent_digits : after;
    std::size_t left = before;
    bool const all_finite =
        std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    if (!all_finite) {
        std::size_t const word = always_sign || has_negative_infinity ? 4 : 3;
        left = std::max(left, word > right + 1 ? word - right - 1 : 0);
    }

    std::vector<std::string> texts;
    texts.reserve(values.size());
    for (double const value : values) {
        std::string text;
        if (!std::isfinite(value)) {
            text = std::isnan(value) ? (always_sign ? "+nan" : "nan")
                                     : (value < 0     ? "-inf"
                                        : always_sign ? "+inf"
                                                      : "inf");
            std::size_t const width = left + right + 1;
            if (text.size() < width) text.insert(0, width - text.size(), ' ');
        } else {
            text = sign(value) + (is_scientific ? exact_scientific_text(value, after, exponent_digits)
                                                : positional_text({value, size}, precision));
            text.insert(0, left - text.find('.'), ' ');
            if (text.size() < left + 1 + right) text.append(left + 1 + right - text.size(), ' ');
        }
        texts.push_back(std::move(text));
    }
    return texts;
}

std::vector<std::string> complex_texts(std::vector<double> const& real, std::vector<double> const& imaginary,
                                       std::size_t size) {
    auto texts = floating_texts(real, size, false);
    auto const second = floating_texts(imaginary, size, true);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::size_t const end = second[i].find_last_not_of(' ') + 1;
        texts[i] += second[i].substr(0, end) + 'j' + second[i].substr(end);
    }
    return texts;
}

std::vector<std::string> element_texts(sw::element_type type, std::span<std::byte const> bytes) {
    std::size_t const count = bytes.size() / type.size;
    bool const is_complex = type.kind == sw::element_kind::complex_floating;
    if (type.kind == sw::element_kind::floating || is_complex) {
        std::size_t const size = is_complex ? type.size / 2 : type.size;
        std::vector<double> real(count);
        std::vector<double> imaginary(is_complex ? count : 0);
        for (std::size_t i = 0; i < count; ++i) {
            real[i] = loaded_floating(&bytes[i * type.size], size);
            if (is_complex) imaginary[i] = loaded_floating(&bytes[i * type.size + size], size);
        }
        return is_complex ? complex_texts(real, imaginary, size) : floating_texts(real, size, false);
    }
    if (type.kind == sw::element_kind::brain_floating) {
        std::vector<double> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = loaded_brain_floating(&bytes[i * type.size]);
        return floating_texts(values, sizeof(float), false);
    }
    std::vector<std::string> texts(count);
    std::size_t width = type.kind == sw::element_kind::boolean ? 5 : 0;
    for (std::size_t i = 0; i < count; ++i) {
        append_element(texts[i], type, &bytes[i * type.size], notation::numpy);
        width = std::max(width, texts[i].size());
    }
    // Texts stand as they are.
    if (!type.is_number()) return texts;
    for (auto& text : texts) text.insert(0, width - text.size(), ' ');
    return texts;
}

/// Writes the brackets of one axis and all within.
class nesting {
public:
    nesting(std::span<std::int64_t const> shape, std::vector<std::string> texts)
        : shape_(shape), texts_(std::move(texts)), summarised_(is_summarised(shape)) {}

    std::string text() { return axis_text(0, " ", line_width); }

private:
    std::string axis_text(std::size_t axis, std::string const& indent, std::size_t width) {
        return axis + 1 == shape_.size() ? row(axis, indent, width - 1) : block(axis, indent, width);
    }

    /// The last axis: elements, wrapped at `width`.
    std::string row(std::size_t axis, std::string const& indent, std::size_t width) {
        std::string done;
        std::string line = indent;
        auto const add = [&](std::string_view word) {
            if (line.size() + word.size() > width && line.size() > indent.size()) {
                done += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
                line = indent;
            }
            line += word;
        };
        std::int64_t const shown = shown_extent(axis);
        for (std::int64_t i = 0; i < shown; ++i) {
            if (is_gap(axis, i)) {
                add("...");
                line += ' ';
            }
            add(texts_[next_++]);
            if (i + 1 < shown) line += ' ';
        }
        return '[' + (done + line).substr(indent.size()) + ']';
    }

    /// Another axis: one nested text below the other, set apart by as many newlines as axes follow.
    std::string block(std::size_t axis, std::string const& indent, std::size_t width) {
        std::string const newlines(shape_.size() - axis - 1, '\n');
        std::string done;
        std::int64_t const shown = shown_extent(axis);
        for (std::int64_t i = 0; i < shown; ++i) {
            if (is_gap(axis, i)) done += indent + "..." + newlines;
            done += indent + axis_text(axis + 1, indent + ' ', width - 1);
            if (i + 1 < shown) done += newlines;
        }
        return '[' + done.substr(indent.size()) + ']';
    }

    [[nodiscard]] bool is_cut(std::size_t axis) const { return summarised_ && shape_[axis] > 2 * edge_items; }
    [[nodiscard]] bool is_gap(std::size_t axis, std::int64_t i) const { return is_cut(axis) && i == edge_items; }
    [[nodiscard]] std::int64_t shown_extent(std::size_t axis) const {
        return is_cut(axis) ? 2 * edge_items : shape_[axis];
    }

    std::span<std::int64_t const> shape_;
    std::vector<std::string> texts_;
    std::size_t next_ = 0;
    bool summarised_;
};

}  // namespace

bool is_summarised(std::span<std::int64_t const> shape) {
    std::int64_t elements = 1;
    bool exceeds = false;
    for (std::int64_t const extent : shape) {
        if (extent == 0) return false;
        exceeds = exceeds || extent > threshold || (elements *= extent) > threshold;
    }
    return exceeds;
}

std::vector<std::int64_t> shown_shape(std::span<std::int64_t const> shape) {
    std::vector<std::int64_t> shown(shape.begin(), shape.end());
    if (is_summarised(shape)) {
        for (auto& extent : shown) extent = std::min(extent, 2 * edge_items);
    }
    return shown;
}

std::string array_text(std::span<std::int64_t const> shape, sw::element_type type, std::span<std::byte const> shown) {
    if (shape.empty()) {
        std::string text;
        append_element(text, type, shown.data(), notation::numpy);
        return text;
    }
    if (shown.empty()) return "[]";
    return nesting(shape, element_texts(type, shown)).text();
}

}  // namespace program
