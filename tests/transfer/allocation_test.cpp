// Small reads through a reader allocate nothing once it is warm.
#include <slabwise/transfer/reader.hpp>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include <slabwise/plan/list_axis.hpp>
#include <slabwise/source/memory_source.hpp>

namespace {
std::atomic<int> allocations{0};

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    ++allocations;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void* allocate_or_throw(std::size_t size, std::size_t alignment) {
    void* const memory = allocate(size, alignment);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, std::align_val_t alignment, std::nothrow_t const&) noexcept {
    return allocate(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace sw = slabwise;

TEST(allocation, none_in_small_reads_of_a_warm_reader) {
    std::vector<float> values(40 * 30);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    sw::memory_source const source(sw::strided_view<float const, 2>(values, {40, 30}), sw::shape{7, 8});
    std::vector<float> row(30);
    std::vector<float> column(40);
    auto const listed = sw::make_plan(source.grid(), 11, sw::index_list{3, 29, 3, 0});
    std::vector<float> four(4);
    sw::reader from(source);
    float sum = 0;
    int before = 0;
    for (int round = 0; round < 2; ++round) {
        before = allocations;
        for (sw::index_t i = 0; i < 40; ++i) {
            from.read_into(sw::hyperslab<2>{sw::slice{i, i + 1}, sw::slice{0, 30}}, row);
            sum += row[29];
        }
        for (sw::index_t j = 0; j < 30; ++j) {
            from.read_into(sw::make_plan(source.grid(), sw::slice{39, -1, -1}, j), column);
            sum += column[39];
        }
        from.read_into(listed, four);
        sum += four[1];
    }
    EXPECT_EQ(allocations, before);
    EXPECT_GT(before, 0);
    EXPECT_EQ(sum, 2 * (40 * (30 * 39 / 2.0F + 29) + 29 * 30 / 2.0F + 11 * 30 + 29));
}
