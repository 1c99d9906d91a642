// Copies of blocks and of every n-th element against xtensor as it comes, without xsimd.
#include "copy_over_xtensor.hpp"

int main(int argc, char** argv) { return copy_bench::run_over_xtensor(argc, argv, "xtensor", 10); }
