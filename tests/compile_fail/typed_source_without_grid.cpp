// expect: slabwise: a ChunkSource needs `grid\(\) const` that returns a slabwise::chunk_grid
#include <cstddef>
#include <span>
#include <vector>

#include <slabwise/slabwise.hpp>

struct source {
    using value_type = float;
#ifdef SLABWISE_TWIN
    slabwise::chunk_grid<1> grid() const { return {{5}, {2}}; }
#endif
    bool read(slabwise::coord_t<1> const&, std::span<float>) const { return false; }
};

int main() {
    source const array;
    slabwise::hyperslab<1> const slab{slabwise::slice{0, 5}};
    return static_cast<int>(slabwise::read<std::vector<float>>(array, slab).size());
}
