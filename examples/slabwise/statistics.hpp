// The least, the greatest and the mean of elements whose type is known at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <slabwise/copy/element_type.hpp>

namespace program {

namespace sw = slabwise;

/// Grows by blocks of elements. NaN is left out and counted; complex numbers have a mean alone.
class statistics {
public:
    explicit statistics(sw::element_type type) : type_(type) {}

    /// Takes elements in native byte order.
    void add(std::span<std::byte const> elements);

    /// A line each: min, max, mean, nan; those that exist.
    [[nodiscard]] std::string text() const;

private:
    template <class Value>
    void add_each(std::span<std::byte const> elements, std::size_t size, Value value_at);

    sw::element_type type_;
    // A long double holds every 64-bit integer, and sums many of them without losing the last digits of a double.
    long double least_ = 0;
    long double greatest_ = 0;
    long double sum_ = 0;
    long double imaginary_sum_ = 0;
    std::int64_t count_ = 0;
    std::int64_t not_numbers_ = 0;
};

}  // namespace program
