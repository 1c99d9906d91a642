// expect: slabwise: the elements of the destination of a read are const
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
    std::vector<float> to(6);
    slabwise::read_into(source, slab, std::span<float>(to));
#else
    std::vector<float> to(6);
    slabwise::read_into(source, slab, std::span<float const>(to));
#endif
}
