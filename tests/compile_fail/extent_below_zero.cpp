// expect: throw_bad_extent
#include <slabwise/index/shape.hpp>

#ifdef SLABWISE_TWIN
constexpr slabwise::shape extents{10, 5};
#else
constexpr slabwise::shape extents{10, -5};
#endif
