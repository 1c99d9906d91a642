#include <slabwise/copy/instruction_set.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>
#include <slabwise/copy/copy_program.hpp>

namespace sw = slabwise;
using enum sw::instruction_set;

namespace {

constexpr sw::instruction_set all_sets[] = {scalar, vector128, xsimd, avx2, avx512};

// What a process does whose SLABWISE_SIMD has this value, or which has none: it prints the set by which it copies, and
// leaves with status 0 when the copy is right, or it prints the error and leaves with status 1.
[[noreturn]] void copy_with_variable(char const* value) {
    value != nullptr ? setenv("SLABWISE_SIMD", value, 1) : unsetenv("SLABWISE_SIMD");
    try {
        std::vector<unsigned char> source(300), destination(100);
        for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<unsigned char>(7 * i + 1);
        sw::copy_axis const axes[] = {{100, 3, 1}};
        sw::copy_program const program(1, 1, axes);
        program(reinterpret_cast<std::byte const*>(source.data()), reinterpret_cast<std::byte*>(destination.data()));
        bool is_right = true;
        for (std::size_t i = 0; i < destination.size(); ++i) is_right = is_right && destination[i] == source[3 * i];
        // The first choice stands.
        setenv("SLABWISE_SIMD", "something else", 1);
        std::fprintf(stderr, "copied by <%s>\n", name_of(sw::default_instruction_set()));
        std::exit(is_right ? 0 : 2);
    } catch (sw::selection_error const& error) {
        std::fprintf(stderr, "refused: %s\n", error.what());
        std::exit(1);
    }
}

std::string copied_by(sw::instruction_set set) { return std::string("copied by <") + name_of(set) + ">"; }

}  // namespace

TEST(instruction_set, names) {
    static_assert(std::string_view(name_of(scalar)) == "scalar");
    static_assert(std::string_view(name_of(vector128)) == "vector128");
    EXPECT_STREQ(name_of(xsimd), "xsimd");
    EXPECT_STREQ(name_of(avx2), "avx2");
    EXPECT_STREQ(name_of(avx512), "avx512");
}

TEST(instruction_set, every_processor_has_the_first_two) {
    EXPECT_TRUE(is_supported(scalar));
    EXPECT_TRUE(is_supported(vector128));
    EXPECT_EQ(copy_test::supported_sets()[0], scalar);
    EXPECT_EQ(copy_test::supported_sets()[1], vector128);
    EXPECT_FALSE(is_supported(avx512) && !is_supported(avx2));
    EXPECT_TRUE(is_supported(sw::default_instruction_set()));
}

TEST(instruction_set, no_file_of_this_program_offers_kernels_by_xsimd) { EXPECT_FALSE(is_supported(xsimd)); }

TEST(instruction_set, the_refusal_of_a_set_names_it) {
    try {
        sw::detail::throw_unsupported_set("avx512");
    } catch (sw::selection_error const& error) {
        EXPECT_STREQ(error.what(), "SLABWISE_SIMD: this program or its processor has no avx512");
    }
}

#if GTEST_HAS_DEATH_TEST
// Each in a process of its own, since the choice is made once.
class instruction_set_death : public testing::Test {
protected:
    instruction_set_death() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(instruction_set_death, the_best_set_without_a_wish) {
    std::string const best = copied_by(copy_test::supported_sets().back());
    EXPECT_EXIT(copy_with_variable(nullptr), testing::ExitedWithCode(0), best);
    EXPECT_EXIT(copy_with_variable(""), testing::ExitedWithCode(0), best);
}

TEST_F(instruction_set_death, every_name_is_heard_or_refused) {
    for (auto const set : all_sets) {
        if (is_supported(set)) {
            EXPECT_EXIT(copy_with_variable(name_of(set)), testing::ExitedWithCode(0), copied_by(set));
        } else {
            EXPECT_EXIT(copy_with_variable(name_of(set)), testing::ExitedWithCode(1),
                        std::string("refused: SLABWISE_SIMD: this program or its processor has no ") + name_of(set));
        }
    }
}

TEST_F(instruction_set_death, an_unknown_name_is_refused_with_those_that_are_known) {
    for (char const* const name : {"sse9", "AVX2", "avx", "avx2 ", "avx5122"}) {
        EXPECT_EXIT(copy_with_variable(name), testing::ExitedWithCode(1),
                    std::string("refused: SLABWISE_SIMD: \"") + name +
                        "\" is none of scalar, vector128, xsimd, avx2, avx512");
    }
}
#endif
