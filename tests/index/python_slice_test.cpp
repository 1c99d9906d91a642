// slice::python against Python itself: python_slices.py prints what slice(first, stop, step).indices(extent) lists.
#include <slabwise/index/slice.hpp>

#include <optional>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "python_lines.hpp"

namespace sw = slabwise;
using bound = std::optional<sw::index_t>;

bound read_bound(std::istream& in) {
    std::string word;
    in >> word;
    return word == "None" ? bound() : bound(std::stoll(word));
}

TEST(slice, python_is_what_python_does) {
    int compared = 0;
    slabwise_test::for_each_line_of("index/python_slices.py", [&](std::string const& line) {
        std::istringstream in(line);
        auto const first = read_bound(in), stop = read_bound(in), step = read_bound(in);
        sw::index_t extent, begin, count, stride;
        in >> extent >> begin >> count >> stride;
        ASSERT_TRUE(in) << line;
        auto const s = sw::slice::python(first, stop, step, extent);
        ASSERT_EQ(s.count(), count) << line;
        ASSERT_EQ(s, sw::slice::counted(begin, count, stride)) << line;
        ++compared;
    });
    EXPECT_GT(compared, 20'000);
}

static_assert(sw::slice::python({}, {}, {}, 7) == sw::slice{0, 7});
static_assert(sw::slice::python({}, {}, -1, 7) == sw::slice{6, -1, -1});
static_assert(sw::slice::python(-3, -1, {}, 7) == sw::slice{4, 6});
static_assert(sw::slice::python({}, -100, -2, 7) == sw::slice{6, -1, -2});
static_assert(sw::slice::python(5, 100, 3, 7) == sw::slice{5, 6});
static_assert(sw::slice::python({}, {}, {}, 0) == sw::slice{});
static_assert(sw::slice::python(INT64_MIN, INT64_MAX, INT64_MAX, 7) == sw::slice{0, 1});
static_assert(sw::slice::python(INT64_MAX, INT64_MIN, INT64_MIN, 7) == sw::slice{6, 7});
