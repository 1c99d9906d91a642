#include <slabwise/index/slice.hpp>

#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;
using sw::slice;

constexpr index_t lowest = INT64_MIN;
constexpr index_t highest = INT64_MAX;

// One slice of each kind against the loop that its definition reads as. The text of the fault, or a null pointer.
constexpr char const* slice_fault(index_t first, index_t stop, index_t stride) {
    slice const s{first, stop, stride};
    index_t count = 0;
    for (index_t x = first; stride > 0 ? x < stop : x > stop; x += stride) {
        if (count >= s.count()) return "count is too small";
        if (s[count] != x) return "operator[]";
        ++count;
    }
    if (s.count() != count) return "count is too large";
    if (s.empty() != (count == 0)) return "empty()";
    if (count == 0 && (s.first() != 0 || s.stride() != 1 || s.stop() != 0)) return "S1: an empty slice is 0:0:1";
    if (count == 1 && s.stride() != 1) return "S1: a single index has stride 1";
    if (count > 1 && s.stride() != stride) return "stride";
    if (count > 0) {
        if (s.first() != first || s.last() != s[count - 1]) return "first or last";
        if (s.stop() != s.last() + (s.stride() > 0 ? 1 : -1)) return "stop";
        if (slice(s.first(), s.stop(), s.stride()) != s) return "first:stop:stride is the slice again";
        if (slice::unchecked(first, count, stride) != s) return "unchecked";
    }
    if (slice::counted(first, count, stride) != s) return "counted";
    for (index_t other = stop - 3; other <= stop + 3; ++other) {
        index_t same = 0;
        for (index_t x = first; stride > 0 ? x < other : x > other; x += stride) ++same;
        if ((slice(first, other, stride) == s) != (same == count)) return "S1: equal exactly when the lists are";
    }
    return nullptr;
}
constexpr bool slices_are_right(index_t range, index_t largest_stride) {
    for (index_t first = -range; first <= range; ++first) {
        for (index_t stop = -range; stop <= range; ++stop) {
            for (index_t stride = -largest_stride; stride <= largest_stride; ++stride) {
                if (stride != 0 && slice_fault(first, stop, stride) != nullptr) return false;
            }
        }
    }
    return true;
}
static_assert(slices_are_right(4, 3));

TEST(slice, is_the_loop_of_its_definition) {
    for (index_t first = -10; first <= 10; ++first) {
        for (index_t stop = -10; stop <= 10; ++stop) {
            for (index_t stride = -12; stride <= 12; ++stride) {
                if (stride == 0) continue;
                ASSERT_STREQ(slice_fault(first, stop, stride), nullptr) << first << ':' << stop << ':' << stride;
            }
        }
    }
}

// Python's range(first, stop, stride) near the ends of 64 bits: count, last.
static_assert(slice{0, highest}.count() == highest && slice{0, highest}.stop() == highest);
static_assert(slice{-1, highest - 1}.count() == highest);
static_assert(slice{lowest, highest, 4}.count() == 4611686018427387904 &&
              slice{lowest, highest, 4}.last() == highest - 3);
static_assert(slice{lowest, highest, 3}.last() == 9223372036854775804 &&
              slice{lowest, highest, 3}.stop() == highest - 2);
static_assert(slice{highest, lowest, -3}.count() == 6148914691236517205 &&
              slice{highest, lowest, -3}.last() == lowest + 3);
static_assert(slice{highest, lowest, lowest}.count() == 2 && slice{highest, lowest, lowest}.last() == -1);
static_assert(slice{highest - 1, -1, lowest} == slice{highest - 1, highest - 2, -1}, "one index, whatever the stride");
static_assert(slice{highest - 1, -1, lowest}.count() == 1);
static_assert(slice{0, lowest, lowest} == slice{0, 1});
static_assert(slice{lowest, highest, highest}.count() == 3 && slice{lowest, highest, highest}.last() == highest - 1);
static_assert(slice{5, 5}.empty() && slice{6, 5}.empty() && slice{5, 6, -1}.empty() &&
              slice{lowest, highest, -1}.empty());
static_assert(slice{} == slice{9, 9, 4} && slice{}.count() == 0 && slice{}.stop() == 0);
static_assert(slice{7, -1, -7}.count() == 2 && slice{7, -1, -7}.last() == 0, "-1 is one past index 0 downwards");
static_assert(slice{7, 0, -7}.count() == 1);

// The largest and smallest that counted() takes, by hand: first + (count - 1) * stride, then room for stop().
static_assert(slice::counted(5, 0, -3) == slice{} && slice::counted(highest, 0) == slice{});
static_assert(slice::counted(1, highest - 1).last() == highest - 1);
static_assert(slice::counted(highest - 1, 1, 1).stop() == highest);
static_assert(slice::counted(-1, 2, lowest + 2).last() == lowest + 1);
static_assert(slice::counted(highest, 2, lowest).last() == -1);
static_assert(slice::counted(lowest, 1, lowest).stop() == lowest + 1);
static_assert(slice::counted(highest - 1, 4, -(index_t{1} << 62)) == slice(highest - 1, lowest + 1, -(index_t{1} << 62)));
static_assert(slice::counted(highest - 1, 4, -(index_t{1} << 62)).last() == -(index_t{1} << 62) - 2);

TEST(slice, counted_refuses_indices_beyond_64_bits) {
    auto const refused = [](index_t first, index_t count, index_t stride) {
        EXPECT_THROW((void)slice::counted(first, count, stride), sw::selection_error)
            << first << ' ' << count << ' ' << stride;
    };
    refused(highest, 1, 1);  // stop() would be 2^63
    refused(2, highest - 1, 1);
    refused(0, 3, highest / 2 + 1);
    refused(0, highest, highest);
    refused(-1, 2, lowest);
    refused(lowest + 1, 2, -1);  // stop() would be -2^63 - 1
    refused(highest, 3, lowest);
    expect_selection_error([] { return slice::counted(7, 3, highest - 1); }, no_axis, 7, highest,
                           "slice: 3 indices from 7 by 9223372036854775806 leave the range of 64-bit indices");
}

TEST(slice, errors_name_the_value_and_the_bound) {
    char const* const zero = "slice: stride is 0; a stride is at least 1 or at most -1";
    expect_selection_error([] { return slice(0, 10, 0); }, no_axis, 0, 1, zero);
    expect_selection_error([] { return slice::counted(0, 0, 0); }, no_axis, 0, 1, zero);
    expect_selection_error([] { return slice::clamped(0, 10, 0, 10); }, no_axis, 0, 1, zero);
    expect_selection_error([] { return slice::python({}, {}, 0, 10); }, no_axis, 0, 1, zero);
    expect_selection_error([] { return slice::counted(3, -2); }, no_axis, -2, 0, "slice: count -2 is below 0");
    expect_selection_error([] { return slice(lowest, highest); }, no_axis, highest, highest,
                           "slice: -9223372036854775808:9223372036854775807 lists more than 2^63 - 1 indices");
    EXPECT_THROW((void)slice(lowest, 0, 1), sw::selection_error) << "2^63 indices";
    EXPECT_THROW((void)slice(highest, highest - 1, -1), sw::selection_error) << "a single index without a stop";
    EXPECT_EQ(slice(highest, highest - 2, -1).stop(), highest - 2);
    EXPECT_THROW((void)slice(highest, -1, -1), sw::selection_error) << "2^63 indices";
    EXPECT_EQ(slice(highest - 1, -1, -1).count(), highest);
    EXPECT_THROW((void)slice(highest, lowest, -2), sw::selection_error) << "2^63 indices";

    char const* const negative = "extent -4 is below 0";
    expect_selection_error([] { return slice::all(-4); }, no_axis, -4, 0, negative);
    expect_selection_error([] { return slice::clamped(0, 1, 1, -4); }, no_axis, -4, 0, negative);
    expect_selection_error([] { return slice::python({}, {}, {}, -4); }, no_axis, -4, 0, negative);
}

static_assert(slice::all(5) == slice{0, 5} && slice::all(0) == slice{} && slice::all(1) == slice{0, 1});
static_assert(slice::all(highest).count() == highest);

// A stop past the end lists what lies before it.
constexpr bool clamped_is_right(index_t extent) {
    for (index_t first = 0; first < extent; ++first) {
        for (index_t stride = -4; stride <= 4; ++stride) {
            if (stride == 0) continue;
            for (index_t stop = -9; stop <= extent + 9; ++stop) {
                slice const s = slice::clamped(first, stop, stride, extent);
                index_t count = 0;
                for (index_t x = first; x >= 0 && x < extent && (stride > 0 ? x < stop : x > stop); x += stride)
                    ++count;
                if (s != slice::counted(first, count, stride)) return false;
            }
        }
    }
    return true;
}
static_assert(clamped_is_right(4));

TEST(slice, clamped) { EXPECT_TRUE(clamped_is_right(13)); }

static_assert(slice::clamped(3, highest, 4, 10) == slice{3, 8, 4});
static_assert(slice::clamped(3, lowest, -2, 10) == slice{3, -1, -2});
static_assert(slice::clamped(0, highest, 1, highest) == slice::all(highest));
static_assert(slice::clamped(12, 15, 1, 10) == slice{}, "a stop drawn back below first lists nothing");
static_assert(slice::clamped(-2, 15, 1, 10) == slice{-2, 10}, "first is literal");

static_assert(std::is_trivially_copyable_v<slice> && sizeof(slice) == 24);
