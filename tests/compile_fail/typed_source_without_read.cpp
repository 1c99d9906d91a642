// expect: slabwise: a ChunkSource needs `layout\(\) const` that returns a slabwise::chunk_layout of its grid's rank, or else a `value_type` and `bool read\(coord, std::span<value_type>\) const`
#include <cstddef>
#include <span>
#include <vector>

#include <slabwise/slabwise.hpp>

struct source {
    using value_type = float;
    slabwise::chunk_grid<1> grid() const { return {{5}, {2}}; }
#ifdef SLABWISE_TWIN
    bool read(slabwise::coord_t<1> const&, std::span<float>) const { return false; }
#endif
};

int main() {
    source const array;
    slabwise::hyperslab<1> const slab{slabwise::slice{0, 5}};
    return static_cast<int>(slabwise::read<std::vector<float>>(array, slab).size());
}
