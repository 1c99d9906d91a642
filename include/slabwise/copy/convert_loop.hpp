// Loops over contiguous elements: the conversion of each, with scale and offset or without, and the replacement of fill
// values. Each is compiled twice, for the instructions of the including file and for AVX2, which sets that have AVX2
// use; the results are equal bit by bit.
//
// g++ 12 makes vectors at -O2 only of loops whose number of turns it knows, so the loops take blocks of block_elements.
// What is no whole block is the business of run_blocks, which is compiled once, not for each pair of types: the last
// block overlaps with the one before, and fewer elements than one block go through buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <slabwise/copy/convert_value.hpp>
#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/copy/words.hpp>

namespace slabwise {

namespace detail {

inline constexpr std::size_t block_elements = 64;
/// From so many on, writing cache lines whole is worth a block that is converted twice.
inline constexpr std::size_t many_elements = 1024;
inline constexpr std::size_t cache_line = 64;

/// result = stored * scale + offset.
struct linear_scale {
    double scale;
    double offset;

    friend constexpr bool operator==(linear_scale const&, linear_scale const&) noexcept = default;
};

/// Converts blocks of block_elements elements, aligned or not, between memory that does not overlap. Gives the first
/// block with an element that does not fit, or `blocks`. Only those of scaled values use the scale.
using convert_kernel = std::size_t (*)(std::byte const* source, std::byte* destination, std::size_t blocks,
                                       linear_scale const& scale) noexcept;

/// Writes `replacement` over each element whose source has the bits of `fill`.
using replace_kernel = void (*)(std::byte const* source, std::byte* destination, std::size_t count,
                                std::byte const* fill, std::byte const* replacement) noexcept;

/// One element, from memory to memory. Whether it fits.
template <conversion_rule Rule, class To, class From>
struct convert_element {
    static constexpr bool may_not_fit = Rule == conversion_rule::check && !always_fits<To, From>();
    // AVX2 has no conversions between integers of 64 bits and floating numbers.
    static constexpr bool gains_from_avx2 = !(is_real_float<From> && std::is_integral_v<To> && sizeof(To) == 8) &&
                                            !(is_real_float<To> && std::is_integral_v<From> && sizeof(From) == 8);
    static constexpr std::size_t from_size = sizeof(From);
    static constexpr std::size_t to_size = sizeof(To);

    [[gnu::always_inline]] static bool run(std::byte const* source, std::byte* destination,
                                           linear_scale const&) noexcept {
        From value;
        std::memcpy(&value, source, sizeof value);
        To const converted = convert_value<Rule, To>(value);
        std::memcpy(destination, &converted, sizeof converted);
        if constexpr (may_not_fit) return fits<To>(value);
        return true;
    }
};

/// A double with scale and offset; convert_block has the formula.
struct scale_element {
    static constexpr bool may_not_fit = false;
    static constexpr bool gains_from_avx2 = true;
    static constexpr std::size_t from_size = sizeof(double);
    static constexpr std::size_t to_size = sizeof(double);
};

/// A real element that becomes the real half of a complex one.
template <conversion_rule Rule, class To, class From>
struct complex_element : convert_element<Rule, To, From> {
    static constexpr std::size_t to_size = 2 * sizeof(To);
    [[gnu::always_inline]] static bool run(std::byte const* source, std::byte* destination,
                                           linear_scale const& scale) noexcept {
        using element = convert_element<Rule, To, From>;
        To const zero{};
        std::memcpy(destination + sizeof(To), &zero, sizeof zero);
        return element::run(source, destination, scale);
    }
};

/// A block of elements. Whether all fit.
template <class Element>
[[gnu::always_inline]] inline bool convert_block(std::byte const* __restrict source, std::byte* __restrict destination,
                                                 linear_scale const& scale) noexcept {
    unsigned misfits = 0;
    for (std::size_t i = 0; i < block_elements; ++i) {
        bool const fits = Element::run(source + i * Element::from_size, destination + i * Element::to_size, scale);
        if constexpr (Element::may_not_fit) misfits |= unsigned{!fits};
    }
    return misfits == 0;
}

/// All products are rounded before the first sum is: where the including file may use FMA, g++ would round once.
template <>
[[gnu::always_inline]] inline bool convert_block<scale_element>(std::byte const* __restrict source,
                                                                std::byte* __restrict destination,
                                                                linear_scale const& scale) noexcept {
    double values[block_elements];
    std::memcpy(values, source, sizeof values);
    for (double& value : values) value *= scale.scale;
    asm volatile("" : : "r"(values) : "memory");
    for (double& value : values) value += scale.offset;
    std::memcpy(destination, values, sizeof values);
    return true;
}

template <class Element>
[[gnu::always_inline]] inline std::size_t convert_blocks(std::byte const* source, std::byte* destination,
                                                         std::size_t blocks, linear_scale const& scale) noexcept {
    linear_scale const by = scale;
    for (std::size_t block = 0; block < blocks; ++block) {
        bool const fits = convert_block<Element>(source, destination, by);
        if constexpr (Element::may_not_fit) {
            if (!fits) return block;
        }
        source += block_elements * Element::from_size;
        destination += block_elements * Element::to_size;
    }
    return blocks;
}

template <class Element>
std::size_t convert_baseline(std::byte const* source, std::byte* destination, std::size_t blocks,
                             linear_scale const& scale) noexcept {
    return convert_blocks<Element>(source, destination, blocks, scale);
}
#if defined(__x86_64__)
template <class Element>
[[gnu::target("avx2")]] std::size_t convert_avx2(std::byte const* source, std::byte* destination, std::size_t blocks,
                                                 linear_scale const& scale) noexcept {
    return convert_blocks<Element>(source, destination, blocks, scale);
}
#endif

/// The loop over elements.
template <class Element>
convert_kernel kernel_for([[maybe_unused]] instruction_set set) noexcept {
#if defined(__x86_64__)
    if constexpr (Element::gains_from_avx2) {
        if (set >= instruction_set::avx2) return convert_avx2<Element>;
    }
#endif
    return convert_baseline<Element>;
}

/// Copies elements that stay as they are.
template <std::size_t Size>
std::size_t keep_elements(std::byte const* source, std::byte* destination, std::size_t blocks,
                          linear_scale const&) noexcept {
    std::memcpy(destination, source, blocks * block_elements * Size);
    return blocks;
}

/// A kernel with the sizes of its elements.
struct block_kernel {
    convert_kernel run = nullptr;
    std::size_t from_size = 0;
    std::size_t to_size = 0;

    friend constexpr bool operator==(block_kernel const&, block_kernel const&) noexcept = default;
};

/// Runs a kernel over fewer elements than one block. Whether all fit.
inline bool all_fit(block_kernel const& kernel, std::byte const* source, std::byte* destination, std::size_t count,
                    linear_scale const& scale) noexcept {
    std::byte few[block_elements * 8];
    std::byte converted[block_elements * 16];
    std::size_t const bytes = count * kernel.from_size;
    std::memcpy(few, source, bytes);
    // Behind them comes more of the same, which fits if they do.
    for (std::size_t done = bytes; done < block_elements * kernel.from_size;) {
        std::size_t const rest = block_elements * kernel.from_size - done;
        std::size_t const size = done < rest ? done : rest;
        std::memcpy(few + done, few, size);
        done += size;
    }
    bool const fits = kernel.run(few, converted, 1, scale) == 1;
    std::memcpy(destination, converted, count * kernel.to_size);
    return fits;
}

/// The first element that does not fit, where one of the next does not.
inline std::size_t find_misfit(block_kernel const& kernel, std::byte const* source,
                               linear_scale const& scale) noexcept {
    std::byte converted[16];
    std::size_t i = 0;
    while (all_fit(kernel, source + i * kernel.from_size, converted, 1, scale)) ++i;
    return i;
}

/// Runs a kernel over `count` elements. Gives the first that does not fit, or count.
inline std::size_t run_blocks(block_kernel const& kernel, std::byte const* source, std::byte* destination,
                              std::size_t count, linear_scale const& scale) noexcept {
    auto const run = [&](std::size_t at, std::size_t blocks) {
        return kernel.run(source + at * kernel.from_size, destination + at * kernel.to_size, blocks, scale);
    };
    if (count < block_elements) {
        bool const fits = count == 0 || all_fit(kernel, source, destination, count, scale);
        return fits ? count : find_misfit(kernel, source, scale);
    }
    // Where there is much to write, all but the first block begin at a cache line.
    std::size_t done = 0;
    std::size_t const past_line = reinterpret_cast<std::uintptr_t>(destination) % cache_line;
    if (count >= many_elements && past_line % kernel.to_size == 0 && past_line != 0) {
        if (run(0, 1) == 0) return find_misfit(kernel, source, scale);
        done = (cache_line - past_line) / kernel.to_size;
    }
    std::size_t const blocks = (count - done) / block_elements;
    std::size_t const fitting = run(done, blocks);
    done += fitting * block_elements;
    if (fitting < blocks) return done + find_misfit(kernel, source + done * kernel.from_size, scale);
    if (done == count) return count;
    done = count - block_elements;
    if (run(done, 1) == 1) return count;
    return done + find_misfit(kernel, source + done * kernel.from_size, scale);
}

/// An element whose bits are compared and set.
template <std::size_t Size>
struct bits_of_element {
    word_of<Size> word;
    [[gnu::always_inline]] static bits_of_element load(std::byte const* from) noexcept {
        bits_of_element bits;
        std::memcpy(&bits.word, from, Size);
        return bits;
    }
    [[gnu::always_inline]] void store(std::byte* to) const noexcept { std::memcpy(to, &word, Size); }
    [[gnu::always_inline]] bool equals(bits_of_element const& other) const noexcept { return word == other.word; }
    [[gnu::always_inline]] void replace(bool condition, bits_of_element const& by) noexcept {
        word = select(mask_of<word_of<Size>>(condition), by.word, word);
    }
};
template <>
struct bits_of_element<16> {
    bits_of_element<8> low;
    bits_of_element<8> high;
    [[gnu::always_inline]] static bits_of_element load(std::byte const* from) noexcept {
        return {bits_of_element<8>::load(from), bits_of_element<8>::load(from + 8)};
    }
    [[gnu::always_inline]] void store(std::byte* to) const noexcept {
        low.store(to);
        high.store(to + 8);
    }
    [[gnu::always_inline]] bool equals(bits_of_element const& other) const noexcept {
        return (unsigned{low.equals(other.low)} & unsigned{high.equals(other.high)}) != 0;
    }
    [[gnu::always_inline]] void replace(bool condition, bits_of_element const& by) noexcept {
        low.replace(condition, by.low);
        high.replace(condition, by.high);
    }
};

template <std::size_t FromSize, std::size_t ToSize>
[[gnu::always_inline]] inline void
replace_elements(std::byte const* __restrict source, std::byte* __restrict destination, std::size_t count,
                 bits_of_element<FromSize> const& fill, bits_of_element<ToSize> const& replacement) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        auto element = bits_of_element<ToSize>::load(destination + i * ToSize);
        element.replace(bits_of_element<FromSize>::load(source + i * FromSize).equals(fill), replacement);
        element.store(destination + i * ToSize);
    }
}

template <std::size_t FromSize, std::size_t ToSize>
void replace_all(std::byte const* source, std::byte* destination, std::size_t count, std::byte const* fill,
                 std::byte const* replacement) noexcept {
    auto const wanted = bits_of_element<FromSize>::load(fill);
    auto const by = bits_of_element<ToSize>::load(replacement);
    for (; count >= block_elements; count -= block_elements) {
        replace_elements(source, destination, block_elements, wanted, by);
        source += block_elements * FromSize;
        destination += block_elements * ToSize;
    }
    replace_elements(source, destination, count, wanted, by);
}

/// The loop for elements of ToSize bytes that were converted from ones of from_size bytes.
template <std::size_t ToSize>
replace_kernel find_replace_kernel(std::size_t from_size) noexcept {
    switch (from_size) {
    case 1:
        return replace_all<1, ToSize>;
    case 2:
        return replace_all<2, ToSize>;
    case 4:
        return replace_all<4, ToSize>;
    case 8:
        return replace_all<8, ToSize>;
    default:
        return replace_all<16, ToSize>;
    }
}

}  // namespace detail

}  // namespace slabwise
