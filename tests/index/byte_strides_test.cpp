#include <slabwise/index/byte_strides.hpp>

#include <array>

#include <gtest/gtest.h>

namespace sw = slabwise;
using strides = std::array<sw::index_t, 3>;

static_assert(sw::c_order_byte_strides(sw::shape{5, 3, 7}, 4) == strides{84, 28, 4});
static_assert(sw::c_order_byte_strides(sw::shape{5, 3, 7}, 12) == strides{252, 84, 12});
static_assert(sw::c_order_byte_strides(sw::shape<0>{}, 8) == std::array<sw::index_t, 0>{});
static_assert(sw::c_order_byte_strides(sw::shape{2, 0, 7}, 4) == strides{});
static_assert(sw::c_order_byte_strides(sw::shape{0, sw::max_index, sw::max_index}, 8) == strides{},
              "what overflows has no elements");

TEST(c_order_byte_strides, largest_array_fits) {
    EXPECT_EQ(sw::c_order_byte_strides(sw::shape{sw::max_index, 1, 1}, 1), (strides{1, 1, 1}));
    EXPECT_EQ(sw::c_order_byte_strides(sw::shape{1, (sw::index_t{1} << 60) - 1, 1}, 8)[1], 8);
}

TEST(c_order_byte_strides, more_than_63_bits_of_bytes_throws) {
    sw::index_t const many = sw::index_t{1} << 60;
    EXPECT_THROW(sw::c_order_byte_strides(sw::shape{1, many, 1}, 8), sw::selection_error);
    EXPECT_THROW(sw::c_order_byte_strides(sw::shape{many, 1, 1}, 8), sw::selection_error);
    EXPECT_THROW(sw::c_order_byte_strides(sw::shape{many, many, many}, 1), sw::selection_error);
    EXPECT_THROW(sw::c_order_byte_strides(sw::shape{1}, ~std::size_t{0}), sw::selection_error);
}

constexpr bool hull_of_mixed_signs() {
    sw::byte_hull hull;
    return hull.add_axis(5, 8) && hull.add_axis(3, -100) && hull.add_axis(7, 0) && hull.add_axis(1, sw::max_index) &&
           hull.add_axis(2, -1) && hull.lowest == -201 && hull.highest == 32;
}
static_assert(hull_of_mixed_signs());

constexpr bool hull_overflow_is_told() {
    sw::byte_hull product, sum;
    return !product.add_axis(sw::max_index, 3) && sum.add_axis(2, sw::max_index) && !sum.add_axis(2, 1);
}
static_assert(hull_overflow_is_told());
