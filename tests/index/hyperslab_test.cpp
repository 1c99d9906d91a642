#include <slabwise/index/hyperslab.hpp>

#include <array>
#include <type_traits>

#include <gtest/gtest.h>

namespace sw = slabwise;
using sw::slice;

static_assert(std::is_same_v<decltype(sw::hyperslab{slice{0, 1}, slice{2, 3}}), sw::hyperslab<2>>);
static_assert(std::is_same_v<decltype(sw::hyperslab{std::array<slice, 4>{}}), sw::hyperslab<4>>);
static_assert(!std::is_constructible_v<sw::hyperslab<2>, slice>, "one slice an axis");
static_assert(!std::is_constructible_v<sw::hyperslab<2>, slice, int>);

constexpr sw::hyperslab<3> slab{slice{0, 10, 4}, slice{7, 8}, slice{5, -1, -1}};
static_assert(slab.rank == 3 && slab.size() == 3 && slab.end() - slab.begin() == 3 && *slab.begin() == slab[0]);
static_assert(slab[0] == slice{0, 9, 4} && slab[1].first() == 7 && slab.slices()[2] == slab[2]);
static_assert(slab.shape() == sw::shape{3, 1, 6} && slab.element_count() == 18);
static_assert(slab == sw::hyperslab<3>(std::array<slice, 3>{slice{0, 12, 4}, slice{7, 8}, slice{5, -1, -1}}));
static_assert(slab != sw::hyperslab{slice{0, 10, 4}, slice{7, 8}, slice{0, 6}}, "equal elements, another order");

static_assert(sw::hyperslab<2>::all({4, 0}) == sw::hyperslab{slice{0, 4}, slice{}});
static_assert(sw::hyperslab<2>{}.element_count() == 0, "nothing unless said");
static_assert(sw::hyperslab<0>{}.element_count() == 1 && sw::hyperslab<0>{}.shape() == sw::shape<0>{}, "a scalar");
static_assert(sw::hyperslab<0>::all({}) == sw::hyperslab<0>{});

static_assert(sw::hyperslab<3>::generate([](std::size_t axis) {
                  auto const first = static_cast<sw::index_t>(axis);
                  return slice{first, first + 2};
              }) == sw::hyperslab{slice{0, 2}, slice{1, 3}, slice{2, 4}});

TEST(hyperslab, more_than_63_bits_of_elements_throws) {
    sw::hyperslab const large{slice{0, sw::max_index}, slice{5, 3, -1}};
    EXPECT_EQ(large.shape(), (sw::shape{sw::max_index, 2}));
    EXPECT_THROW((void)large.element_count(), sw::selection_error);
    EXPECT_EQ((sw::hyperslab{slice{0, sw::max_index}, slice{5, 3, -1}, slice{}}).element_count(), 0);
}
