#include <slabwise/plan/plan.hpp>

#include <cstdint>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::index_t;
using sw::slice;

// All parts of one plan, for every n up to `most`: each projection once, in order, within the promised sizes. The
// fault, or a null pointer.
template <class Plan>
constexpr char const* parts_fault(Plan const& whole, index_t most) {
    index_t largest = 0;  // the elements of the largest projection
    for (auto const p : whole) largest = p.element_count() > largest ? p.element_count() : largest;
    for (index_t n = 1; n <= most; ++n) {
        for (bool const by_elements : {false, true}) {
            auto const parts = by_elements ? whole.split_by_elements(n) : whole.split(n);
            if (parts.size() != n) return "the number of parts";
            index_t k = 0, i = 0, smallest_size = whole.size(), largest_size = 0;
            for (auto const part : parts) {
                if (part.first() != k || parts[i].first() != k || parts.at(i).size() != part.size()) return "part i";
                index_t elements = 0, size = 0;
                for (auto const p : part) {
                    if (p != whole[k] || p != part[size]) return "every projection once, in order";
                    elements += p.element_count();
                    ++size;
                    ++k;
                }
                if (part.size() != size || part.empty() != (size == 0)) return "the size of a part";
                if (part.element_count() != elements) return "element_count()";
                if (!by_elements && (whole.part(i, n).first() != part.first() || whole.part(i, n).size() != size)) {
                    return "part(i, n)";
                }
                // |elements - total / n| < largest, in integers; a plan of nothing has empty parts.
                index_t const off = elements * n - whole.element_count();
                if (by_elements && (off < 0 ? -off : off) >= n * (largest + 1)) return "an even share of elements";
                smallest_size = size < smallest_size ? size : smallest_size;
                largest_size = size > largest_size ? size : largest_size;
                ++i;
            }
            if (i != n || k != whole.size()) return "the parts hold every projection";
            if (!by_elements && largest_size - smallest_size > 1) return "sizes differ by at most one";
        }
    }
    return nullptr;
}

constexpr auto planned(sw::shape<3> const& array, sw::shape<3> const& chunk, sw::hyperslab<3> const& slab) {
    return sw::make_plan(sw::chunk_grid<3>(array, chunk), slab);
}
constexpr auto uneven = planned({7, 5, 9}, {3, 2, 4}, {slice{0, 7}, slice{4, -1, -3}, slice{0, 9, 2}});
static_assert(parts_fault(uneven, 5) == nullptr);

TEST(parts, hold_every_projection_once) {
    EXPECT_STREQ(parts_fault(uneven, 40), nullptr);
    EXPECT_STREQ(parts_fault(planned({7, 5, 9}, {7, 5, 9}, {slice{0, 7}, slice{0, 5}, slice{0, 9}}), 9), nullptr);
    EXPECT_STREQ(parts_fault(planned({70, 5, 9}, {69, 4, 2}, {slice{0, 70}, slice{0, 5}, slice{8, -1, -1}}), 50),
                 nullptr);
    EXPECT_STREQ(parts_fault(planned({7, 5, 9}, {1, 1, 1}, {slice{0, 7}, slice{0, 5}, slice{0, 9, 8}}), 100), nullptr);
    EXPECT_STREQ(parts_fault(planned({7, 5, 9}, {1, 1, 1}, {slice{0, 7}, slice{}, slice{0, 9}}), 4), nullptr);
    EXPECT_STREQ(parts_fault(sw::make_plan(sw::chunk_grid<0>{}, sw::hyperslab<0>{}), 3), nullptr);
}

// Chunks of 100 and one of 1: by projections 2 + 2, by elements the cut falls where half of the elements is reached.
constexpr auto lopsided = sw::make_plan(sw::chunk_grid<1>{{301}, {100}}, slice{0, 301});
static_assert(lopsided.split(2)[0].size() == 2 && lopsided.split(2)[1].element_count() == 101);
static_assert(lopsided.split_by_elements(3)[0].size() == 1 && lopsided.split_by_elements(3)[2].size() == 2);

TEST(parts, of_no_or_of_a_part_that_is_none_are_refused) {
    expect_selection_error([] { return uneven.split(0); }, no_axis, 0, 1, "split: 0 parts; there is at least 1");
    expect_selection_error([] { return uneven.split_by_elements(-4); }, no_axis, -4, 1,
                           "split: -4 parts; there is at least 1");
    expect_selection_error([] { return uneven.part(0, 0); }, no_axis, 0, 1, "split: 0 parts; there is at least 1");
    expect_selection_error([] { return uneven.part(3, 3); }, no_axis, 3, 3, "split: part 3 is not one of 3 parts");
    expect_selection_error([] { return uneven.part(-1, 3); }, no_axis, -1, 3, "split: part -1 is not one of 3 parts");
}
