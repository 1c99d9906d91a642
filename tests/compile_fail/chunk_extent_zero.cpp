// expect: throw_chunk_extent_zero
#include <slabwise/grid/chunk_grid.hpp>

#ifdef SLABWISE_TWIN
constexpr slabwise::chunk_grid<2> grid{{10, 5}, {4, 1}};
#else
constexpr slabwise::chunk_grid<2> grid{{10, 5}, {4, 0}};
#endif
