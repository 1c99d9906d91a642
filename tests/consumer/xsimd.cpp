#include <slabwise/interop/xsimd.hpp>
#include <slabwise/slabwise.hpp>

int main() { return slabwise::is_supported(slabwise::instruction_set::xsimd) ? 0 : 1; }
