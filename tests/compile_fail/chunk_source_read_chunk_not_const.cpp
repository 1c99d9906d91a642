// expect: slabwise: a ChunkSource needs `read_chunk\(coord, std::span<std::byte>\) const` that returns a slabwise::chunk_state
#include <cstddef>
#include <span>
#include <vector>

#include <slabwise/slabwise.hpp>

struct source {
    slabwise::chunk_grid<1> grid() const { return {{5}, {2}}; }
    slabwise::chunk_layout<1> layout() const {
        return slabwise::chunk_layout<1>::c_order(slabwise::element_type_of<float>, {2});
    }
#ifdef SLABWISE_TWIN
    slabwise::chunk_state read_chunk(slabwise::coord_t<1> const&, std::span<std::byte>) const {
        return slabwise::chunk_state::absent;
    }
#else
    slabwise::chunk_state read_chunk(slabwise::coord_t<1> const&, std::span<std::byte>) {
        return slabwise::chunk_state::absent;
    }
#endif
};

int main() {
    source const array;
    slabwise::hyperslab<1> const slab{slabwise::slice{0, 5}};
    return static_cast<int>(slabwise::read<std::vector<float>>(array, slab).size());
}
