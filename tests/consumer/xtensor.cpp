#include <vector>

#include <slabwise/interop/xtensor.hpp>
#include <slabwise/slabwise.hpp>
#include <xtensor/xtensor.hpp>

int main() {
    std::vector<int> const numbers{0, 1, 2, 3, 4, 5};
    slabwise::strided_view<int const, 2> const array{std::span(numbers), slabwise::shape<2>{2, 3}};
    slabwise::memory_source<int, 2> const source(array, slabwise::shape<2>{1, 2});
    slabwise::hyperslab<2> const slab{slabwise::slice{1, -1, -1}, slabwise::slice{0, 3, 2}};
    auto const values = slabwise::read<xt::xtensor<int, 2>>(source, slab);
    return values(0, 0) == 3 && values(0, 1) == 5 && values(1, 1) == 2 ? 0 : 1;
}
