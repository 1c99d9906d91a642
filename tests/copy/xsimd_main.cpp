// Runs the tests of the kernels in a program to which another file offers those by xsimd.
#include <cstdio>

#include <gtest/gtest.h>

#include <slabwise/copy/instruction_set.hpp>

bool processor_has_offered_kernels();

int main(int argc, char** argv) {
    constexpr int skipped = 77;
    if (!processor_has_offered_kernels()) return skipped;
    if (slabwise::default_instruction_set() != slabwise::instruction_set::xsimd) {
        std::fprintf(stderr, "the kernels by xsimd are not offered\n");
        return 1;
    }
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
