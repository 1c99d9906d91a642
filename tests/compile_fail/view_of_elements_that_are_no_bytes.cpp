// expect: slabwise: the elements of a strided_view are copied as bytes
#include <string>

#include <slabwise/copy/strided_view.hpp>

namespace sw = slabwise;

#ifdef SLABWISE_TWIN
using element = char;
#else
using element = std::string;
#endif

element first_of(sw::strided_view<element const, 1> const& view) { return view(0); }
