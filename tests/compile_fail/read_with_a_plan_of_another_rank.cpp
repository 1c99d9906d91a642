// expect: slabwise: the plan and the array have different ranks
#include <array>
#include <list>
#include <span>
#include <vector>

#include <slabwise/slabwise.hpp>

int main() {
    std::vector<float> const values(6, 1.0F);
    slabwise::memory_source const source(slabwise::strided_view<float const, 2>(values, {2, 3}), slabwise::shape{2, 2});
    slabwise::hyperslab<2> const slab{slabwise::slice{0, 2}, slabwise::slice{0, 3}};
#ifdef SLABWISE_TWIN
    constexpr slabwise::chunk_grid<2> grid{{2, 3}, {2, 2}};
    std::vector<float> to(6);
    slabwise::read_into(source, slabwise::make_plan(grid, slab), to);
#else
    constexpr slabwise::chunk_grid<1> grid{{6}, {2}};
    std::vector<float> to(6);
    slabwise::read_into(source, slabwise::make_plan(grid, slabwise::slice{0, 6}), to);
#endif
}
