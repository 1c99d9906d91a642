// expect: throw_index_outside
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;
constexpr sw::chunk_grid<1> grid{{10}, {4}};

#ifdef SLABWISE_TWIN
constexpr auto plan = sw::make_plan(grid, sw::slice{0, 10});
#else
constexpr auto plan = sw::make_plan(grid, sw::slice{0, 11});
#endif
