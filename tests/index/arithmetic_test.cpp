#include <slabwise/index/arithmetic.hpp>

#include <cstdint>

#include <gtest/gtest.h>

namespace sw = slabwise;
using sw::index_t;

constexpr index_t lowest = -sw::max_index - 1;

static_assert(sw::magnitude(0) == 0 && sw::magnitude(5) == 5 && sw::magnitude(-5) == 5);
static_assert(sw::magnitude(sw::max_index) == 0x7fff'ffff'ffff'ffffu);
static_assert(sw::magnitude(lowest) == 0x8000'0000'0000'0000u);
static_assert(sw::distance_up(-3, 4) == 7);
static_assert(sw::distance_up(lowest, sw::max_index) == UINT64_MAX);
static_assert(sw::step_from(10, 3, -4) == -2);
static_assert(sw::step_from(sw::max_index, 1, lowest) == -1);
static_assert(sw::step_from(lowest, UINT64_MAX, 1) == sw::max_index);
static_assert(sw::ceil_divide(UINT64_MAX, std::uint64_t{1} << 63) == 2, "a + b - 1 would overflow");
static_assert(sw::ceil_divide(sw::max_index, sw::max_index) == 1);
static_assert(sw::floor_divide(lowest, 1) == lowest);
static_assert(sw::floor_divide(lowest, sw::max_index) == -2);

// The quotients are the ones that their definitions name, found by counting.
constexpr bool divisions_are_right(index_t range) {
    for (index_t b = 1; b <= range; ++b) {
        for (index_t a = -range; a <= range; ++a) {
            index_t below = -range - 1;
            while ((below + 1) * b <= a) ++below;
            if (sw::floor_divide(a, b) != below) return false;
            index_t const above = below * b == a ? below : below + 1;
            if (a >= 0 && sw::ceil_divide(a, b) != above) return false;
        }
    }
    return true;
}
static_assert(divisions_are_right(8));

TEST(arithmetic, divisions) { EXPECT_TRUE(divisions_are_right(60)); }

// Dealing out one at a time, in turn, gives the sizes of the shares.
constexpr bool shares_are_right(index_t highest_total, index_t highest_n) {
    for (index_t n = 1; n <= highest_n; ++n) {
        for (index_t total = 0; total <= highest_total; ++total) {
            index_t begin = 0;
            for (index_t share = 0; share < n; ++share) {
                if (sw::share_begin(total, n, share) != begin) return false;
                for (index_t dealt = share; dealt < total; dealt += n) ++begin;
            }
            if (begin != total || sw::share_begin(total, n, n) != total) return false;
        }
    }
    return true;
}
static_assert(shares_are_right(12, 9));

TEST(arithmetic, shares) { EXPECT_TRUE(shares_are_right(70, 40)); }

static_assert(sw::share_begin(sw::max_index, 2, 1) == 0x4000'0000'0000'0000, "the larger share is the first");
static_assert(sw::share_begin(sw::max_index, sw::max_index, sw::max_index - 1) == sw::max_index - 1);
static_assert(sw::share_begin(3, sw::max_index, sw::max_index) == 3);

constexpr bool product_fits(index_t a, index_t b, index_t expected) {
    index_t product = a;
    return sw::multiply_into(product, b) && product == expected;
}
constexpr bool product_overflows(index_t a, index_t b) {
    index_t product = a;
    return !sw::multiply_into(product, b);
}
static_assert(product_fits(3037000499, 3037000499, 9223372030926249001));
static_assert(product_overflows(3037000500, 3037000500));
static_assert(product_fits(lowest, 1, lowest) && product_overflows(lowest, -1));

constexpr bool sum_fits(index_t a, index_t b) {
    index_t sum = a;
    return sw::add_into(sum, b);
}
static_assert(sum_fits(sw::max_index, lowest) && sum_fits(sw::max_index - 1, 1));
static_assert(!sum_fits(sw::max_index, 1) && !sum_fits(lowest, -1));
