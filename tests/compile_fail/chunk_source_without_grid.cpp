// expect: slabwise: a ChunkSource needs `grid\(\) const` that returns a slabwise::chunk_grid
#include <cstddef>
#include <span>
#include <vector>

#include <slabwise/slabwise.hpp>

struct source {
#ifdef SLABWISE_TWIN
    slabwise::chunk_grid<1> grid() const { return {{5}, {2}}; }
#endif
    slabwise::chunk_layout<1> layout() const {
        return slabwise::chunk_layout<1>::c_order(slabwise::element_type_of<float>, {2});
    }
    slabwise::chunk_state read_chunk(slabwise::coord_t<1> const&, std::span<std::byte>) const {
        return slabwise::chunk_state::absent;
    }
};

int main() {
    source const array;
    slabwise::hyperslab<1> const slab{slabwise::slice{0, 5}};
    return static_cast<int>(slabwise::read<std::vector<float>>(array, slab).size());
}
