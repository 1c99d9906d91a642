// Which kernel copies a plane. A copy program ends in one function pointer, its kernel, which copies two axes of units.
//
// A kernel with vectors is there for the rows below, where it is at least a tenth faster than the loop without; sizes
// and strides are those of words:
//
// | set       | gather                                            | reversed, contiguous | reversed, stride 2 | transpose |
// |-----------|---------------------------------------------------|----------------------|--------------------|-----------|
// | vector128 | 2: size 1, 2, 4; 4: 1, 2; 8: 1                    | 2, 4                 | 2                  | all       |
// | avx2      | 2, -1: all; 3, 4: 1, 2, 4; 8: 1, 2                | all                  | all                | all       |
// | avx512    | 2, 3, -1: all; 4: 1, 2, 4; 8: 1, 2                | all                  | all                | all       |
#pragma once

#include <cstddef>

#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/gather.hpp>
#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/copy/lanes.hpp>
#include <slabwise/copy/loops.hpp>
#include <slabwise/copy/runs.hpp>
#include <slabwise/copy/transpose.hpp>
#include <slabwise/copy/units.hpp>

namespace slabwise::detail {

/// Copies a plane of units: axes[0] is the inner axis, axes[1] the rows.
/// **Expects** that source and destination do not overlap.
using copy_kernel = void (*)(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                             std::byte* destination) noexcept;

/// Kernel::run as a function of its own, compiled for a set of instructions.
template <instruction_set Set, class Kernel>
struct compiled_for {
    static void run(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                    std::byte* destination) noexcept {
        Kernel::run(axes, unit_size, source, destination);
    }
};
#if defined(__x86_64__)
template <class Kernel>
struct compiled_for<instruction_set::avx2, Kernel> {
    [[gnu::target("avx2")]] static void run(copy_axis const* axes, std::size_t unit_size, std::byte const* source,
                                            std::byte* destination) noexcept {
        Kernel::run(axes, unit_size, source, destination);
    }
};
template <class Kernel>
struct compiled_for<instruction_set::avx512, Kernel> {
    [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]] static void run(copy_axis const* axes,
                                                                          std::size_t unit_size,
                                                                          std::byte const* source,
                                                                          std::byte* destination) noexcept {
        Kernel::run(axes, unit_size, source, destination);
    }
};
#endif

/// Runs of more bytes than that are left to memcpy.
inline constexpr std::size_t longest_inline_run = 512;

/// The kernels of one set. Each is nullptr where none pays, or the plane is too small.
template <instruction_set Set, std::size_t Bytes>
struct vector_kernels {
    using model = vector_model<Set, Bytes>;
    static constexpr bool is_128 = Set == instruction_set::vector128;
    static constexpr bool is_512 = Set == instruction_set::avx512;

    template <std::size_t Size, index_t Stride, class Change = unchanged, class Model = model>
    static copy_kernel gather_if_fits(index_t count) noexcept {
        using kernel = gather<Model, Size, Stride, Change>;
        return count > kernel::width ? compiled_for<Set, kernel>::run : nullptr;
    }
    template <std::size_t Size>
    static copy_kernel choose_gather(index_t stride, [[maybe_unused]] index_t count) noexcept {
        switch (stride) {
        case 2:
            if constexpr (!is_128 || Size <= 4) return gather_if_fits<Size, 2>(count);
            break;
        case 3:
            if constexpr (is_512 || (!is_128 && Size <= 4)) return gather_if_fits<Size, 3>(count);
            break;
        case 4:
            if constexpr (Size <= 2 || (!is_128 && Size == 4)) return gather_if_fits<Size, 4>(count);
            break;
        case 8:
            if constexpr (is_512 && Size <= 2) {
                return gather_if_fits<Size, 8>(count);
            } else if constexpr (Size == 1 || (!is_128 && Size == 2)) {
                return gather_if_fits<Size, 8, unchanged, vector_model<Set, 16>>(count);
            }
            break;
        case -1:
            if constexpr (!is_128) return gather_if_fits<Size, -1>(count);
            break;
        default:
            break;
        }
        return nullptr;
    }
    template <std::size_t Size>
    static copy_kernel choose_reversed(index_t stride, [[maybe_unused]] index_t count) noexcept {
        if constexpr (!is_128 || Size <= 4) {
            if (stride == 1) return gather_if_fits<Size, 1, reversed<Size>>(count);
        }
        if constexpr (!is_128 || Size == 2) {
            if (stride == 2) return gather_if_fits<Size, 2, reversed<Size>>(count);
        }
        return nullptr;
    }
    template <std::size_t Size>
    static copy_kernel choose_transpose([[maybe_unused]] index_t count) noexcept {
        if constexpr (!is_512 || Size == 4) {
            using kernel = transpose<model, Size>;
            return count >= kernel::width ? compiled_for<Set, kernel>::run : nullptr;
        }
        return nullptr;
    }
    static copy_kernel choose_runs(std::size_t unit_size) noexcept {
        return unit_size >= Bytes ? compiled_for<Set, copy_runs<model>>::run : nullptr;
    }
};

/// What `choose` finds among the vector_kernels of a set, or else of those before; nullptr where there is none.
template <class Choose>
copy_kernel choose_in(instruction_set set, Choose choose) noexcept {
    copy_kernel kernel = nullptr;
#if defined(__x86_64__)
    if (set >= instruction_set::avx512) kernel = choose(vector_kernels<instruction_set::avx512, 64>{});
    if (kernel == nullptr && set >= instruction_set::avx2) {
        kernel = choose(vector_kernels<instruction_set::avx2, 32>{});
    }
#endif
    if (kernel == nullptr && set >= instruction_set::vector128) {
        kernel = choose(vector_kernels<instruction_set::vector128, 16>{});
    }
    return kernel;
}

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
    if constexpr (Size <= 8) {
        if (is_transpose(axes[0], axes[1], Size)) {
            kernel = choose_in(set, [=](auto kernels) {
                return kernels.template choose_transpose<Size>(axes[0].count);
            });
        } else if (axes[0].source_byte_stride % size == 0) {
            index_t const stride = axes[0].source_byte_stride / size;
            kernel = choose_in(set, [=](auto kernels) {
                return kernels.template choose_gather<Size>(stride, axes[0].count);
            });
        }
    }
    return kernel != nullptr ? kernel : copy_strided<fixed_unit<Size>, size>;
}

template <std::size_t Size, std::size_t Word>
copy_kernel choose_reversed_kernel(instruction_set set, copy_axis const* axes) noexcept {
    constexpr auto size = static_cast<index_t>(Size);
    if (axes[0].has_table() || axes[1].has_table()) return copy_listed<reversed_unit<Size, Word>>;
    if (axes[0].destination_byte_stride != size) return copy_strided<reversed_unit<Size, Word>>;
    copy_kernel kernel = nullptr;
    if constexpr (Size == Word && Size <= 8) {
        if (axes[0].source_byte_stride % size == 0) {
            index_t const stride = axes[0].source_byte_stride / size;
            kernel = choose_in(set, [=](auto kernels) {
                return kernels.template choose_reversed<Size>(stride, axes[0].count);
            });
        }
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

/// The kernel for the plane of axes[0] and axes[1], whose units are copied as they are, or with their words of word_size
/// bytes reversed where that is above 1; a unit is then one word, or a pair that reverses_units() knows.
inline copy_kernel choose_kernel(instruction_set set, copy_axis const* axes, std::size_t unit_size,
                                 std::size_t word_size) noexcept {
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
        return choose_word_kernel<16>(set, axes);
    default:
        break;
    }
    if (unit_size < 4) return copy_strided<paired_unit<2>>;
    if (unit_size < 8) return copy_strided<paired_unit<4>>;
    if (unit_size < 16) return copy_strided<paired_unit<8>>;
    if (unit_size < 32) return copy_strided<paired_unit<16>>;
    if (unit_size > longest_inline_run) return copy_strided<run_unit>;
    copy_kernel const kernel = choose_in(set, [=](auto kernels) { return kernels.choose_runs(unit_size); });
    return kernel != nullptr ? kernel : copy_strided<blocked_unit>;
}

}  // namespace slabwise::detail
