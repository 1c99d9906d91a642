// Copies words that lie a small stride apart to a contiguous row, a register at a time.
//
// The count words of one register come from a window of |stride| registers of the source. What takes them out:
//
//   even strides    pairs of words are one wider word at half the stride; of every pair one word stays
//   odd strides     the wanted words of all registers of the window lie at different places, so selects put them into
//                   one register and one shuffle into order
//
// A window that begins at its first wanted word ends |stride| - 1 words behind its last one. So a row's last register
// takes a window that ends at its last word, and overlaps with the one before: nothing outside the source is read.
// For stride -1 a window is one register, which is reversed.
#pragma once

#include <cstddef>
#include <cstdint>

#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/lanes.hpp>

namespace slabwise::detail {

/// Leaves the words of a register as they are.
struct unchanged {
    template <class Model, std::size_t Size>
    SLABWISE_ALWAYS_INLINE static auto apply(typename Model::template lanes<Size> const& words) noexcept {
        return words;
    }
};

/// Reverses the bytes of each word of a register.
struct reversed {
    template <class Model, std::size_t Size>
    SLABWISE_ALWAYS_INLINE static auto apply(typename Model::template lanes<Size> const& words) noexcept {
        if constexpr (Model::shuffles_bytes) {
            auto const bytes = words.template as<1>();
            return Model::template lanes<1>::template shuffle<reversed_groups<Size>>(bytes, bytes).template as<Size>();
        } else {
            auto const pairs = words.template as<2>();
            auto const turned = (pairs << 8) | (pairs >> 8);
            if constexpr (Size == 2) {
                return turned.template as<Size>();
            } else {
                auto const halves = turned.template as<4>();
                auto const whole = (halves << 16) | (halves >> 16);
                if constexpr (Size == 4) {
                    return whole.template as<Size>();
                } else {
                    auto const wide = whole.template as<8>();
                    return ((wide << 32) | (wide >> 32)).template as<Size>();
                }
            }
        }
    }
};

/// For an odd Stride: word i of the merged register comes from Register of the window if that word is wanted.
template <std::size_t Stride, std::size_t Phase, std::size_t Register>
struct wanted_of_register {
    static constexpr std::size_t at(std::size_t i, std::size_t count) {
        return (Register * count + i) % Stride == Phase ? count + i : i;
    }
};
/// Where the merged register has the i-th wanted word.
template <std::size_t Stride, std::size_t Phase>
struct in_order {
    static constexpr std::size_t at(std::size_t i, std::size_t count) { return (i * Stride + Phase) % count; }
};

/// The wanted words of the registers of a window from Register on, besides those that are merged already.
template <class Model, std::size_t Size, std::size_t Stride, std::size_t Phase, std::size_t Register>
SLABWISE_ALWAYS_INLINE auto merge(typename Model::template lanes<Size> const& merged,
                                  std::byte const* window) noexcept {
    using lanes = typename Model::template lanes<Size>;
    if constexpr (Register == Stride) {
        return merged;
    } else {
        auto const next = lanes::load(window + Register * Model::bytes);
        return merge<Model, Size, Stride, Phase, Register + 1>(
            lanes::template select<wanted_of_register<Stride, Phase, Register>>(merged, next), window);
    }
}

/// Takes the words at the places Phase, Phase + Stride, ... out of the window of Stride registers at `window`.
template <class Model, std::size_t Size, std::size_t Stride, std::size_t Phase>
SLABWISE_ALWAYS_INLINE auto take(std::byte const* window) noexcept {
    using lanes = typename Model::template lanes<Size>;
    if constexpr (Stride == 1) {
        return lanes::load(window);
    } else if constexpr (Stride % 2 == 1) {
        auto const merged = merge<Model, Size, Stride, Phase, 1>(lanes::load(window), window);
        return lanes::template shuffle<in_order<Stride, Phase>>(merged, merged);
    } else if constexpr (Stride == 2) {
        return every_second_word<Model, Size, Phase>(lanes::load(window), lanes::load(window + Model::bytes));
    } else {
        auto const low = take<Model, 2 * Size, Stride / 2, Phase / 2>(window);
        auto const high = take<Model, 2 * Size, Stride / 2, Phase / 2>(window + Stride / 2 * Model::bytes);
        return every_second_word<Model, Size, Phase % 2>(low.template as<Size>(), high.template as<Size>());
    }
}

/// Copies planes whose inner axis has words of Size bytes, Stride words apart in the source and contiguous in the
/// destination, and more of them than a register.
template <class Model, std::size_t Size, std::ptrdiff_t Stride, class Change>
struct gather {
    static_assert(Stride >= -1 && Stride != 0);
    /// The words of a register. Rows have more.
    static constexpr auto width = static_cast<index_t>(Model::bytes / Size);

    SLABWISE_ALWAYS_INLINE static void run(copy_axis const* axes, std::size_t, std::byte const* source,
                                           std::byte* destination) noexcept {
        copy_axis const rows = axes[1];
        index_t const count = axes[0].count;
        if constexpr (can_stream) {
            auto const places = reinterpret_cast<std::uintptr_t>(destination) |
                                static_cast<std::uintptr_t>(rows.destination_byte_stride);
            constexpr auto size = static_cast<index_t>(Size);
            if (places % Size == 0 && count >= streamed_row / size && count >= streamed / size / rows.count) {
                for (index_t row = 0; row < rows.count; ++row) {
                    copy_row<true>(source + row * rows.source_byte_stride,
                                   destination + row * rows.destination_byte_stride, count);
                }
                end_stream();
                return;
            }
        }
        for (index_t row = 0; row < rows.count; ++row) {
            copy_row<false>(source + row * rows.source_byte_stride, destination + row * rows.destination_byte_stride,
                            count);
        }
    }

private:
    static constexpr index_t byte_stride = Stride * static_cast<index_t>(Size);
    static constexpr auto distance = static_cast<std::size_t>(Stride < 0 ? 1 : Stride);

    // Smaller words gain less, and each such kernel is compiled in every user's file.
    static constexpr bool can_stream = Model::streams && (Stride == 1 || (Stride > 1 && Size >= 4));
    // From so many bytes on, what is written would not stay in the cache, and is stored past it where rows are long:
    // of 32 MiB that is 1.4 times faster, since the lines that are overwritten are not read before.
    static constexpr index_t streamed = index_t{16} << 20;
    static constexpr index_t streamed_row = 4096;

    template <bool Streams>
    SLABWISE_ALWAYS_INLINE static void copy_row(std::byte const* source, std::byte* destination,
                                                index_t count) noexcept {
        index_t const last = count - width;
        index_t i = 0;
        if constexpr (Streams) {
            copy_register<false, false>(source, destination);
            i = width - static_cast<index_t>(reinterpret_cast<std::uintptr_t>(destination) % Model::bytes / Size);
        }
        for (; i < last; i += width) {
            copy_register<false, Streams>(source + i * byte_stride, destination + i * index_t{Size});
        }
        copy_register<true, false>(source + last * byte_stride, destination + last * index_t{Size});
    }

    /// Copies the words of one register, the first of which lies at `source`.
    template <bool IsLast, bool Streams>
    SLABWISE_ALWAYS_INLINE static void copy_register(std::byte const* source, std::byte* destination) noexcept {
        using lanes = typename Model::template lanes<Size>;
        constexpr auto bytes = static_cast<index_t>(Model::bytes);
        constexpr index_t begin = Stride < 0 ? bytes - index_t{Size} : IsLast ? byte_stride - index_t{Size} : 0;
        auto words = take < Model, Size, distance, IsLast ? distance - 1 : 0 > (source - begin);
        if constexpr (Stride < 0) words = lanes::template shuffle<in_reverse>(words, words);
        words = Change::template apply<Model, Size>(words);
        if constexpr (Streams) {
            words.stream(destination);
        } else {
            words.store(destination);
        }
    }
};

}  // namespace slabwise::detail
