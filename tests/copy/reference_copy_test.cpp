#include <slabwise/copy/reference_copy.hpp>

#include <array>

#include <gtest/gtest.h>

namespace sw = slabwise;

// 3 x 4 values, the rows backwards and every other column, into the transpose of 2 x 3.
constexpr std::array<int, 8> gather() {
    std::array<int, 12> source{};
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<int>(i) + 1;
    std::array<int, 8> destination{-1, -1, -1, -1, -1, -1, -1, -1};
    sw::strided_view<int, 2> const from(source.data(), sw::shape{3, 4});
    sw::strided_view<int, 2> const to(destination, sw::shape{3, 2}, {4, 16}, 4);
    sw::reference_copy(from.subview({sw::slice{2, -1, -1}, sw::slice{1, 4, 2}}), to);
    return destination;
}
constexpr std::array<int, 8> gathered{-1, 10, 6, 2, -1, 12, 8, 4};
static_assert(gather() == gathered);

TEST(reference_copy, the_same_at_run_time) { EXPECT_EQ(gather(), gathered); }

constexpr int copied_scalar() {
    int source = 7;
    int destination = 0;
    sw::reference_copy(sw::strided_view<int, 0>(&source, {}), sw::strided_view<int, 0>(&destination, {}));
    return destination;
}
static_assert(copied_scalar() == 7);

constexpr int copied_nothing() {
    int destination = 3;
    sw::reference_copy(sw::strided_view<int const, 2>(nullptr, {5, 0}), sw::strided_view<int, 2>(&destination, {5, 0}));
    return destination;
}
static_assert(copied_nothing() == 3);

constexpr std::array<int, 6> broadcast() {
    std::array<int, 3> const source{7, 8, 9};
    std::array<int, 6> destination{};
    sw::reference_copy(sw::strided_view<int const, 2>(source, {2, 3}, {0, 4}),
                       sw::strided_view<int, 2>(destination, {2, 3}));
    return destination;
}
static_assert(broadcast() == std::array<int, 6>{7, 8, 9, 7, 8, 9});
