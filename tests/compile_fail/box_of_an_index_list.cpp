// expect: IsAffine|in_chunk.*constraints not satisfied
#include <slabwise/plan/list_axis.hpp>
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;

auto first_box(sw::chunk_grid<1> const& grid) {
#ifdef SLABWISE_TWIN
    return sw::make_plan(grid, sw::slice{0, 10})[0].in_chunk();
#else
    return sw::make_plan(grid, sw::index_list{3, 1})[0].in_chunk();
#endif
}
