// Which instructions the kernels of a copy may use, decided when the program runs.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include <slabwise/copy/plane_kind.hpp>
#include <slabwise/error.hpp>

namespace slabwise {

/// Instructions that kernels are compiled for, whatever the flags of the file that includes them. Results are equal
/// bit by bit. Where a set has no kernel of its own that pays, it uses that of the one before.
enum class instruction_set : unsigned char {
    /// What any processor has: one element after the other.
    scalar,
    /// Registers of 16 bytes: SSE2 or NEON, which every x86-64 and every ARMv8 processor has.
    vector128,
    /// Those that a file was compiled for which includes <slabwise/interop/xsimd.hpp>.
    xsimd,
    /// AVX2, on x86-64.
    avx2,
    /// AVX-512 F, BW, VL and DQ, on x86-64.
    avx512,
};

/// The name by which SLABWISE_SIMD calls a set.
[[nodiscard]] constexpr char const* name_of(instruction_set set) noexcept {
    constexpr char const* names[] = {"scalar", "vector128", "xsimd", "avx2", "avx512"};
    return names[static_cast<std::size_t>(set)];
}

namespace detail {

/// The kernels of instruction_set::xsimd; nullptr as long as no file offers any.
inline std::atomic<offered_kernels const*> xsimd_kernels{nullptr};

}  // namespace detail

/// Whether this processor and its system have the set.
[[nodiscard]] inline bool is_supported(instruction_set set) noexcept {
    switch (set) {
    case instruction_set::scalar:
    case instruction_set::vector128:
        return true;
    case instruction_set::xsimd:
        return detail::xsimd_kernels.load(std::memory_order_acquire) != nullptr;
#if defined(__x86_64__)
    case instruction_set::avx2:
        return __builtin_cpu_supports("avx2") != 0;
    case instruction_set::avx512:
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
               __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0;
#endif
    default:
        return false;
    }
}

namespace detail {

[[noreturn]] inline void throw_unknown_set(char const* name) {
    throw selection_error(
        error_text("SLABWISE_SIMD: \"").append(name).append("\" is none of scalar, vector128, xsimd, avx2, avx512"));
}
[[noreturn]] inline void throw_unsupported_set(char const* name) {
    throw selection_error(error_text("SLABWISE_SIMD: this program or its processor has no ").append(name));
}

inline instruction_set choose_instruction_set() {
    constexpr instruction_set all[] = {instruction_set::avx512, instruction_set::avx2, instruction_set::xsimd,
                                       instruction_set::vector128, instruction_set::scalar};
    char const* const wanted = std::getenv("SLABWISE_SIMD");
    if (wanted == nullptr || *wanted == '\0') {
        for (auto const set : all) {
            if (!is_supported(set)) continue;
            // On 16 bytes xsimd gains nothing over the compiler's own vectors.
            if (set != instruction_set::xsimd || xsimd_kernels.load()->bytes > 16) return set;
        }
    }
    for (auto const set : all) {
        if (std::string_view(wanted) != name_of(set)) continue;
        if (!is_supported(set)) throw_unsupported_set(name_of(set));
        return set;
    }
    throw_unknown_set(wanted);
}

}  // namespace detail

/// The set that copies use: the best that the processor has, or the one that the environment variable SLABWISE_SIMD
/// names when the first copy is prepared. **Throws** selection_error when it names none, or one that the processor has
/// not. **Cost** a load, after the first call.
[[nodiscard]] inline instruction_set default_instruction_set() {
    static instruction_set const chosen = detail::choose_instruction_set();
    return chosen;
}

}  // namespace slabwise
