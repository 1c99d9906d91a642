#include <slabwise/plan/plan.hpp>
#include <slabwise/plan/print.hpp>

#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace sw = slabwise;
using sw::slice;

template <class Value>
std::string printed(Value const& value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

TEST(print, reads_as_it_is_written) {
    EXPECT_EQ(printed(slice{0, 4}), "0:4");
    EXPECT_EQ(printed(slice{9, -1, -4}), "9:0:-4") << "the stop that the slice gives: last - 1";
    EXPECT_EQ(printed(slice{}), "0:0");
    EXPECT_EQ(printed(sw::shape{4, 3, 2}), "(4, 3, 2)");
    EXPECT_EQ(printed(sw::shape<0>{}), "()");
    EXPECT_EQ(printed(sw::hyperslab{slice{0, 4}, slice{9, -1, -3}}), "[0:4, 9:-1:-3]");
    auto const plan = sw::make_plan(sw::chunk_grid<2>{{8, 20}, {4, 10}}, slice{0, 8}, slice{19, -1, -3});
    EXPECT_EQ(printed(plan[2]), "chunk (1, 1): [0:4, 9:-1:-3] -> [4:8, 0:4]");
    EXPECT_EQ(printed(sw::make_plan(sw::chunk_grid<2>{{8, 20}, {4, 10}}, 5, slice{3, 6})[0]),
              "chunk (1, 0): [1:2, 3:6] -> [0:3]");
}
