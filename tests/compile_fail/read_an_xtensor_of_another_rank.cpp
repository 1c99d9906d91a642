// expect: slabwise: this type cannot be the result of a read of this rank
#include <array>
#include <list>
#include <span>
#include <vector>

#include <slabwise/slabwise.hpp>
#include <slabwise/interop/xtensor.hpp>
#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xtensor.hpp>
#else
#include <xtensor/xtensor.hpp>
#endif

int main() {
    std::vector<float> const values(6, 1.0F);
    slabwise::memory_source const source(slabwise::strided_view<float const, 2>(values, {2, 3}), slabwise::shape{2, 2});
    slabwise::hyperslab<2> const slab{slabwise::slice{0, 2}, slabwise::slice{0, 3}};
#ifdef SLABWISE_TWIN
    return static_cast<int>(slabwise::read<xt::xtensor<float, 2>>(source, slab).size());
#else
    return static_cast<int>(slabwise::read<xt::xtensor<float, 3>>(source, slab).size());
#endif
}
