// expect: throw_stride_zero
#include <slabwise/index/slice.hpp>

#ifdef SLABWISE_TWIN
constexpr slabwise::slice every_second{0, 10, 2};
#else
constexpr slabwise::slice every_second{0, 10, 0};
#endif
