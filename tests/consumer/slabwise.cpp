#include <vector>

#include <slabwise/slabwise.hpp>

struct counted_chunks {
    using value_type = int;
    slabwise::chunk_grid<2> grid() const { return {{10, 7}, {4, 3}}; }
    bool read(slabwise::coord_t<2> coord, std::span<int> chunk) const {
        for (int& value : chunk) value = static_cast<int>(coord[0] * 3 + coord[1]);
        return true;
    }
};

int main() {
    slabwise::hyperslab<2> const slab{slabwise::slice{3, 9, 5}, slabwise::slice{6, -1, -3}};
    auto const values = slabwise::read<std::vector<int>>(counted_chunks{}, slab);
    return values == std::vector<int>{2, 1, 0, 8, 7, 6} ? 0 : 1;
}
