// expect: AxisSelector
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;
constexpr sw::chunk_grid<2> grid{{10, 5}, {4, 2}};

#ifdef SLABWISE_TWIN
constexpr auto plan = sw::make_plan(grid, sw::slice{0, 10}, 3);
#else
constexpr auto plan = sw::make_plan(grid, sw::slice{0, 10}, 3.5);
#endif
