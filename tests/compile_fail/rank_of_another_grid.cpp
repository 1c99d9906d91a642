// expect: no matching function for call to ['‘](slabwise::)?make_plan
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;
constexpr sw::chunk_grid<2> grid{{10, 5}, {4, 2}};

#ifdef SLABWISE_TWIN
constexpr auto plan = sw::make_plan(grid, sw::hyperslab{sw::slice{0, 10}, sw::slice{0, 5}});
#else
constexpr auto plan = sw::make_plan(grid, sw::hyperslab{sw::slice{0, 10}, sw::slice{0, 5}, sw::slice{0, 1}});
#endif
