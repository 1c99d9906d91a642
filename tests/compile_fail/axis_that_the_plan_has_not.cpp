// expect: slabwise: the plan has no such axis
#include <slabwise/plan/plan.hpp>

namespace sw = slabwise;
constexpr auto plan = sw::make_plan(sw::chunk_grid<1>{{10}, {4}}, sw::slice{0, 10});

#ifdef SLABWISE_TWIN
static_assert(plan.axis<0>().size() == 3);
#else
static_assert(plan.axis<1>().size() == 3);
#endif
