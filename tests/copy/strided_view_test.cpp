#include <slabwise/copy/strided_view.hpp>

#include <array>
#include <numeric>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace sw = slabwise;
using strides2 = std::array<sw::index_t, 2>;

static_assert(std::is_trivially_copyable_v<sw::strided_view<float, 3>>);
static_assert(std::is_convertible_v<sw::strided_view<float, 2>, sw::strided_view<float const, 2>>);
static_assert(!std::is_convertible_v<sw::strided_view<float const, 2>, sw::strided_view<float, 2>>);
static_assert(!std::is_convertible_v<sw::strided_view<float, 2>, sw::strided_view<float, 1>>);

constexpr std::array<int, 12> counted() {
    std::array<int, 12> values{};
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i) + 100;
    return values;
}

constexpr bool reads_and_writes_in_constant_expressions() {
    auto values = counted();
    sw::strided_view<int, 2> const view(values.data(), sw::shape{3, 4});
    view(1, 2) = -1;
    sw::strided_view<int const, 2> const constant = view;
    auto const part = constant.subview({sw::slice{2, -1, -1}, sw::slice{0, 4, 2}});
    return values[6] == -1 && part.shape() == sw::shape{3, 2} && part.byte_strides() == strides2{-16, 8} &&
           part(0, 0) == 108 && part(1, 1) == -1 && part(2, 1) == 102 && part(sw::coord_t<2>{2, 0}) == 100;
}
static_assert(reads_and_writes_in_constant_expressions());

TEST(strided_view, the_same_at_run_time) { EXPECT_TRUE(reads_and_writes_in_constant_expressions()); }

TEST(strided_view, deduces_type_and_rank) {
    std::vector<short> values(30);
    sw::strided_view const view(std::span{values}, sw::shape{5, 3, 2});
    static_assert(std::is_same_v<decltype(view), sw::strided_view<short, 3> const>);
    std::array<float, 6> const fixed{};
    sw::strided_view const constant(std::span{fixed}, sw::shape{2, 3}, strides2{12, 4});
    static_assert(std::is_same_v<decltype(constant), sw::strided_view<float const, 2> const>);
    sw::strided_view const pointed(values.data(), sw::shape{30});
    static_assert(std::is_same_v<decltype(pointed), sw::strided_view<short, 1> const>);
}

TEST(strided_view, rank_0_is_one_element) {
    double value = 1.5;
    sw::strided_view<double, 0> const view(std::span(&value, 1), {});
    EXPECT_EQ(view(), 1.5);
    EXPECT_EQ(view.subview({})(), 1.5);
    EXPECT_THROW((sw::strided_view<double, 0>(std::span<double>{}, {})), sw::selection_error);
}

TEST(strided_view, span_of_another_size_throws_both_numbers) {
    std::vector<float> values(7);
    for (auto const& shape : {sw::shape{2, 3}, sw::shape{2, 4}, sw::shape{0, 7}}) {
        try {
            sw::strided_view<float, 2>(values, shape);
            FAIL() << "no error";
        } catch (sw::selection_error const& error) {
            EXPECT_EQ(error.value(), 7);
            EXPECT_EQ(error.bound(), shape.element_count());
            std::string const text = error.what();
            EXPECT_NE(text.find("has 7 elements"), text.npos) << text;
            EXPECT_NE(text.find("shape has " + std::to_string(shape.element_count())), text.npos) << text;
        }
    }
    EXPECT_NO_THROW((sw::strided_view<float, 2>(values, {7, 1})));
    EXPECT_NO_THROW((sw::strided_view<float, 2>(std::span<float>{}, {0, 3})));
}

TEST(strided_view, strides_that_just_stay_in_the_span) {
    std::vector<int> values(20);
    std::iota(values.begin(), values.end(), 0);
    auto const fits = [&](sw::shape<2> const& shape, strides2 const& byte_strides, sw::index_t first_byte) {
        try {
            sw::strided_view<int, 2>(values, shape, byte_strides, first_byte);
            return true;
        } catch (sw::selection_error const&) {
            return false;
        }
    };
    EXPECT_TRUE(fits({4, 5}, {20, 4}, 0));
    EXPECT_FALSE(fits({4, 5}, {20, 4}, 1));
    EXPECT_FALSE(fits({4, 5}, {20, 4}, -1));
    EXPECT_FALSE(fits({4, 6}, {20, 4}, 0));
    EXPECT_TRUE(fits({4, 5}, {-20, 4}, 60));
    EXPECT_FALSE(fits({4, 5}, {-20, 4}, 59));
    EXPECT_FALSE(fits({4, 5}, {-20, 4}, 61));
    EXPECT_TRUE(fits({4, 5}, {-20, -4}, 76));
    EXPECT_TRUE(fits({1000, 20}, {0, 4}, 0));
    EXPECT_TRUE(fits({1, 20}, {sw::max_index, 4}, 0)) << "an axis of one element takes no step";
    EXPECT_TRUE(fits({0, 20}, {4, sw::max_index}, 1000)) << "no element, no byte";
    sw::strided_view<int, 2> const backwards(values, {4, 5}, {-20, 4}, 60);
    EXPECT_EQ(backwards(0, 0), 15);
    EXPECT_EQ(backwards(3, 4), 4);
}

TEST(strided_view, reach_that_overflows_throws) {
    std::vector<int> values(20);
    auto const make = [&](sw::shape<2> const& shape, strides2 const& byte_strides, sw::index_t first_byte) {
        (void)sw::strided_view<int, 2>(values, shape, byte_strides, first_byte);
    };
    sw::index_t const far = sw::max_index;
    EXPECT_THROW(make({far, 1}, {far, 4}, 0), sw::selection_error);
    EXPECT_THROW(make({2, 2}, {far, 1}, 0), sw::selection_error);
    EXPECT_THROW(make({2, 2}, {-far, -2}, 0), sw::selection_error);
    EXPECT_THROW(make({2, 1}, {far - 2, 0}, 0), sw::selection_error) << "the last element's own bytes overflow";
    EXPECT_THROW(make({2, 1}, {4, 4}, far), sw::selection_error);
    EXPECT_THROW(make({far, 2}, {-far, far}, 0), sw::selection_error);
    EXPECT_THROW(make({far, 1}, {4, 4}, -far), sw::selection_error);
}

TEST(strided_view, a_contiguous_view_too_large_throws) {
    float value = 0;
    EXPECT_THROW((sw::strided_view<float, 2>(&value, {sw::max_index, 1})), sw::selection_error);
}

TEST(strided_view, subview_of_a_subview) {
    std::vector<int> values(9 * 5 * 7);
    std::iota(values.begin(), values.end(), 0);
    sw::strided_view<int, 3> const view(values, {9, 5, 7});
    auto const once = view.subview({sw::slice{8, -1, -2}, sw::slice{1, 4}, sw::slice{0, 7, 3}});
    auto const twice = once.subview({sw::slice{1, 4}, sw::slice{2, -1, -1}, sw::slice{2, 0, -2}});
    ASSERT_EQ(twice.shape(), (sw::shape{3, 3, 1}));
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) EXPECT_EQ(twice(i, j, 0), ((6 - 2 * i) * 5 + 3 - j) * 7 + 6);
    }
}

TEST(strided_view, empty_subview_keeps_the_place) {
    std::vector<int> values(12);
    sw::strided_view<int, 2> const view(values, {3, 4});
    auto const none = view.subview({sw::slice{2, 3}, sw::slice{1, 1}});
    EXPECT_EQ(none.shape(), (sw::shape{1, 0}));
    EXPECT_EQ(none.data(), values.data());
    sw::strided_view<int, 2> const nothing(nullptr, {0, 4});
    EXPECT_EQ(nothing.subview(sw::hyperslab<2>::all({0, 4})).data(), nullptr);
}

#if !defined(NDEBUG) && GTEST_HAS_DEATH_TEST
TEST(strided_view_death, indices_outside_are_asserted) {
    std::vector<int> values(12);
    sw::strided_view<int, 2> const view(values, {3, 4});
    EXPECT_DEATH((void)view(0, 4), "index");
    EXPECT_DEATH((void)view(-1, 0), "index");
    EXPECT_DEATH((void)view.subview({sw::slice{0, 3}, sw::slice{1, 5}}), "selected");
    EXPECT_DEATH((void)view.subview({sw::slice{3, -1, -1}, sw::slice{1, 4}}), "selected");
}
#endif
