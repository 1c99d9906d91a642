#include <slabwise/plan/plan.hpp>

int main() {
    constexpr slabwise::chunk_grid<2> grid{{10, 7}, {4, 3}};
    constexpr slabwise::hyperslab<2> slab{slabwise::slice{1, 10, 2}, slabwise::slice{0, 7}};
    static_assert(slabwise::make_plan(grid, slab).size() == 3 * 3);
}
