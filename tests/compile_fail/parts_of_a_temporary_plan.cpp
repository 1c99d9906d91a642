// expect: deleted
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;
constexpr sw::chunk_grid<1> grid{{10}, {4}};

#ifdef SLABWISE_TWIN
constexpr auto plan = sw::make_plan(grid, sw::slice{0, 10});
static_assert(plan.split(2).size() == 2);
#else
static_assert(sw::make_plan(grid, sw::slice{0, 10}).split(2).size() == 2);
#endif
