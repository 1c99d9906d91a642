#include <fmt/format.h>
#include <slabwise/interop/fmt.hpp>

int main() { return fmt::format("{}", slabwise::slice{1, 9, 2}) == "1:8:2" ? 0 : 1; }
