#include <slabwise/plan/slice_axis.hpp>

#include <cstdint>

#include <gtest/gtest.h>

#include "expect_error.hpp"

namespace sw = slabwise;
using slabwise_test::expect_selection_error;
using sw::index_t;
using sw::piece;
using sw::slice;

// One axis against a walk over the selected indices, one by one. The fault, or a null pointer.
constexpr char const* axis_fault(index_t first, index_t count, index_t stride, index_t extent, index_t length) {
    sw::slice_axis const axis(slice::counted(first, count, stride), extent, length, 0);
    if (axis.count() != count) return "count()";
    auto at = axis.begin();
    index_t size = 0, full = 0, runs = 0;
    std::uint64_t touched = 0, selected = 0;  // one bit each
    for (index_t i = 0; i < count;) {
        index_t const index = first + i * stride;
        piece expected{index / length, index % length, i, 0, 0};
        for (index_t x = index; i < count && x / length == expected.chunk; x += stride) {
            if (axis.piece_of(i) != size) return "piece_of()";
            if (axis.find_index(x) != size) return "find_index()";
            selected |= std::uint64_t{1} << x;
            ++expected.count;
            ++i;
        }
        for (index_t x = 0; x < length; ++x) expected.valid += expected.chunk * length + x < extent ? 1 : 0;
        if (at != expected) return "A1: pieces in the order of the slice";
        if (axis[size] != expected) return "the k-th piece";
        if (touched >> expected.chunk & 1) return "A3: each chunk once";
        if (axis.find(expected.chunk) != size) return "find()";
        if (axis.is_last(at) != (i == count)) return "is_last()";
        touched |= std::uint64_t{1} << expected.chunk;
        full += expected.count == length ? 1 : 0;
        runs += stride == 1 || stride == -1 ? 1 : expected.count;
        if (i < count) axis.advance(at);
        ++size;
    }
    if (axis.size() != size) return "size()";
    if (axis.full_pieces() != full) return "full_pieces()";
    if (axis.runs() != runs) return "runs()";
    for (index_t chunk = -2; chunk <= extent / length + 2; ++chunk) {
        bool const is_touched = chunk >= 0 && (touched >> chunk & 1);
        if ((axis.find(chunk) == size) == is_touched) return "find(): the chunks touched and no others";
        if (is_touched && (chunk < axis.lowest_chunk() || chunk > axis.highest_chunk())) return "the range of chunks";
    }
    if (size > 0 && !((touched >> axis.lowest_chunk() & 1) && (touched >> axis.highest_chunk() & 1))) {
        return "the range of chunks is tight";
    }
    for (index_t index = -2; index <= extent + 2; ++index) {
        bool const is_selected = index >= 0 && (selected >> index & 1);
        if ((axis.find_index(index) == size) == is_selected) return "find_index(): those selected and no others";
    }
    return nullptr;
}

// Every slice that fits an axis.
template <class Visit>
constexpr char const* walk_slices(index_t extent, index_t largest_stride, Visit visit) {
    for (index_t stride = -largest_stride; stride <= largest_stride; ++stride) {
        if (stride == 0) continue;
        for (index_t first = 0; first < extent; ++first) {
            for (index_t count = 0;
                 count == 0 || (first + (count - 1) * stride >= 0 && first + (count - 1) * stride < extent); ++count) {
                if (char const* const fault = visit(first, count, stride)) return fault;
            }
        }
    }
    return nullptr;
}
constexpr char const* axes_fault(index_t extent, index_t length, index_t largest_stride) {
    return walk_slices(extent, largest_stride, [=](index_t first, index_t count, index_t stride) {
        return axis_fault(first, count, stride, extent, length);
    });
}

// Separately, as clang 14 ends an evaluation after 2^20 steps.
static_assert(axes_fault(0, 1, 7) == nullptr && axes_fault(1, 2, 7) == nullptr && axes_fault(5, 3, 4) == nullptr);
static_assert(axes_fault(8, 1, 3) == nullptr);
static_assert(axes_fault(8, 2, 3) == nullptr);
static_assert(axes_fault(8, 3, 5) == nullptr);
static_assert(axes_fault(7, 4, 5) == nullptr);
static_assert(axes_fault(8, 5, 5) == nullptr);
static_assert(axes_fault(7, 9, 7) == nullptr);

TEST(slice_axis, every_small_case) {
    int cases = 0;
    for (index_t extent = 0; extent <= 16; ++extent) {
        for (index_t length = 1; length <= 9; ++length) {
            auto const* const fault = walk_slices(extent, 7, [&](index_t first, index_t count, index_t stride) {
                ++cases;
                auto const* const here = axis_fault(first, count, stride, extent, length);
                EXPECT_STREQ(here, nullptr) << "extent " << extent << " in chunks of " << length << ": " << count
                                            << " indices from " << first << " by " << stride;
                return here;
            });
            ASSERT_STREQ(fault, nullptr);
        }
    }
    EXPECT_GT(cases, 49'000);
}

// Longer chunks and strides than the exhaustive test has: residues and carries of every kind.
TEST(slice_axis, longer_chunks_and_strides) {
    index_t const extent = 61;
    for (index_t length : {1, 2, 7, 10, 12, 13, 16, 30, 31, 60, 61, 62, 1000}) {
        for (index_t first : {0, 1, 11, 29, 30, 31, 59, 60}) {
            for (index_t stride = -70; stride <= 70; ++stride) {
                if (stride == 0) continue;
                index_t const room = stride > 0 ? extent - 1 - first : first;
                index_t const most = room / (stride > 0 ? stride : -stride) + 1;
                for (index_t count : {most, most / 2}) {
                    ASSERT_STREQ(axis_fault(first, count, stride, extent, length), nullptr)
                        << length << ' ' << first << ' ' << stride << ' ' << count;
                }
            }
        }
    }
}

// The end of 64 bits, where a sum too many overflows. Values by Python's integers.
constexpr index_t far = INT64_MAX;

constexpr sw::slice_axis one_chunk(slice{0, far}, far, far, 0);
static_assert(one_chunk.size() == 1 && one_chunk[0] == piece{0, 0, 0, far, far} && one_chunk.full_pieces() == 1);
constexpr sw::slice_axis one_chunk_back(slice{far - 1, -1, -1}, far, far, 0);
static_assert(one_chunk_back.size() == 1 && one_chunk_back[0] == piece{0, far - 1, 0, far, far});

constexpr sw::slice_axis last_and_first(slice::counted(far - 1, 2, 1 - far), far, 1000, 0);
static_assert(last_and_first.size() == 2 && last_and_first[0] == piece{9223372036854775, 806, 0, 1, 807});
static_assert(last_and_first[1] == piece{0, 0, 1, 1, 1000} && last_and_first.find(1) == 2);
constexpr bool steps_across_the_whole_range() {
    auto at = last_and_first.begin();
    last_and_first.advance(at);
    return at == last_and_first[1] && last_and_first.is_last(at);
}
static_assert(steps_across_the_whole_range());

constexpr sw::slice_axis thirds(slice{1, far, 3}, far, 10, 0);
static_assert(thirds.size() == 922337203685477581 && thirds.count() == 3074457345618258602);
static_assert(thirds[922337203685477580] == piece{922337203685477580, 1, 3074457345618258600, 2, 7});
static_assert(thirds[500000000000000001] == piece{500000000000000001, 1, 1666666666666666670, 3, 10});
static_assert(thirds[500000000000000002] == piece{500000000000000002, 0, 1666666666666666673, 4, 10});
static_assert(thirds.piece_of(1666666666666666672) == 500000000000000001);
static_assert(thirds.find(922337203685477580) == 922337203685477580 && thirds.find(far) == thirds.size());

constexpr sw::slice_axis sevenths(slice{far - 1, -1, -7}, far, 12, 0);
static_assert(sevenths.size() == 768614336404564651 && sevenths.count() == 1317624576693539401);
static_assert(sevenths[0] == piece{768614336404564650, 6, 0, 1, 7});
static_assert(sevenths[768614336404564650] == piece{0, 6, 1317624576693539400, 1, 12});
static_assert(sevenths.find(77777777777777777) == 690836558626786873);
static_assert(sevenths[690836558626786873] == piece{77777777777777777, 6, 1184291243360206068, 1, 12});

constexpr sw::slice_axis far_apart(slice{5, far, 1099511627779}, far, 1000000, 0);
static_assert(far_apart.size() == 8388608 && far_apart[1000] == piece{1099511627, 779005, 1000, 1, 1000000});
static_assert(far_apart[8388607] == piece{9223370937368, 313858, 8388607, 1, 1000000});
static_assert(far_apart.find(9223370937368) == 8388607 && far_apart.find(9223370937367) == 8388608);

TEST(slice_axis, a_listed_index_outside_the_extent_is_refused) {
    auto const made = [](slice const& selected, index_t extent) { return sw::slice_axis(selected, extent, 4, 3); };
    expect_selection_error(
        [&] {
            return made(slice{0, 11}, 10);
        },
        3, 10, 10, "axis 3: index 10 is out of bounds for extent 10");
    expect_selection_error(
        [&] {
            return made(slice{10, -1, -1}, 10);
        },
        3, 10, 10, "axis 3: index 10 is out of bounds for extent 10");
    expect_selection_error(
        [&] {
            return made(slice{-3, 5, 2}, 10);
        },
        3, -3, 10, "axis 3: index -3 is out of bounds for extent 10");
    expect_selection_error(
        [&] {
            return made(slice{9, -4, -6}, 10);
        },
        3, -3, 10, "axis 3: index -3 is out of bounds for extent 10");
    expect_selection_error(
        [&] {
            return made(slice{0, 1}, 0);
        },
        3, 0, 0, "axis 3: index 0 is out of bounds for extent 0");
}

TEST(slice_axis, a_stop_past_the_end_is_no_listed_index) {
    EXPECT_EQ(sw::slice_axis(slice(0, 12, 4), 9, 4, 0).size(), 3);
    EXPECT_EQ(sw::slice_axis(slice(8, -4, -4), 9, 4, 0).size(), 3);
    EXPECT_EQ(sw::slice_axis(slice(20, 20), 9, 4, 0).size(), 0) << "an empty slice lists nothing, wherever it stands";
    EXPECT_EQ(sw::slice_axis(slice::clamped(3, far, 1, 9), 9, 4, 0).count(), 6);
    EXPECT_EQ(sw::slice_axis(slice::python(3, far, {}, 9), 9, 4, 0).count(), 6);
}
