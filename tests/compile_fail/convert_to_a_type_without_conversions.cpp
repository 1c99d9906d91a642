// expect: slabwise: elements are converted to bool, integers of up to 64 bits, float16, bfloat16, float, double and complex numbers of float and double only
#include <slabwise/copy/make_conversion.hpp>

int main() {
#ifdef SLABWISE_TWIN
    using element = double;
#else
    using element = long double;
#endif
    return static_cast<int>(slabwise::make_conversion<element>(slabwise::element_type_of<float>).to().size);
}
