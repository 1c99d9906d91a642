// Which kernels with vectors there are, for one model of lanes.
//
// A model says for each kernel whether it has it; it has those that are at least a tenth faster than the loop without
// vectors. Sizes are those of a word in bytes, strides are counted in words:
//
// | model     | gather, by stride                  | reversed, by stride | transpose | runs |
// |-----------|------------------------------------|---------------------|-----------|------|
// | vector128 | 2: size 1, 2, 4; 4: 1, 2; 8: 1     | 1: 2, 4; 2: 2       | all       | yes  |
// | avx2      | 2, -1: all; 3, 4: 1, 2, 4; 8: 1    | 1, 2: all           | all       | yes  |
// | avx512    | 2, 3, -1: all; 4: 1, 2, 4; 8: 1, 2 | 1, 2: all           | 4         | no   |
//
// What is not there for lack of gain: gather instructions take 2 to 10 times as long as loads of single words; asking
// for lines ahead of a gather; registers of 64 bytes for short runs, where they cross a cache line too often.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/gather.hpp>
#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/copy/lanes.hpp>
#include <slabwise/copy/plane_kind.hpp>
#include <slabwise/copy/runs.hpp>
#include <slabwise/copy/transpose.hpp>

namespace slabwise::detail {

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
    [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq")]] static void
    run(copy_axis const* axes, std::size_t unit_size, std::byte const* source, std::byte* destination) noexcept {
        Kernel::run(axes, unit_size, source, destination);
    }
};
#endif

/// A vector_model with the kernels that it has.
template <instruction_set Set, std::size_t Bytes>
struct dispatched_model : vector_model<Set, Bytes> {
    static constexpr bool is_128 = Set == instruction_set::vector128;
    static constexpr bool is_512 = Set == instruction_set::avx512;

    static constexpr bool has_gather(std::size_t size, index_t stride) {
        switch (stride) {
        case 2:
            return !is_128 || size <= 4;
        case 3:
            return is_512 || (!is_128 && size <= 4);
        case 4:
            return size <= 2 || (!is_128 && size == 4);
        case 8:
            return size == 1 || (is_512 && size == 2);
        default:
            return !is_128;
        }
    }
    /// With stride 2 and from beyond the first cache, registers of 32 bytes are 1.1 times faster than those of 64.
    static constexpr index_t longest_row(std::size_t size, index_t stride) {
        return is_512 && stride == 2 ? (index_t{16} << 10) / static_cast<index_t>(size)
                                     : (std::numeric_limits<index_t>::max)();
    }
    static constexpr bool has_reversed(std::size_t size, index_t stride) {
        return !is_128 || size == 2 || (size == 4 && stride == 1);
    }
    static constexpr bool has_transpose(std::size_t size) { return !is_512 || size == 4; }
    static constexpr bool has_runs = !is_512;

    template <class Kernel>
    static constexpr copy_kernel compiled = compiled_for<Set, Kernel>::run;
};

template <class Model, std::size_t Size, index_t Stride, class Change>
copy_kernel gather_if_fits(index_t count) noexcept {
    using kernel = gather<Model, Size, Stride, Change>;
    bool const fits = count > kernel::width && count <= Model::longest_row(Size, Stride);
    return fits ? Model::template compiled<kernel> : nullptr;
}

template <class Model, std::size_t Size>
copy_kernel find_gather(index_t stride, [[maybe_unused]] index_t count) noexcept {
    switch (stride) {
    case 2:
        if constexpr (Model::has_gather(Size, 2)) return gather_if_fits<Model, Size, 2, unchanged>(count);
        break;
    case 3:
        if constexpr (Model::has_gather(Size, 3)) return gather_if_fits<Model, Size, 3, unchanged>(count);
        break;
    case 4:
        if constexpr (Model::has_gather(Size, 4)) return gather_if_fits<Model, Size, 4, unchanged>(count);
        break;
    case 8:
        if constexpr (Model::has_gather(Size, 8)) return gather_if_fits<Model, Size, 8, unchanged>(count);
        break;
    case -1:
        if constexpr (Model::has_gather(Size, -1)) return gather_if_fits<Model, Size, -1, unchanged>(count);
        break;
    default:
        break;
    }
    return nullptr;
}

template <class Model, std::size_t Size>
copy_kernel find_reversed(index_t stride, [[maybe_unused]] index_t count) noexcept {
    if constexpr (Size > 1 && Model::has_reversed(Size, 1)) {
        if (stride == 1) return gather_if_fits<Model, Size, 1, reversed>(count);
    }
    if constexpr (Size > 1 && Model::has_reversed(Size, 2)) {
        if (stride == 2) return gather_if_fits<Model, Size, 2, reversed>(count);
    }
    return nullptr;
}

template <class Model, std::size_t Size>
copy_kernel find_word_kernel(plane_kind const& plane) noexcept {
    if (plane.how == plane_kind::access::gather) return find_gather<Model, Size>(plane.stride, plane.count);
    if (plane.how == plane_kind::access::reversed) return find_reversed<Model, Size>(plane.stride, plane.count);
    if constexpr (Model::has_transpose(Size)) {
        using kernel = transpose<Model, Size>;
        if (plane.count >= kernel::width) return Model::template compiled<kernel>;
    }
    return nullptr;
}

/// The kernel of a model for a plane; nullptr where it has none, or the plane is too small.
template <class Model>
copy_kernel find_kernel(plane_kind const& plane) noexcept {
    if (plane.how == plane_kind::access::runs) {
        if constexpr (Model::has_runs) {
            if (plane.size >= Model::bytes) return Model::template compiled<copy_runs<Model>>;
        }
        return nullptr;
    }
    if (plane.how == plane_kind::access::streamed_runs) {
        if constexpr (Model::streams) return Model::template compiled<stream_runs<Model>>;
        return nullptr;
    }
    switch (plane.size) {
    case 1:
        return find_word_kernel<Model, 1>(plane);
    case 2:
        return find_word_kernel<Model, 2>(plane);
    case 4:
        return find_word_kernel<Model, 4>(plane);
    case 8:
        return find_word_kernel<Model, 8>(plane);
    default:
        return nullptr;
    }
}

#if defined(SLABWISE_COMPILED_KERNELS)
// Compiled by slabwise::kernels.
extern template copy_kernel find_kernel<dispatched_model<instruction_set::vector128, 16>>(plane_kind const&) noexcept;
#if defined(__x86_64__)
extern template copy_kernel find_kernel<dispatched_model<instruction_set::avx2, 32>>(plane_kind const&) noexcept;
extern template copy_kernel find_kernel<dispatched_model<instruction_set::avx512, 64>>(plane_kind const&) noexcept;
#endif
#endif

/// The kernel of a set for a plane, or else of a set before it; nullptr where none has one.
inline copy_kernel find_kernel_in(instruction_set set, plane_kind const& plane) noexcept {
    copy_kernel kernel = nullptr;
#if defined(__x86_64__)
    if (set >= instruction_set::avx512) kernel = find_kernel<dispatched_model<instruction_set::avx512, 64>>(plane);
    if (kernel == nullptr && set >= instruction_set::avx2) {
        kernel = find_kernel<dispatched_model<instruction_set::avx2, 32>>(plane);
    }
#endif
    if (set == instruction_set::xsimd) kernel = xsimd_kernels.load(std::memory_order_acquire)->find(plane);
    if (kernel == nullptr && set >= instruction_set::vector128) {
        kernel = find_kernel<dispatched_model<instruction_set::vector128, 16>>(plane);
    }
    return kernel;
}

}  // namespace slabwise::detail
