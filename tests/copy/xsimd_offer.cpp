// Offers xsimd's kernels for the architecture that this file is compiled for, which others of the program are not.
#include <slabwise/interop/xsimd.hpp>

bool processor_has_offered_kernels() {
#if defined(__AVX512BW__)
    return __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#elif defined(__AVX2__)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return true;
#endif
}
