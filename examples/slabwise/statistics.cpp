#include "statistics.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "decimal.hpp"
#include "element.hpp"

namespace program {

template <class Value>
void statistics::add_each(std::span<std::byte const> elements, std::size_t size, Value value_at) {
    for (std::size_t at = 0; at < elements.size(); at += size) {
        auto const value = static_cast<long double>(value_at(&elements[at]));
        if (std::isnan(value)) {
            ++not_numbers_;
            continue;
        }
        least_ = count_ == 0 ? value : std::min(least_, value);
        greatest_ = count_ == 0 ? value : std::max(greatest_, value);
        sum_ += value;
        ++count_;
    }
}

void statistics::add(std::span<std::byte const> elements) {
    std::size_t const size = type_.size;
    bool const is_signed = type_.kind == sw::element_kind::signed_integer;
    switch (type_.kind) {
    case sw::element_kind::complex_floating:
        for (std::size_t at = 0; at < elements.size(); at += size) {
            double const real = loaded_floating(&elements[at], size / 2);
            double const imaginary = loaded_floating(&elements[at + size / 2], size / 2);
            if (std::isnan(real) || std::isnan(imaginary)) {
                ++not_numbers_;
                continue;
            }
            sum_ += static_cast<long double>(real);
            imaginary_sum_ += static_cast<long double>(imaginary);
            ++count_;
        }
        break;
    case sw::element_kind::brain_floating:
        add_each(elements, 2, loaded_brain_floating);
        break;
    case sw::element_kind::floating:
        switch (size) {
        case 2:
            add_each(elements, 2, [](auto* at) { return value_of_half(loaded<std::uint16_t>(at)); });
            break;
        case 4:
            add_each(elements, 4, loaded<float>);
            break;
        default:
            add_each(elements, 8, loaded<double>);
        }
        break;
    default:
        switch (size) {
        case 1:
            is_signed ? add_each(elements, 1, loaded<std::int8_t>) : add_each(elements, 1, loaded<std::uint8_t>);
            break;
        case 2:
            is_signed ? add_each(elements, 2, loaded<std::int16_t>) : add_each(elements, 2, loaded<std::uint16_t>);
            break;
        case 4:
            is_signed ? add_each(elements, 4, loaded<std::int32_t>) : add_each(elements, 4, loaded<std::uint32_t>);
            break;
        default:
            is_signed ? add_each(elements, 8, loaded<std::int64_t>) : add_each(elements, 8, loaded<std::uint64_t>);
        }
    }
}

std::string statistics::text() const {
    auto const shown = [&](long double value) {
        if (type_.kind == sw::element_kind::floating) return scalar_text({static_cast<double>(value), type_.size});
        if (type_.kind == sw::element_kind::brain_floating) {
            return scalar_text({static_cast<double>(value), sizeof(float)});
        }
        return value < 0 ? fmt::format("{}", static_cast<std::int64_t>(value))
                         : fmt::format("{}", static_cast<std::uint64_t>(value));
    };
    std::string text;
    if (count_ > 0) {
        floating_value const mean{static_cast<double>(sum_ / static_cast<long double>(count_))};
        if (type_.kind == sw::element_kind::complex_floating) {
            floating_value const imaginary{static_cast<double>(imaginary_sum_ / static_cast<long double>(count_))};
            text += fmt::format("mean     {}\n", scalar_text(mean, imaginary));
        } else {
            text += fmt::format("min      {}\nmax      {}\nmean     {}\n", shown(least_), shown(greatest_),
                                scalar_text(mean));
        }
    }
    if (not_numbers_ > 0) text += fmt::format("nan      {}\n", not_numbers_);
    return text;
}

}  // namespace program
