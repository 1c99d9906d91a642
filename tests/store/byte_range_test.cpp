#include <slabwise/store/byte_range.hpp>

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace sw = slabwise;
using sw::byte_range;

namespace {

using extent = byte_range::extent;
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

TEST(ByteRange, WholeIsAllOfAnyObject) {
    static_assert(byte_range() == byte_range::whole() && byte_range().is_whole());
    static_assert(byte_range().within(0) == extent{0, 0});
    static_assert(byte_range().within(largest) == extent{0, largest});
}

TEST(ByteRange, OfMustBeThereToItsLastByte) {
    static_assert(byte_range::of(3, 4).within(7) == extent{3, 4});
    static_assert(!byte_range::of(3, 4).within(6));
    static_assert(byte_range::of(7, 0).within(7) == extent{7, 0});
    static_assert(!byte_range::of(8, 0).within(7));
    static_assert(!byte_range::of(largest, largest).within(largest));
    static_assert(byte_range::of(0, largest).within(largest) == extent{0, largest});
    static_assert(!byte_range::of(1, largest).within(largest));
}

TEST(ByteRange, LastIsAllOfAShorterObject) {
    static_assert(byte_range::last(4).within(10) == extent{6, 4});
    static_assert(byte_range::last(4).within(3) == extent{0, 3});
    static_assert(byte_range::last(0).within(3) == extent{3, 0});
    static_assert(byte_range::last(largest).within(0) == extent{0, 0});
    static_assert(byte_range::last(3).is_suffix() && !byte_range::last(3).is_whole());
}

}  // namespace
