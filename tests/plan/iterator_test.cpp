#include <slabwise/plan/plan.hpp>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <slabwise/plan/list_axis.hpp>

namespace sw = slabwise;
using sw::index_t;
using sw::slice;

using iterator = sw::plan<3>::iterator;
static_assert(std::random_access_iterator<iterator>);
static_assert(std::sized_sentinel_for<iterator, iterator>);
static_assert(std::is_default_constructible_v<iterator> && std::is_trivially_copyable_v<iterator>);
static_assert(std::is_same_v<std::iter_reference_t<iterator>, sw::plan<3>::value_type>,
              "no reference into the iterator");
static_assert(std::is_same_v<std::iterator_traits<iterator>::difference_type, index_t>);
static_assert(std::random_access_iterator<sw::plan<0>::iterator>);

constexpr sw::chunk_grid<3> cube{{9, 8, 7}, {4, 3, 2}};
constexpr auto rising = sw::make_plan(cube, slice{0, 9, 2}, slice{1, 8}, slice{0, 7});
using mixed_plan = decltype(sw::make_plan(cube, slice{}, 1, sw::index_list{0}));
static_assert(std::random_access_iterator<mixed_plan::iterator> &&
              std::sized_sentinel_for<mixed_plan::iterator, mixed_plan::iterator>);

// Every move from every place to every other, against the index.
template <class Plan>
constexpr char const* moves_fault(Plan const& whole) {
    auto const first = whole.begin();
    auto const last = whole.end();
    if (last - first != whole.size()) return "end - begin";
    auto stepped = first;
    for (index_t k = 0; k <= whole.size(); ++k) {
        auto const at = first + k;
        if (at != stepped || at - first != k || k + first != at || last - (whole.size() - k) != at) return "a place";
        if (k < whole.size() && (*at != whole[k] || *stepped != whole[k] || first[k] != whole[k]))
            return "a projection";
        for (index_t j = 0; j <= whole.size(); ++j) {
            auto other = at;
            other += j - k;
            auto same = at;
            same -= k - j;
            if (other != first + j || same != other) return "+= or -=";
            if ((at < other) != (k < j) || (at <= other) != (k <= j) || (at > other) != (k > j) ||
                (at >= other) != (k >= j) || (at == other) != (k == j) || other - at != j - k) {
                return "a comparison";
            }
            if (j < whole.size() && (*other != whole[j] || at[j - k] != whole[j])) return "a projection after a jump";
            if (j + 1 < whole.size() && *++other != whole[j + 1]) return "++ after a jump";
        }
        if (k > 0) {
            auto back = at;
            if (back-- != at || back != first + (k - 1) || *back != whole[k - 1]) return "it--";
            auto again = at;
            if (*--again != whole[k - 1]) return "--it";
        }
        if (k < whole.size()) {
            auto const before = stepped++;
            if (before != at) return "it++";
        }
    }
    return nullptr;
}
static_assert(moves_fault(sw::make_plan(sw::chunk_grid<2>{{5, 4}, {2, 3}}, slice{4, -1, -1}, slice{0, 4})) == nullptr);
static_assert(moves_fault(sw::make_plan(sw::chunk_grid<2>{{5, 4}, {2, 3}}, slice{}, slice{0, 4})) == nullptr);

TEST(iterator, moves_like_an_index) {
    EXPECT_STREQ(moves_fault(rising), nullptr);
    EXPECT_STREQ(moves_fault(sw::make_plan(cube, slice{8, -1, -3}, slice{7, -1, -5}, slice{0, 7, 6})), nullptr);
    EXPECT_STREQ(moves_fault(sw::make_plan(cube, slice{0, 9, 2}, 3, slice{6, -1, -1})), nullptr);
    EXPECT_STREQ(moves_fault(sw::make_plan(cube, sw::index_list{8, 0, 4, 4}, 3, slice{6, -1, -1})), nullptr);
    EXPECT_STREQ(moves_fault(sw::make_plan(sw::chunk_grid<0>{}, sw::hyperslab<0>{})), nullptr);
}

// The coords of rising slices are sorted, so that a search by coord finds what find() finds.
TEST(iterator, serves_the_algorithms_of_the_standard_library) {
    auto const coord_of = [](auto const& p) { return p.coord(); };
    for (index_t k = 0; k < rising.size(); ++k) {
        auto const at = std::ranges::lower_bound(rising, rising[k].coord(), {}, coord_of);
        EXPECT_EQ(at - rising.begin(), k);
        auto const same = std::lower_bound(rising.begin(), rising.end(), rising[k].coord(),
                                           [](auto const& p, auto const& coord) { return p.coord() < coord; });
        EXPECT_EQ(same - rising.begin(), k);
    }
    auto const part = rising.part(1, 3);
    std::vector const copied(part.begin(), part.end());
    EXPECT_TRUE(std::ranges::equal(copied, part));
    EXPECT_EQ(std::distance(rising.begin(), rising.end()), rising.size());
    auto const last = std::ranges::max_element(rising, {}, coord_of);
    EXPECT_EQ((*last).coord(), (sw::coord_t<3>{2, 2, 3}));
    std::reverse_iterator const back(rising.end());
    EXPECT_EQ(*back, rising[rising.size() - 1]);
}
