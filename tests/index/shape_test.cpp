#include <slabwise/index/shape.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;

static_assert(std::is_same_v<decltype(sw::shape{4, 3u, std::size_t{2}}), sw::shape<3>>);
static_assert(std::is_same_v<decltype(sw::shape{std::array<std::uint16_t, 2>{}}), sw::shape<2>>);
static_assert(!std::is_constructible_v<sw::shape<2>, int>, "one extent an axis");
static_assert(!std::is_constructible_v<sw::shape<2>, double, double>);
static_assert(!std::is_same_v<sw::shape<2>, std::array<index_t, 2>>);

constexpr sw::shape<3> box{4, 3u, std::size_t{2}};
static_assert(box[0] == 4 && box[1] == 3 && box[2] == 2);
static_assert(box.size() == 3 && box.rank == 3 && box.end() - box.begin() == 3 && *box.begin() == 4);
static_assert(box.extents() == std::array<index_t, 3>{4, 3, 2});
static_assert(box.element_count() == 24);
static_assert(box == sw::shape<3>(std::array<std::uint8_t, 3>{4, 3, 2}) && box != sw::shape{2, 3, 4});
static_assert(sw::shape<3>{} == sw::shape{0, 0, 0});

static_assert(sw::shape<0>{}.element_count() == 1, "a scalar has one element");
static_assert(sw::shape<0>{} == sw::shape<0>{std::array<index_t, 0>{}} && sw::shape<0>{}.size() == 0);

static_assert(sw::shape{sw::max_index}.element_count() == sw::max_index);
static_assert(sw::shape{std::uint64_t{0x7fff'ffff'ffff'ffff}}[0] == sw::max_index);
static_assert(sw::shape{3037000499, 3037000499}.element_count() == 9223372030926249001);
static_assert(sw::shape{sw::max_index, sw::max_index, 0}.element_count() == 0, "an extent 0 outweighs any overflow");
static_assert(sw::shape{0, sw::max_index, sw::max_index}.element_count() == 0);

TEST(shape, walks_its_extents) {
    EXPECT_EQ(std::vector<index_t>(box.begin(), box.end()), (std::vector<index_t>{4, 3, 2}));
}

TEST(shape, refuses_negative_extents) {
    std::array<std::int8_t, 3> const signed_extents{1, 2, -1};
    expect_selection_error([] { return sw::shape(5, -3); }, 1, -3, 0, "shape: axis 1 has extent -3, below 0");
    expect_selection_error([] { return sw::shape(INT64_MIN); }, 0, INT64_MIN, 0,
                           "shape: axis 0 has extent -9223372036854775808, below 0");
    expect_selection_error([=] { return sw::shape(signed_extents); }, 2, -1, 0, "shape: axis 2 has extent -1, below 0");
}

TEST(shape, refuses_unsigned_extents_above_63_bits) {
    std::uint64_t const large = std::uint64_t{1} << 63;
    std::array<std::uint64_t, 1> const unsigned_extents{UINT64_MAX};
    expect_selection_error([=] { return sw::shape(1, large); }, 1, sw::max_index, sw::max_index,
                           "shape: axis 1 has extent 9223372036854775808, above 2^63 - 1");
    expect_selection_error([=] { return sw::shape(unsigned_extents); }, 0, sw::max_index, sw::max_index,
                           "shape: axis 0 has extent 18446744073709551615, above 2^63 - 1");
}

TEST(shape, more_than_63_bits_of_elements_throws) {
    expect_selection_error([] { return sw::shape(3037000500, 3037000500).element_count(); }, no_axis, sw::max_index,
                           sw::max_index, "shape: the number of elements exceeds 2^63 - 1");
    EXPECT_THROW((void)sw::shape(2, sw::max_index, 1).element_count(), sw::selection_error);
    EXPECT_THROW((void)sw::shape(sw::max_index, sw::max_index, sw::max_index).element_count(), sw::selection_error);
}
