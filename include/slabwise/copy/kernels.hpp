// Which kernel copies a plane. A copy program ends in one function pointer, its kernel, which copies two axes of units:
// one with vectors where there is one, otherwise a loop.
#pragma once

#include <cstddef>

#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/copy/loops.hpp>
#include <slabwise/copy/units.hpp>
#include <slabwise/copy/vector_kernels.hpp>

namespace slabwise::detail {

/// Runs of more bytes than that are left to memcpy, or are stored past the caches.
inline constexpr std::size_t longest_inline_run = 256;

/// Whether inner and outer, the two axes of a plane, are contiguous in the destination and in the source.
inline bool is_transpose(copy_axis const& inner, copy_axis const& outer, std::size_t unit_size) noexcept {
    auto const unit = static_cast<index_t>(unit_size);
    return unit <= 8 && (unit & (unit - 1)) == 0 && inner.destination_byte_stride == unit &&
           outer.source_byte_stride == unit && inner.count >= 16 / unit && outer.count >= 16 / unit;
}

template <std::size_t Size>
copy_kernel choose_word_kernel(instruction_set set, copy_axis const* axes) noexcept {
    constexpr auto size = static_cast<index_t>(Size);
    if (axes[0].destination_byte_stride != size) return copy_strided<fixed_unit<Size>>;
    copy_kernel kernel = nullptr;
    if (is_transpose(axes[0], axes[1], Size)) {
        kernel = find_kernel_in(set, {plane_kind::access::transpose, Size, 0, axes[0].count});
    } else if (axes[0].source_byte_stride % size == 0) {
        index_t const stride = axes[0].source_byte_stride / size;
        kernel = find_kernel_in(set, {plane_kind::access::gather, Size, stride, axes[0].count});
    }
    return kernel != nullptr ? kernel : copy_strided<fixed_unit<Size>, size>;
}

template <std::size_t Size, std::size_t Word>
copy_kernel choose_reversed_kernel(instruction_set set, copy_axis const* axes) noexcept {
    constexpr auto size = static_cast<index_t>(Size);
    if (axes[0].has_table() || axes[1].has_table()) return copy_listed<reversed_unit<Size, Word>>;
    if (axes[0].destination_byte_stride != size) return copy_strided<reversed_unit<Size, Word>>;
    copy_kernel kernel = nullptr;
    if (Size == Word && axes[0].source_byte_stride % size == 0) {
        index_t const stride = axes[0].source_byte_stride / size;
        kernel = find_kernel_in(set, {plane_kind::access::reversed, Size, stride, axes[0].count});
    }
    return kernel != nullptr ? kernel : copy_strided<reversed_unit<Size, Word>, size>;
}

/// Whether there is a kernel that reverses the words of whole units of this size.
inline bool reverses_units(std::size_t unit_size, std::size_t word_size) noexcept {
    bool const is_word = word_size == 2 || word_size == 4 || word_size == 8;
    return (is_word && (unit_size == word_size || unit_size == 2 * word_size)) || (unit_size == 16 && word_size == 16);
}

/// The kernel for a plane of units whose words are to be reversed.
inline copy_kernel choose_reversing_kernel(instruction_set set, copy_axis const* axes, std::size_t unit_size,
                                           std::size_t word_size) noexcept {
    if (reverses_units(unit_size, word_size)) {
        bool const is_pair = unit_size != word_size;
        switch (word_size) {
        case 2:
            return is_pair ? choose_reversed_kernel<4, 2>(set, axes) : choose_reversed_kernel<2, 2>(set, axes);
        case 4:
            return is_pair ? choose_reversed_kernel<8, 4>(set, axes) : choose_reversed_kernel<4, 4>(set, axes);
        case 8:
            return is_pair ? choose_reversed_kernel<16, 8>(set, axes) : choose_reversed_kernel<8, 8>(set, axes);
        default:
            return choose_reversed_kernel<16, 16>(set, axes);
        }
    }
    bool const has_table = axes[0].has_table() || axes[1].has_table();
    return has_table ? copy_listed<reversed_run> : copy_strided<reversed_run>;
}

/// The kernel for a plane with a table.
inline copy_kernel choose_listed_kernel(std::size_t unit_size) noexcept {
    switch (unit_size) {
    case 1:
        return copy_listed<fixed_unit<1>>;
    case 2:
        return copy_listed<fixed_unit<2>>;
    case 4:
        return copy_listed<fixed_unit<4>>;
    case 8:
        return copy_listed<fixed_unit<8>>;
    case 16:
        return copy_listed<fixed_unit<16>>;
    default:
        return copy_listed<run_unit>;
    }
}

/// The kernel for the plane of axes[0] and axes[1], whose units are copied as they are, or with their words of
/// word_size bytes reversed where that is above 1; a unit is then one word, or a pair that reverses_units() knows.
inline copy_kernel choose_kernel(instruction_set set, copy_axis const* axes, std::size_t unit_size,
                                 std::size_t word_size, store_mode stores = store_mode::cached) noexcept {
    if (word_size > 1) return choose_reversing_kernel(set, axes, unit_size, word_size);
    if (axes[0].has_table() || axes[1].has_table()) return choose_listed_kernel(unit_size);
    bool const writes_contiguously = axes[0].destination_byte_stride == static_cast<index_t>(unit_size);
    if (writes_contiguously && axes[0].source_byte_stride == 0) return copy_repeated;
    switch (unit_size) {
    case 1:
        return choose_word_kernel<1>(set, axes);
    case 2:
        return choose_word_kernel<2>(set, axes);
    case 4:
        return choose_word_kernel<4>(set, axes);
    case 8:
        return choose_word_kernel<8>(set, axes);
    case 16:
        return writes_contiguously ? copy_strided<fixed_unit<16>, 16> : copy_strided<fixed_unit<16>>;
    default:
        break;
    }
    if (unit_size < 4) return copy_strided<paired_unit<2>>;
    if (unit_size < 8) return copy_strided<paired_unit<4>>;
    if (unit_size < 16) return copy_strided<paired_unit<8>>;
    if (unit_size < 32) return copy_strided<paired_unit<16>>;
    bool const is_long = unit_size > longest_inline_run;
    if (is_long && stores == store_mode::cached) return copy_strided<run_unit>;
    auto const how = is_long ? plane_kind::access::streamed_runs : plane_kind::access::runs;
    copy_kernel const kernel = find_kernel_in(set, {how, unit_size, 0, axes[0].count});
    if (kernel != nullptr) return kernel;
    return is_long ? copy_strided<run_unit> : copy_strided<blocked_unit>;
}

}  // namespace slabwise::detail
