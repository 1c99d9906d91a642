#include <slabwise/copy/copy_program.hpp>

#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <copy/brute_force.hpp>

namespace sw = slabwise;
using copy_test::copy_axis;
using copy_test::index_t;

namespace {

// Every count below two vectors of 64 bytes, each at several alignments, from and to every kind of stride.
void expect_rows_of_every_length(std::size_t element_size, std::size_t swap_size) {
    copy_test::random numbers(element_size * 1000 + swap_size);
    auto const size = static_cast<index_t>(element_size);
    index_t const longest = 2 * 64 / size + 3;
    index_t const source_strides[] = {size, 0, -size, 2 * size, 3 * size, -4 * size, size + 1, 64};
    index_t const destination_strides[] = {size, -size, 2 * size, size + 3};
    for (index_t count = 0; count <= longest; ++count) {
        for (index_t const source : source_strides) {
            for (index_t const destination : destination_strides) {
                copy_axis const axes[] = {
                    {3, source * count + 5, (destination < 0 ? -destination : destination) * count + 7},
                    {count, source, destination}};
                sw::copy_program const program(element_size, swap_size, axes);
                copy_test::expect_like_brute_force(element_size, swap_size, axes, numbers, program);
                if (testing::Test::HasFatalFailure()) return;
            }
        }
    }
}

}  // namespace

TEST(kernels, rows_of_elements) {
    for (std::size_t const size :
         {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 12U, 15U, 16U, 17U, 24U, 31U, 32U, 33U, 40U, 48U}) {
        expect_rows_of_every_length(size, 1);
    }
}

TEST(kernels, rows_of_reversed_words) {
    for (std::size_t const size : {2U, 3U, 4U, 8U, 16U}) expect_rows_of_every_length(size, size);
}

TEST(kernels, rows_of_elements_of_two_reversed_words) {
    for (std::size_t const size : {4U, 6U, 8U, 16U, 32U}) expect_rows_of_every_length(size, size / 2);
}

TEST(kernels, units_of_every_size) {
    copy_test::random numbers(77);
    for (std::size_t size = 1; size <= 600; size += size < 80 ? 1 : 37) {
        auto const unit = static_cast<index_t>(size);
        copy_axis const axes[] = {{2, 20 * unit, 9 * unit}, {5, unit + 3, unit + 1}};
        sw::copy_program const program(size, 1, axes);
        ASSERT_EQ(program.unit_size(), size);
        copy_test::expect_like_brute_force(size, 1, axes, numbers, program);
        if (HasFatalFailure()) return;
    }
}
