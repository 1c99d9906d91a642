// What a selection_error carries and says.
#pragma once

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include <slabwise/error.hpp>
#include <slabwise/index/arithmetic.hpp>

namespace slabwise_test {

inline constexpr std::size_t no_axis = slabwise::selection_error::no_axis;

/// Expects that `call` throws a selection_error with this axis, value and bound, whose text is `text`.
template <class Call>
void expect_selection_error(Call call, std::size_t axis, slabwise::index_t value, slabwise::index_t bound,
                            std::string const& text) {
    try {
        (void)call();
        ADD_FAILURE() << "nothing thrown; expected: " << text;
    } catch (slabwise::selection_error const& error) {
        EXPECT_EQ(error.axis(), axis) << text;
        EXPECT_EQ(error.value(), value) << text;
        EXPECT_EQ(error.bound(), bound) << text;
        EXPECT_EQ(error.what(), text);
    }
}

}  // namespace slabwise_test
