// Copies of blocks and of every n-th element against xtensor with xsimd. The build defines XTENSOR_USE_XSIMD.
#ifndef XTENSOR_USE_XSIMD
#error "this program measures xtensor with xsimd"
#endif

#include "copy_over_xtensor.hpp"

int main(int argc, char** argv) { return copy_bench::run_over_xtensor(argc, argv, "xtensor_with_xsimd", 1.5); }
