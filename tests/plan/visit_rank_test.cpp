#include <slabwise/plan/visit_rank.hpp>

#include <cstddef>
#include <type_traits>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;

constexpr auto rank_of = [](auto rank) { return rank(); };

constexpr bool visits_every_rank() {
    for (std::size_t rank = 0; rank <= sw::default_max_rank; ++rank) {
        if (sw::visit_rank(rank, rank_of) != rank) return false;
    }
    return sw::visit_rank<2>(2, rank_of) == 2 && sw::visit_rank<12>(12, rank_of) == 12 &&
           sw::visit_rank<0>(0, rank_of) == 0;
}
static_assert(visits_every_rank());

TEST(visit_rank, visits_every_rank) { EXPECT_TRUE(visits_every_rank()); }

struct counting_visitor {
    int calls = 0;
    counting_visitor() = default;
    counting_visitor(counting_visitor const&) = delete;
    template <std::size_t Rank>
    int& operator()(std::integral_constant<std::size_t, Rank>) {
        return calls += static_cast<int>(Rank);
    }
};

TEST(visit_rank, the_result_may_be_a_reference_and_the_visitor_is_not_copied) {
    counting_visitor visitor;
    sw::visit_rank(3, visitor) += 100;
    sw::visit_rank(8, visitor);
    EXPECT_EQ(visitor.calls, 111);
}

TEST(visit_rank, a_rank_above_the_highest_is_an_error_that_names_both) {
    slabwise_test::expect_selection_error([] { return sw::visit_rank(9, rank_of); }, slabwise_test::no_axis, 9, 8,
                                          "rank 9 is above the highest supported one, 8");
    slabwise_test::expect_selection_error([] { return sw::visit_rank<2>(3, rank_of); }, slabwise_test::no_axis, 3, 2,
                                          "rank 3 is above the highest supported one, 2");
}
