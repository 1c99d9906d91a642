#include <slabwise/error.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace sw = slabwise;

// Numbers reach an error_text in decimal, whatever their sign and size.
constexpr bool says(std::int64_t value, char const* expected) {
    sw::error_text const text = sw::error_text().append(value);
    std::size_t i = 0;
    for (; expected[i] != '\0'; ++i) {
        if (text.c_str()[i] != expected[i]) return false;
    }
    return text.c_str()[i] == '\0' && text.size() == i;
}
constexpr bool says_numbers() {
    return says(0, "0") && says(7, "7") && says(-10, "-10") && says(INT64_MAX, "9223372036854775807") &&
           says(INT64_MIN, "-9223372036854775808");
}
static_assert(says_numbers());

TEST(error_text, numbers_in_decimal) {
    EXPECT_TRUE(says_numbers());
    EXPECT_STREQ(sw::error_text().append(UINT64_MAX).c_str(), "18446744073709551615");
}

TEST(error_text, pieces_join) {
    EXPECT_STREQ(sw::error_text("axis ").append(std::uint64_t{3}).append(": ").append("abc", 2).c_str(), "axis 3: ab");
}

TEST(error_text, control_characters_of_a_stranger_become_question_marks) {
    EXPECT_STREQ(sw::error_text().append("a\0\x1b[31m\n\x7f~", 9).c_str(), "a??[31m??");
}

TEST(error_text, what_does_not_fit_ends_in_dots) {
    std::string const fits(sw::error_text::capacity, 'x');
    EXPECT_EQ(sw::error_text(fits.c_str()).c_str(), fits);
    std::string const cut(sw::error_text::capacity - 3, 'x');
    EXPECT_EQ(sw::error_text((fits + "y").c_str()).c_str(), cut + "...");
    EXPECT_EQ(sw::error_text((fits + fits).c_str()).append("z").c_str(), cut + "...");
}

static_assert(std::is_base_of_v<std::exception, sw::error>);
static_assert(std::is_base_of_v<sw::error, sw::selection_error>);
static_assert(std::is_base_of_v<sw::keyed_error, sw::metadata_error>);
static_assert(std::is_base_of_v<sw::keyed_error, sw::codec_error>);
static_assert(std::is_base_of_v<sw::keyed_error, sw::store_error>);
static_assert(std::is_nothrow_copy_constructible_v<sw::store_error>, "an exception is copied while another one flies");

TEST(errors, carry_what_they_are_given) {
    sw::selection_error const selection("text", 2, -5, 7);
    EXPECT_STREQ(selection.what(), "text");
    EXPECT_EQ(selection.axis(), 2u);
    EXPECT_EQ(selection.value(), -5);
    EXPECT_EQ(selection.bound(), 7);
    EXPECT_EQ(sw::selection_error("text").axis(), sw::selection_error::no_axis);

    sw::store_error const store("text", "c/0/1", true);
    EXPECT_STREQ(store.key(), "c/0/1");
    EXPECT_TRUE(store.is_transient());
    EXPECT_FALSE(sw::store_error("text", "c/0/1").is_transient());
}
