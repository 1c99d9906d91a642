// From making a plan to its last projection nothing is allocated. This file replaces operator new of the whole program.
#include <slabwise/plan/nested_plan.hpp>
#include <slabwise/plan/plan.hpp>
#include <slabwise/plan/visit_rank.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

namespace {
long allocations = 0;  // the tests of this folder have one thread
}

// Not inlined: g++ 12 takes malloc and free, inlined on one side only, for mismatched (-Wmismatched-new-delete).
[[gnu::noinline]] void* operator new(std::size_t size) {
    ++allocations;
    if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace sw = slabwise;
using sw::index_t;
using sw::slice;

// A use of every member; the sum keeps the compiler from leaving any out.
template <class Plan>
index_t use_of(Plan const& plan) {
    index_t sum = plan.size() + plan.element_count() + plan.cost(4).bytes_chunks + plan.chunk_box().shape()[0];
    for (auto const p : plan) {
        sum += p.in_chunk()[0].first() + p.in_array()[0].stop() + (p.covers_chunk() ? 1 : 0);
        sum += plan.find(p.coord()) + plan.find_element(p.coord());
    }
    for (auto const part : plan.split(3)) sum += part.element_count() + (*part.begin()).element_count();
    for (auto const part : plan.split_by_elements(3)) sum += part.size();
    return sum + plan[plan.size() / 2].element_count() + plan.projection_of_element(7);
}

template <class Work>
long allocations_of(Work work) {
    long const before = allocations;
    index_t volatile sum = work();
    (void)sum;
    return allocations - before;
}

TEST(allocation, is_counted) {
    EXPECT_EQ(allocations_of([] {
                  ::operator delete(::operator new(5));  // not a new-expression, which a compiler may leave out
                  return 0;
              }),
              1);
}

TEST(allocation, none_from_making_a_plan_to_its_last_projection) {
    EXPECT_EQ(allocations_of([] {
                  sw::chunk_grid<3> const grid{{40, 50, 60}, {7, 8, 9}};
                  return use_of(sw::make_plan(grid, slice{0, 40, 3}, slice::python({}, {}, -2, 50), slice::all(60)));
              }),
              0);
}

TEST(allocation, none_for_an_index_that_drops_its_axis) {
    EXPECT_EQ(allocations_of([] {
                  sw::chunk_grid<3> const grid{{40, 50, 60}, {7, 8, 9}};
                  return use_of(sw::make_plan(grid, 17, slice::clamped(3, 99, 2, 50), slice::counted(59, 6, -11)));
              }),
              0);
}

TEST(allocation, none_for_chunks_within_chunks) {
    EXPECT_EQ(
        allocations_of([] {
            sw::chunk_grid<2> const grid{{40, 50}, {8, 12}};
            sw::nested_plan const nested(sw::make_plan(grid, slice{0, 40, 3}, slice{49, -1, -1}), sw::shape{4, 3});
            index_t sum = nested[nested.size() - 1].inner.element_count();
            for (auto const shard : nested.shards()) {
                for (auto const p : nested.in(shard)) sum += p.inner.element_count();
            }
            return sum;
        }),
        0);
}

TEST(allocation, none_for_a_rank_known_at_run_time) {
    EXPECT_EQ(allocations_of([] {
                  return sw::visit_rank(2, [](auto rank) {
                      sw::chunk_grid<rank()> const grid;
                      return sw::make_plan(grid, sw::hyperslab<rank()>{}).size();
                  });
              }),
              0);
}
