// Numbers of 16 bits against numpy, which has float16, and against a search for the nearest, since it has no bfloat16.
#include <slabwise/copy/float16.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>
#include <copy/python_bytes.hpp>
#include <seeded_random.hpp>

namespace sw = slabwise;
using sw::bfloat16;
using sw::float16;

namespace {

static_assert(sizeof(float16) == 2 && std::is_trivially_copyable_v<float16> && std::is_trivial_v<float16>);
static_assert(sizeof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16> && std::is_trivial_v<bfloat16>);
static_assert(!std::is_convertible_v<float, float16> && !std::is_convertible_v<float16, float>);
static_assert(!std::is_same_v<float16, bfloat16>);

// At compile time too.
static_assert(float16(1.0F).bits() == 0x3c00 && float16(-2.5).bits() == 0xc100 && float16(65504.0).bits() == 0x7bff);
static_assert(float16(65519.99).bits() == 0x7bff && float16(65520.0F).bits() == 0x7c00);
static_assert(float16(0x1p-24).bits() == 1 && float16(0x1p-25).bits() == 0 && float16(0x1.8p-24).bits() == 2);
static_assert(static_cast<double>(float16::from_bits(1)) == 0x1p-24);
static_assert(static_cast<float>(float16::from_bits(0xfbff)) == -65504.0F);
static_assert(bfloat16(1.0F).bits() == 0x3f80 && bfloat16(0x1.01p0).bits() == 0x3f80);
static_assert(bfloat16(0x1.03p0).bits() == 0x3f82 && static_cast<float>(bfloat16::from_bits(0xc000)) == -2.0F);
static_assert(float16(0.0F) == float16(-0.0F) && !(float16::from_bits(0x7e00) == float16::from_bits(0x7e00)));
static_assert(sw::element_type_of<float16> == sw::element_type{sw::element_kind::floating, 2});
static_assert(sw::element_type_of<bfloat16 const> == sw::element_type{sw::element_kind::brain_floating, 2});
static_assert(sw::element_type_of<bfloat16>.swap_size() == 2);

template <class Real>
auto bits(Real value) {
    return std::bit_cast<std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>>(value);
}

template <class Real>
void expect_all_widen_to(std::vector<Real> const& expected) {
    ASSERT_EQ(expected.size(), 65536u);
    for (std::uint32_t i = 0; i < 65536; ++i) {
        auto const widened = static_cast<Real>(float16::from_bits(static_cast<std::uint16_t>(i)));
        ASSERT_EQ(bits(widened), bits(expected[i])) << "float16 of bits " << i;
    }
}

template <class Real>
void expect_all_narrow(copy_test::python_bytes& from) {
    auto const count = from.value<std::uint64_t>();
    ASSERT_GT(count, 500000u);
    auto const values = from.values<Real>(count);
    auto const expected = from.values<std::uint16_t>(count);
    for (std::size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(float16(values[i]).bits(), expected[i]) << values[i] << ", bits " << std::hex << bits(values[i]);
    }
}

// The finite values of bfloat16 that are not negative, by their bits, and after them the one where infinity begins.
std::vector<double> brain_values() {
    std::vector<double> values;
    for (int i = 0; i <= 0x7f80; ++i) {
        int const exponent = i >> 7;
        int const mantissa = i & 0x7f;
        values.push_back(exponent == 0 ? std::ldexp(mantissa, -133) : std::ldexp(128 + mantissa, exponent - 134));
    }
    return values;
}

// The bits of the bfloat16 nearest to a value, of two that are equally near the even one: looked for.
std::uint16_t nearest_brain(long double value) {
    static std::vector<double> const values = brain_values();
    unsigned const sign = std::signbit(value) ? 0x8000u : 0u;
    long double const size = std::fabs(value);
    auto const above = std::lower_bound(values.begin(), values.end(), size);
    if (above == values.end()) return static_cast<std::uint16_t>(sign | 0x7f80u);
    auto upper = static_cast<unsigned>(above - values.begin());
    if (upper != 0) {
        unsigned const lower = upper - 1;
        long double const up = values[upper] - size;
        long double const down = size - values[lower];
        if (down < up || (down == up && lower % 2 == 0)) upper = lower;
    }
    return static_cast<std::uint16_t>(sign | upper);
}

}  // namespace

TEST(float16, all_values_widen_as_numpy_does) {
    copy_test::python_bytes from("copy/numpy_conversions.py widen 0");
    auto const floats = from.values<float>(65536);
    auto const doubles = from.values<double>(65536);
    ASSERT_TRUE(from.at_end());
    expect_all_widen_to(floats);
    expect_all_widen_to(doubles);
}

TEST(float16, values_narrow_as_numpy_does) {
    copy_test::python_bytes from("copy/numpy_conversions.py narrow " +
                                 std::to_string(slabwise_test::seed() % 1000000007));
    expect_all_narrow<float>(from);
    expect_all_narrow<double>(from);
    EXPECT_TRUE(from.at_end());
}

TEST(float16, a_double_is_rounded_once) {
    // Of float, these are ties that float16 would round away from what is nearest.
    EXPECT_EQ(float16(0x1.002p0 + 0x1p-40).bits(), 0x3c01);
    EXPECT_EQ(float16(static_cast<float>(0x1.002p0 + 0x1p-40)).bits(), 0x3c00);
    EXPECT_EQ(bfloat16(0x1.01p0 + 0x1p-40).bits(), 0x3f81);
}

TEST(bfloat16, all_values_widen_exactly) {
    auto const values = brain_values();
    for (unsigned i = 0; i < 0x7f80; ++i) {
        for (unsigned const sign : {0u, 0x8000u}) {
            auto const value = bfloat16::from_bits(static_cast<std::uint16_t>(i | sign));
            double const expected = sign == 0 ? values[i] : -values[i];
            ASSERT_EQ(bits(static_cast<double>(value)), bits(expected)) << i;
            ASSERT_EQ(bits(static_cast<float>(value)), i << 16 | sign << 16) << i;
        }
    }
    // NaNs keep their payload, in double at the upper end of the mantissa.
    for (unsigned i = 0x7f80; i < 0x8000; ++i) {
        auto const value = bfloat16::from_bits(static_cast<std::uint16_t>(i));
        ASSERT_EQ(bits(static_cast<float>(value)), i << 16);
        ASSERT_EQ(bits(static_cast<double>(value)), 0x7ff0000000000000u | std::uint64_t{i & 0x7f} << 45);
    }
}

TEST(bfloat16, values_narrow_to_the_nearest) {
    copy_test::random numbers(416);
    auto const expect_nearest = [](auto value) {
        ASSERT_EQ(bfloat16(value).bits(), nearest_brain(value)) << value;
        ASSERT_EQ(bfloat16(-value).bits(), nearest_brain(-value)) << -value;
    };
    auto const values = brain_values();
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
        double const tie = (values[i] + values[i + 1]) / 2;
        for (double const exact : {values[i], tie}) {
            double const wide[] = {exact, std::nextafter(exact, 0.0), std::nextafter(exact, HUGE_VAL)};
            for (double const value : wide) expect_nearest(value);
            auto const single = static_cast<float>(exact);
            ASSERT_EQ(static_cast<double>(single), exact);
            float const narrow[] = {single, std::nextafter(single, 0.0F), std::nextafter(single, HUGE_VALF)};
            for (float const value : narrow) expect_nearest(value);
        }
        if (HasFatalFailure()) return;
    }
    for (int i = 0; i < 500000; ++i) {
        auto const word = static_cast<std::uint32_t>(numbers.number(0, UINT32_MAX));
        float const value = std::bit_cast<float>(word);
        if (!std::isnan(value)) expect_nearest(value);
        double const wide = std::ldexp(static_cast<double>(numbers.number(1, INT64_MAX)), int(word % 300) - 210);
        expect_nearest(wide);
        if (HasFatalFailure()) return;
    }
}

TEST(bfloat16, a_nan_keeps_the_upper_bits_of_its_payload) {
    EXPECT_EQ(bfloat16(std::bit_cast<float>(0x7f800001u)).bits(), 0x7f81);
    EXPECT_EQ(bfloat16(std::bit_cast<float>(0xffc10000u)).bits(), 0xffc1);
    EXPECT_EQ(bfloat16(std::bit_cast<float>(0x7fa0ffffu)).bits(), 0x7fa0);
    EXPECT_EQ(bfloat16(std::bit_cast<double>(0xfff0000000000001u)).bits(), 0xff81);
    EXPECT_EQ(bfloat16(std::bit_cast<double>(0x7ff8000000000000u)).bits(), 0x7fc0);
    EXPECT_EQ(bfloat16(std::numeric_limits<double>::infinity()).bits(), 0x7f80);
}
