// What a conversion does besides: scale and offset, replacement of fills, the text of its errors.
#include <slabwise/copy/make_conversion.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>
#include <copy/converted.hpp>

namespace sw = slabwise;
using copy_test::converted;
using copy_test::sets;
using sw::conversion_rule;
using sw::element_type_of;
using sw::instruction_set;

TEST(conversion_options, scale_and_offset_are_calculated_as_double) {
    // The product is rounded to a double before the sum is: 0.1 * 3 is above 0.3.
    EXPECT_EQ(converted<double>(std::int16_t{3}, {.scale = 0.1, .offset = -0.3}), 0.1 * 3 - 0.3);
    EXPECT_NE(converted<double>(std::int16_t{3}, {.scale = 0.1, .offset = -0.3}), std::fma(0.1, 3.0, -0.3));
    EXPECT_EQ(converted<float>(std::int16_t{-1234}, {.scale = 0.01, .offset = 273.15}),
              static_cast<float>(-1234 * 0.01 + 273.15));
    EXPECT_EQ(converted<sw::float16>(std::uint8_t{255}, {.scale = 1000}).bits(), 0x7c00);
    EXPECT_EQ(converted<std::int16_t>(2.5F, {.rule = conversion_rule::saturate, .scale = 3, .offset = 1}), 8);
    EXPECT_EQ(converted<std::int16_t>(-2.5F, {.rule = conversion_rule::saturate, .scale = 1e9}), -32768);
    for (instruction_set const set : sets()) {
        std::vector<std::int16_t> source(1000);
        std::vector<double> result(1000);
        for (std::size_t i = 0; i < 1000; ++i) source[i] = static_cast<std::int16_t>(65 * i);
        auto const convert =
            sw::make_conversion<double>(element_type_of<std::int16_t>, {.scale = 0.007, .offset = 11.1}, set);
        EXPECT_EQ(convert(reinterpret_cast<std::byte const*>(source.data()),
                          reinterpret_cast<std::byte*>(result.data()), 1000),
                  1000u);
        for (std::size_t i = 0; i < 1000; ++i) {
            double const volatile product = source[i] * 0.007;
            ASSERT_EQ(result[i], product + 11.1) << i;
        }
    }
}

TEST(conversion_options, fills_are_replaced_by_their_bits_and_not_scaled) {
    copy_test::random numbers(7);
    std::vector<std::int16_t> source(700);
    for (auto& each : source) each = numbers.chance(30) ? std::int16_t{-9999} : numbers.number<std::int16_t>(-9, 9);
    std::vector<float> result(700);
    auto const convert = sw::make_conversion<float>(
        element_type_of<std::int16_t>,
        {.scale = 0.5, .offset = 1, .fill_replacement = 1e20F, .stored_fill = std::int16_t{-9999}});
    EXPECT_EQ(
        convert(reinterpret_cast<std::byte const*>(source.data()), reinterpret_cast<std::byte*>(result.data()), 700),
        700u);
    for (std::size_t i = 0; i < 700; ++i) {
        ASSERT_EQ(result[i], source[i] == -9999 ? 1e20F : static_cast<float>(source[i]) / 2 + 1) << i;
    }
    // A NaN is the fill when its bits are; -0 is not 0.
    float const fill = std::bit_cast<float>(0x7fc00123u);
    sw::conversion_options<double> const nan_fill{.fill_replacement = -1.0, .stored_fill = fill};
    EXPECT_EQ(converted<double>(fill, nan_fill), -1.0);
    EXPECT_TRUE(std::isnan(converted<double>(std::bit_cast<float>(0x7fc00124u), nan_fill)));
    EXPECT_EQ(converted<double>(-0.0F, {.fill_replacement = 5.0, .stored_fill = 0.0F}), 0.0);
    // Elements of every size.
    EXPECT_EQ(converted<std::int64_t>(std::uint8_t{7}, {.fill_replacement = -1, .stored_fill = std::uint8_t{7}}), -1);
    EXPECT_EQ(
        converted<std::int8_t>(std::int64_t{7}, {.fill_replacement = std::int8_t{-1}, .stored_fill = std::int64_t{7}}),
        -1);
    using complex128 = std::complex<double>;
    complex128 const complex_fill(1, 2);
    sw::conversion_options<complex128> const complex_options{.fill_replacement = complex128(3, 4),
                                                             .stored_fill = complex_fill};
    EXPECT_EQ(converted<complex128>(complex_fill, complex_options), complex128(3, 4));
    EXPECT_EQ(converted<complex128>(complex128(1, 3), complex_options), complex128(1, 3));
    EXPECT_EQ(converted<complex128>(complex128(2, 2), complex_options), complex128(2, 2));
    // Equal types too.
    EXPECT_EQ(converted<float>(3.0F, {.fill_replacement = 4.0F, .stored_fill = 3.0F}), 4.0F);
}

TEST(conversion_options, a_fill_need_not_fit) {
    std::vector<std::int16_t> source(300, 5);
    source[0] = source[17] = source[18] = source[255] = source[256] = source[299] = -1;
    source[280] = 256;
    std::vector<std::uint8_t> result(300);
    auto const convert = sw::make_conversion<std::uint8_t>(
        element_type_of<std::int16_t>,
        {.rule = conversion_rule::check, .fill_replacement = std::uint8_t{255}, .stored_fill = std::int16_t{-1}});
    auto const* const from = reinterpret_cast<std::byte const*>(source.data());
    auto* const to = reinterpret_cast<std::byte*>(result.data());
    EXPECT_EQ(convert(from, to, 300), 280u);
    source[280] = 255;
    EXPECT_EQ(convert(from, to, 300), 300u);
    for (std::size_t i = 0; i < 300; ++i) ASSERT_EQ(result[i], source[i] == -1 ? 255 : source[i]) << i;
}

TEST(conversion_options, errors_tell_value_and_position) {
    auto const text = [](auto to, auto value, double scale) {
        using type = decltype(to);
        auto const convert = sw::make_conversion<type>(element_type_of<decltype(value)>,
                                                       {.rule = conversion_rule::check, .scale = scale});
        try {
            convert.throw_misfit(reinterpret_cast<std::byte const*>(&value), 12);
        } catch (sw::conversion_error const& error) {
            EXPECT_EQ(error.position(), 12);
            return std::string(error.what());
        }
    };
    EXPECT_EQ(text(std::uint8_t{}, std::int16_t{-3}, 1), "conversion: the value -3 of element 12 does not fit uint8");
    EXPECT_EQ(text(std::uint8_t{}, 256.5F, 1), "conversion: the value 256.5 of element 12 does not fit uint8");
    EXPECT_EQ(text(std::int8_t{}, std::uint64_t{300}, 1), "conversion: the value 300 of element 12 does not fit int8");
    EXPECT_EQ(text(std::int8_t{}, sw::float16(300.0F), 1), "conversion: the value 300 of element 12 does not fit int8");
    EXPECT_EQ(text(std::int8_t{}, std::nan(""), 1), "conversion: the value nan of element 12 does not fit int8");
    EXPECT_EQ(text(std::complex<float>{}, std::complex<double>(1, 1e300), 1),
              "conversion: the value (1, 1.0000000000000001e+300) of element 12 does not fit complex64");
    EXPECT_EQ(text(std::int8_t{}, std::int16_t{100}, 2),
              "conversion: the value 100 of element 12, scaled 200, does not fit int8");
}

TEST(conversion_options, equality) {
    auto const from = element_type_of<std::int16_t>;
    auto const plain = sw::make_conversion<float>(from);
    EXPECT_EQ(plain, sw::make_conversion<float>(from));
    EXPECT_FALSE(plain == sw::make_conversion<double>(from));
    EXPECT_FALSE(plain == sw::make_conversion<float>(element_type_of<std::uint16_t>));
    EXPECT_FALSE(plain == sw::make_conversion<float>(from, {.scale = 2}));
    EXPECT_FALSE(plain == sw::make_conversion<float>(from, {.fill_replacement = 2.0F, .stored_fill = std::int16_t{1}}));
}
