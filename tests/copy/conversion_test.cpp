// Conversions between all pairs of types against numpy and against Python's own integers, and of both sets against
// each other.
#include <copy/any_conversion.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>
#include <copy/converted.hpp>
#include <copy/python_bytes.hpp>
#include <expect_error.hpp>
#include <python_lines.hpp>
#include <seeded_random.hpp>

namespace sw = slabwise;
using copy_test::converted;
using copy_test::sets;
using slabwise_test::expect_selection_error;
using slabwise_test::no_axis;
using sw::conversion_rule;
using sw::element_kind;
using sw::element_type;
using sw::element_type_of;
using sw::instruction_set;
using bytes = std::vector<std::byte>;

namespace {

constexpr element_type types[] = {
    element_type_of<bool>,          element_type_of<std::int8_t>,         element_type_of<std::int16_t>,
    element_type_of<std::int32_t>,  element_type_of<std::int64_t>,        element_type_of<std::uint8_t>,
    element_type_of<std::uint16_t>, element_type_of<std::uint32_t>,       element_type_of<std::uint64_t>,
    element_type_of<sw::float16>,   element_type_of<sw::bfloat16>,        element_type_of<float>,
    element_type_of<double>,        element_type_of<std::complex<float>>, element_type_of<std::complex<double>>,
};
constexpr conversion_rule rules[] = {conversion_rule::same_kind, conversion_rule::saturate, conversion_rule::check};

std::string name_of(element_type from, element_type to) {
    return std::string(sw::name_of(from).c_str()) + " to " + sw::name_of(to).c_str();
}

element_type type_from(copy_test::python_bytes& script) {
    auto const letter = static_cast<char>(script.value<unsigned char>());
    std::size_t const size = script.value<unsigned char>();
    std::string const letters = "biufc";
    constexpr element_kind kinds[] = {element_kind::boolean, element_kind::signed_integer,
                                      element_kind::unsigned_integer, element_kind::floating,
                                      element_kind::complex_floating};
    return {kinds[letters.find(letter)], size};
}

struct record {
    element_type from;
    element_type to;
    std::size_t count;
    bytes elements;
    bytes expected;

    explicit record(copy_test::python_bytes& script)
        : from(type_from(script)), to(type_from(script)), count(script.value<std::uint64_t>()),
          elements(script.values<std::byte>(count * from.size)), expected(script.values<std::byte>(count * to.size)) {}

    [[nodiscard]] bool equals(std::size_t i, std::byte const* converted) const {
        return std::memcmp(expected.data() + i * to.size, converted, to.size) == 0;
    }
    [[nodiscard]] std::string at(std::size_t i) const {
        sw::error_text text(name_of(from, to).c_str());
        sw::detail::append_value(text.append(", element ").append(std::uint64_t{i}).append(": "), from,
                                 elements.data() + i * from.size);
        sw::detail::append_value(text.append(" must be "), to, expected.data() + i * to.size);
        return text.c_str();
    }
};

std::string script(std::string const& kind) {
    return "copy/numpy_conversions.py " + kind + " " + std::to_string(slabwise_test::seed() % 1000000007);
}

}  // namespace

TEST(conversion, same_kind_permits_what_numpy_does) {
    int lines = 0;
    slabwise_test::for_each_line_of(script("can_cast"), [&](std::string const& line) {
        std::size_t const first = line.find(' ');
        std::size_t const second = line.find(' ', first + 1);
        auto const type_of = [](std::string const& name) {
            return *std::find_if(std::begin(types), std::end(types),
                                 [&](element_type type) { return name == sw::name_of(type).c_str(); });
        };
        element_type const from = type_of(line.substr(0, first));
        element_type const to = type_of(line.substr(first + 1, second - first - 1));
        EXPECT_EQ(sw::can_convert(from, to, conversion_rule::same_kind), line.back() == '1') << line;
        ++lines;
    });
    EXPECT_EQ(lines, 14 * 14);
}

TEST(conversion, what_is_not_permitted_is_refused) {
    for (element_type const from : types) {
        for (element_type const to : types) {
            for (conversion_rule const rule : rules) {
                bool const is_real = from.kind != element_kind::complex_floating;
                // bfloat16 stands where float16 does.
                element_type const like_from = from == element_type_of<sw::bfloat16> ? element_type_of<float> : from;
                element_type const like_to = to == element_type_of<sw::bfloat16> ? element_type_of<float> : to;
                EXPECT_EQ(sw::can_convert(from, to, rule), rule == conversion_rule::same_kind
                                                               ? sw::can_convert(like_from, like_to, rule)
                                                               : is_real || to.kind == element_kind::complex_floating);
                if (sw::can_convert(from, to, rule)) {
                    auto const convert = sw::make_any_conversion(from, to, {.rule = rule});
                    EXPECT_TRUE(convert.from() == from && convert.to() == to);
                } else {
                    EXPECT_THROW((void)sw::make_any_conversion(from, to, {.rule = rule}), sw::selection_error);
                }
            }
        }
    }
}

TEST(conversion, refusals_name_both_types_and_what_permits_it) {
    using complex64 = std::complex<float>;
    auto const expect = [](auto call, std::string const& text) {
        expect_selection_error(call, no_axis, 0, 0, "conversion: " + text);
    };
    expect([] { return sw::make_conversion<std::int16_t>(element_type_of<float>); },
           "float32 to int16 is not within one kind or to a wider kind; conversion_rule::saturate or "
           "conversion_rule::check permits it");
    expect([] { return sw::make_conversion<double>(element_type_of<complex64>, {.rule = conversion_rule::saturate}); },
           "complex64 to float64 loses the imaginary part, which no rule permits; a complex type keeps it");
    expect(
        [] {
            return sw::make_conversion<float>(element_type{element_kind::opaque, 12});
        },
        "opaque12 to float32 is no conversion; only elements of equal types are copied");
    expect(
        [] {
            return sw::make_any_conversion(element_type_of<float>, {element_kind::floating, 16});
        },
        "float32 to float128 is no conversion; only elements of equal types are copied");
    expect([] { return sw::make_conversion<std::int32_t>(element_type_of<std::int16_t>, {.scale = 2}); },
           "int16 to int32 with a scale or an offset is not of the same kind; a floating type, "
           "conversion_rule::saturate or conversion_rule::check permits it");
    expect([] { return sw::make_conversion<complex64>(element_type_of<std::int16_t>, {.offset = 2}); },
           "int16 to complex64 has no scale and offset; real types permit them");
    expect([] { return sw::make_conversion<float>(element_type_of<std::int16_t>, {.fill_replacement = 1.0F}); },
           "a fill replacement needs the stored fill that it replaces");
    expect(
        [] {
            return sw::make_conversion<float>(element_type_of<std::int16_t>,
                                              {.fill_replacement = 1.0F, .stored_fill = std::int32_t{3}});
        },
        "the stored fill is of type int32, but the elements of type int16");
    expect(
        [] {
            return sw::make_any_conversion(element_type_of<std::int16_t>, element_type_of<float>,
                                           {.fill_replacement = 1.0, .stored_fill = std::int16_t{3}});
        },
        "the fill replacement is of type float64, but the result of type float32");
}

TEST(conversion, same_kind_gives_what_astype_does) {
    copy_test::python_bytes from(script("same_kind"));
    int pairs = 0;
    for (; !from.at_end() && !HasFailure(); ++pairs) {
        record const pair(from);
        for (instruction_set const set : sets()) {
            auto const convert = sw::make_any_conversion(pair.from, pair.to, {}, set);
            bytes result(pair.expected.size());
            ASSERT_EQ(convert(pair.elements.data(), result.data(), pair.count), pair.count);
            for (std::size_t i = 0; i < pair.count; ++i) {
                ASSERT_TRUE(pair.equals(i, result.data() + i * pair.to.size)) << pair.at(i);
            }
        }
    }
    EXPECT_EQ(pairs, 14 + 4 * 13 + 4 * 9 + 3 * 5 + 2 * 2);
}

TEST(conversion, saturate_gives_the_nearest_and_check_finds_what_does_not_fit) {
    copy_test::python_bytes from(script("saturate"));
    int pairs = 0;
    for (; !from.at_end() && !HasFailure(); ++pairs) {
        record const pair(from);
        auto const fits = from.values<std::uint8_t>(pair.count);
        for (instruction_set const set : sets()) {
            auto const saturate = sw::make_any_conversion(pair.from, pair.to, {.rule = conversion_rule::saturate}, set);
            bytes result(pair.expected.size());
            ASSERT_EQ(saturate(pair.elements.data(), result.data(), pair.count), pair.count);
            for (std::size_t i = 0; i < pair.count; ++i) {
                ASSERT_TRUE(pair.equals(i, result.data() + i * pair.to.size)) << pair.at(i);
            }
            auto const check = sw::make_any_conversion(pair.from, pair.to, {.rule = conversion_rule::check}, set);
            for (std::size_t i = 0; i < pair.count;) {
                std::size_t const next =
                    i + check(pair.elements.data() + i * pair.from.size, result.data(), pair.count - i);
                for (; i < next; ++i) ASSERT_TRUE(fits[i] != 0) << "does not fit? " << pair.at(i);
                ASSERT_TRUE(i == pair.count || fits[i] == 0) << "fits? " << pair.at(i);
                ++i;
            }
        }
    }
    EXPECT_EQ(pairs, 12 * 12);
}

// numpy has no bfloat16. From it, values are those of the float that it is the upper half of; to it, float16_test.cpp
// knows what the constructor from double gives, and each integer of at most 53 bits is a double.
TEST(conversion, bfloat16_is_the_upper_half_of_a_float) {
    std::vector<sw::bfloat16> halves(65536);
    std::vector<float> floats(65536);
    for (std::uint32_t i = 0; i < 65536; ++i) {
        halves[i] = sw::bfloat16::from_bits(static_cast<std::uint16_t>(i));
        floats[i] = std::bit_cast<float>(i << 16);
    }
    for (element_type const to : types) {
        for (conversion_rule const rule : rules) {
            if (!sw::can_convert(element_type_of<float>, to, rule)) continue;
            auto const from_half = sw::make_any_conversion(element_type_of<sw::bfloat16>, to, {.rule = rule});
            auto const from_float = sw::make_any_conversion(element_type_of<float>, to, {.rule = rule});
            for (std::size_t i = 0; i < 65536; ++i) {
                // Of a signalling NaN the processor makes a quiet double, but not from bfloat16.
                bool const is_double = (to.kind == element_kind::floating && to.size == 8) || to.size == 16;
                if (std::isnan(floats[i]) && is_double) continue;
                std::byte result[16] = {};
                std::byte expected[16] = {};
                std::size_t const fitting = from_half(reinterpret_cast<std::byte const*>(&halves[i]), result, 1);
                ASSERT_EQ(fitting, from_float(reinterpret_cast<std::byte const*>(&floats[i]), expected, 1)) << i;
                ASSERT_TRUE(fitting == 0 || std::memcmp(result, expected, 16) == 0) << i << sw::name_of(to).c_str();
            }
        }
    }
}

TEST(conversion, integers_become_the_nearest_bfloat16) {
    copy_test::random numbers(53);
    for (int i = 0; i < 200000; ++i) {
        auto const wide = numbers.number(INT64_MIN, INT64_MAX) >> numbers.number(0, 63);
        // With the lower bits gone and one that stands for them, the double is exact and rounds as the integer does.
        auto const lower = wide & 0xfff;
        auto const sticky = std::abs(wide) < (std::int64_t{1} << 52) ? wide : wide - lower + (lower != 0 ? 0x800 : 0);
        ASSERT_EQ(converted<sw::bfloat16>(wide).bits(), sw::bfloat16(static_cast<double>(sticky)).bits()) << wide;
        auto const bits = static_cast<std::uint64_t>(wide);
        auto const odd =
            bits < (std::uint64_t{1} << 52) ? bits : (bits & ~std::uint64_t{0xfff}) + ((bits & 0xfff) != 0 ? 0x800 : 0);
        ASSERT_EQ(converted<sw::bfloat16>(bits).bits(), sw::bfloat16(static_cast<double>(odd)).bits()) << bits;
        auto const half = static_cast<std::int32_t>(wide);
        ASSERT_EQ(converted<sw::bfloat16>(half).bits(), sw::bfloat16(static_cast<double>(half)).bits()) << half;
        auto const quarter = static_cast<std::int16_t>(wide);
        ASSERT_EQ(converted<sw::bfloat16>(quarter).bits(), sw::bfloat16(static_cast<double>(quarter)).bits());
    }
    // One above a tie, which a double does not know any more.
    EXPECT_EQ(converted<sw::bfloat16>((std::int64_t{0x101} << 53) + 1).bits(), sw::bfloat16(0x1.02p61).bits());
    EXPECT_EQ(converted<sw::bfloat16>(std::int64_t{0x101} << 53).bits(), sw::bfloat16(0x1.00p61).bits());
}

// Every count below four blocks at odd addresses, with sentinels, for all pairs and both sets.
TEST(conversion, sets_and_counts_do_not_matter) {
    copy_test::random numbers(99);
    for (element_type const from : types) {
        for (element_type const to : types) {
            for (conversion_rule const rule : rules) {
                if (!sw::can_convert(from, to, rule)) continue;
                auto const one = sw::make_any_conversion(from, to, {.rule = rule}, instruction_set::vector128);
                for (instruction_set const set : sets()) {
                    auto const all = sw::make_any_conversion(from, to, {.rule = rule}, set);
                    for (std::size_t count = 0; count < 260;
                         count += count < 4 ? 1 : numbers.number<std::size_t>(1, 40)) {
                        auto const shift = numbers.number<std::size_t>(0, 15);
                        bytes source = numbers.some_bytes(shift + count * from.size);
                        if (from.kind == element_kind::boolean) {
                            for (auto& each : source) each &= std::byte{1};
                        }
                        bytes result = numbers.some_bytes(32 + shift + count * to.size);
                        bytes expected = result;
                        std::size_t fitting = 0;
                        while (fitting < count && one(source.data() + shift + fitting * from.size,
                                                      expected.data() + 16 + shift + fitting * to.size, 1) == 1) {
                            ++fitting;
                        }
                        ASSERT_EQ(all(source.data() + shift, result.data() + 16 + shift, count), fitting)
                            << name_of(from, to) << " count " << count;
                        std::size_t const after = 16 + shift + count * to.size;
                        ASSERT_TRUE(fitting < count || result == expected) << name_of(from, to) << " count " << count;
                        ASSERT_EQ(std::memcmp(result.data(), expected.data(), 16 + shift), 0);
                        ASSERT_EQ(std::memcmp(result.data() + after, expected.data() + after, 16), 0);
                    }
                }
            }
        }
    }
}

TEST(conversion, stretches_that_begin_within_a_cache_line) {
    std::vector<std::int16_t> source(5000);
    for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::int16_t>(7 * i);
    auto const swapped = [&] {
        auto result = source;
        for (auto& each : result) each = static_cast<std::int16_t>(__builtin_bswap16(static_cast<std::uint16_t>(each)));
        return result;
    }();
    auto const convert = sw::make_conversion<float>(element_type_of<std::int16_t>);
    std::vector<std::byte> memory(4 * 5000 + 200);
    for (std::size_t at = 0; at < 70; ++at) {
        for (std::size_t const count : {1023u, 1024u, 1025u, 1090u, 4999u}) {
            for (bool const is_swapped : {false, true}) {
                std::fill(memory.begin(), memory.end(), std::byte{0xee});
                auto const* const from = reinterpret_cast<std::byte const*>((is_swapped ? swapped : source).data());
                ASSERT_EQ(convert.convert_swapped(from, memory.data() + at, count, is_swapped ? 2 : 1), count);
                for (std::size_t i = 0; i < count; ++i) {
                    float value = 0;
                    std::memcpy(&value, memory.data() + at + 4 * i, 4);
                    ASSERT_EQ(value, static_cast<float>(source[i])) << at << ' ' << count << ' ' << i;
                }
                for (std::size_t i = 0; i < at; ++i) ASSERT_EQ(memory[i], std::byte{0xee});
                for (std::size_t i = at + 4 * count; i < memory.size(); ++i) ASSERT_EQ(memory[i], std::byte{0xee});
            }
        }
    }
}

TEST(conversion, every_position_of_a_misfit) {
    for (std::size_t const count : {1u, 63u, 64u, 65u, 200u, 1500u}) {
        for (std::size_t bad = 0; bad < count; bad += count < 300 ? 1 : 37) {
            for (instruction_set const set : sets()) {
                for (bool const is_scaled : {false, true}) {
                    std::vector<float> source(count, 3.0F);
                    source[bad] = 256.0F;
                    if (bad + 5 < count) source[bad + 5] = -9.0F;
                    std::vector<std::uint8_t> result(count);
                    auto const convert = sw::make_conversion<std::uint8_t>(
                        element_type_of<float>, {.rule = conversion_rule::check, .offset = is_scaled ? 0.5 : 0.0}, set);
                    ASSERT_EQ(convert(reinterpret_cast<std::byte const*>(source.data()),
                                      reinterpret_cast<std::byte*>(result.data()), count),
                              bad);
                }
            }
        }
    }
}

TEST(conversion, bytes_of_a_bool_that_are_neither_0_nor_1_are_true) {
    std::byte const source[] = {std::byte{0}, std::byte{2}, std::byte{255}, std::byte{1}};
    float result[4] = {};
    EXPECT_EQ(sw::make_conversion<float>(element_type_of<bool>)(source, reinterpret_cast<std::byte*>(result), 4), 4u);
    EXPECT_TRUE(result[0] == 0 && result[1] == 1 && result[2] == 1 && result[3] == 1);
}
