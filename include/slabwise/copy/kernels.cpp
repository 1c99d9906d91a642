// The kernels of copies and conversions for programs that link slabwise::kernels: compiled here once, where otherwise
// each file that copies has its own.
#include <slabwise/copy/make_conversion.hpp>
#include <slabwise/copy/vector_kernels.hpp>

namespace slabwise::detail {

template copy_kernel find_kernel<dispatched_model<instruction_set::vector128, 16>>(plane_kind const&) noexcept;
#if defined(__x86_64__)
template copy_kernel find_kernel<dispatched_model<instruction_set::avx2, 32>>(plane_kind const&) noexcept;
template copy_kernel find_kernel<dispatched_model<instruction_set::avx512, 64>>(plane_kind const&) noexcept;
#endif

template conversion make_conversion_to<element_kind::boolean, 1>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::signed_integer, 1>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::signed_integer, 2>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::signed_integer, 4>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::signed_integer, 8>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::unsigned_integer, 1>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::unsigned_integer, 2>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::unsigned_integer, 4>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::unsigned_integer, 8>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::brain_floating, 2>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::floating, 2>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::floating, 4>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::floating, 8>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::complex_floating, 8>(conversion_parts, bool);
template conversion make_conversion_to<element_kind::complex_floating, 16>(conversion_parts, bool);

}  // namespace slabwise::detail
