// What tests of conversions share.
#pragma once

#include <vector>

#include <gtest/gtest.h>

#include <slabwise/copy/make_conversion.hpp>

namespace copy_test {

/// The sets whose conversions differ and which this processor has.
inline std::vector<slabwise::instruction_set> sets() {
    if (!slabwise::is_supported(slabwise::instruction_set::avx2)) return {slabwise::instruction_set::vector128};
    return {slabwise::instruction_set::vector128, slabwise::instruction_set::avx2};
}

/// One element, converted in memory of its own.
template <class T, class From>
T converted(From const& value, slabwise::conversion_options<T> const& options = {}) {
    T result;
    auto const convert = slabwise::make_conversion<T>(slabwise::element_type_of<From>, options);
    EXPECT_EQ(convert(reinterpret_cast<std::byte const*>(&value), reinterpret_cast<std::byte*>(&result), 1), 1u);
    return result;
}

}  // namespace copy_test
