// expect: slabwise: a projection has no such axis
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;
constexpr auto plan = sw::make_plan(sw::chunk_grid<1>{{10}, {4}}, sw::slice{0, 10});

#ifdef SLABWISE_TWIN
static_assert(plan[0].piece<0>().count == 4);
#else
static_assert(plan[0].piece<1>().count == 4);
#endif
