// A conversion between two element types, chosen once and run for any number of elements; make_conversion.hpp chooses.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <slabwise/copy/convert_loop.hpp>
#include <slabwise/copy/element_type.hpp>
#include <slabwise/copy/kernels.hpp>
#include <slabwise/error.hpp>

namespace slabwise {

/// One element whose type is known at run time, such as a fill value. **Units** type.size bytes count, in native order.
struct element_value {
    /// The largest size of an element.
    static constexpr std::size_t capacity = 16;

    element_type type;
    std::byte bytes[capacity] = {};

    constexpr element_value() noexcept = default;
    /// The value of an element of T.
    template <class T>
        requires(element_type_of<T>.size <= capacity && std::is_trivially_copyable_v<T>)
    element_value(T const& value)
    noexcept {
        type = element_type_of<T>;
        std::memcpy(bytes, &value, sizeof value);
    }

    friend constexpr bool operator==(element_value const&, element_value const&) noexcept = default;
};

namespace detail {

/// Appends an element in native byte order as a number.
inline void append_value(error_text& text, element_type type, std::byte const* bytes) noexcept {
    auto const load = [&](auto value) {
        std::memcpy(&value, bytes, sizeof value);
        return value;
    };
    auto const floating = [&](double value, int digits) {
        char digits_text[40];
        __builtin_snprintf(digits_text, sizeof digits_text, "%.*g", digits, value);
        text.append(digits_text);
    };
    switch (type.kind) {
    case element_kind::boolean:
        text.append(bytes[0] != std::byte{0} ? "true" : "false");
        return;
    case element_kind::signed_integer:
        text.append(type.size == 1   ? std::int64_t{load(std::int8_t{})}
                    : type.size == 2 ? std::int64_t{load(std::int16_t{})}
                    : type.size == 4 ? std::int64_t{load(std::int32_t{})}
                                     : load(std::int64_t{}));
        return;
    case element_kind::unsigned_integer:
        text.append(type.size == 1   ? std::uint64_t{load(std::uint8_t{})}
                    : type.size == 2 ? std::uint64_t{load(std::uint16_t{})}
                    : type.size == 4 ? std::uint64_t{load(std::uint32_t{})}
                                     : load(std::uint64_t{}));
        return;
    case element_kind::brain_floating:
        floating(static_cast<double>(load(bfloat16())), 4);
        return;
    case element_kind::floating:
        if (type.size == 2) floating(static_cast<double>(load(float16())), 5);
        if (type.size == 4) floating(static_cast<double>(load(float())), 9);
        if (type.size == 8) floating(load(double()), 17);
        return;
    case element_kind::complex_floating: {
        element_type const half{element_kind::floating, type.size / 2};
        append_value(text.append("("), half, bytes);
        append_value(text.append(", "), half, bytes + half.size);
        text.append(")");
        return;
    }
    case element_kind::opaque:
    case element_kind::fixed_bytes:
    case element_kind::fixed_utf32:
        text.append("of bytes");
    }
}

/// What a conversion consists of; make_conversion puts it together.
struct conversion_parts {
    element_type from;
    element_type to;
    conversion_rule rule = conversion_rule::same_kind;
    instruction_set set = instruction_set::vector128;
    /// How many numbers an element has on both sides: 2 between complex ones.
    std::size_t components = 1;
    /// To the destination: from the source, or from double where elements are scaled.
    block_kernel kernel;
    /// From the source to double, and from that with scale and offset to double; none where elements are not scaled.
    block_kernel widen_kernel;
    block_kernel scale_kernel;
    linear_scale scale{1, 0};
    /// nullptr when no fill value is replaced.
    replace_kernel replace = nullptr;
    std::byte fill[element_value::capacity] = {};
    std::byte replacement[element_value::capacity] = {};

    friend bool operator==(conversion_parts const&, conversion_parts const&) noexcept = default;
};

}  // namespace detail

/// A prepared conversion between two element types. A value without types of its own, that threads may share.
/// **Ensures** V1 every element of the result is the converted one, or the replacement where the source has the bits of
/// the stored fill. V2 no other byte of the destination is written. V3 results do not depend on the instruction_set.
class conversion {
public:
    explicit conversion(detail::conversion_parts const& parts) noexcept : parts_(parts) {}

    [[nodiscard]] element_type from() const noexcept { return parts_.from; }
    [[nodiscard]] element_type to() const noexcept { return parts_.to; }

    /// Converts `count` contiguous elements in native byte order, aligned or not. Gives the first that does not fit,
    /// after which the destination is unspecified, or count. **Expects** memory that does not overlap.
    std::size_t operator()(std::byte const* source, std::byte* destination, std::size_t count) const noexcept {
        if (parts_.scale_kernel.run == nullptr && parts_.replace == nullptr) return convert(source, destination, count);
        for (std::size_t done = 0; done < count; done += block) {
            std::size_t const size = count - done < block ? count - done : block;
            std::byte const* const from = source + done * parts_.from.size;
            std::byte* const to = destination + done * parts_.to.size;
            std::size_t fitting = convert_scaled(from, to, size);
            if (parts_.replace != nullptr) {
                while (fitting < size && is_fill(from + fitting * parts_.from.size)) {
                    ++fitting;
                    fitting += convert_scaled(from + fitting * parts_.from.size, to + fitting * parts_.to.size,
                                              size - fitting);
                }
                parts_.replace(from, to, size, parts_.fill, parts_.replacement);
            }
            if (fitting < size) return done + fitting;
        }
        return count;
    }

    /// The same for elements whose words of swap_size bytes are in the other byte order.
    std::size_t convert_swapped(std::byte const* source, std::byte* destination, std::size_t count,
                                std::size_t swap_size) const noexcept {
        if (swap_size == 1) return (*this)(source, destination, count);
        alignas(detail::cache_line) std::byte native[block * element_value::capacity];
        std::size_t size = sizeof native / parts_.from.size;
        std::size_t done = 0;
        auto const word = static_cast<index_t>(swap_size);
        // All but the first stretch begin at a cache line of the destination.
        std::size_t const past_line = reinterpret_cast<std::uintptr_t>(destination) % detail::cache_line;
        if (past_line % parts_.to.size == 0) size -= past_line / parts_.to.size;
        while (done < count) {
            if (size > count - done) size = count - done;
            copy_axis const words[] = {{static_cast<index_t>(size * parts_.from.size / swap_size), word, word},
                                       {1, 0, 0}};
            auto const reverse = detail::choose_kernel(parts_.set, words, swap_size, swap_size);
            reverse(words, swap_size, source + done * parts_.from.size, native);
            std::size_t const fitting = (*this)(native, destination + done * parts_.to.size, size);
            if (fitting < size) return done + fitting;
            done += size;
            size = sizeof native / parts_.from.size;
        }
        return count;
    }

    /// Throws the conversion_error of the element in native byte order at `element`, the position-th of its copy.
    [[noreturn]] void throw_misfit(std::byte const* element, std::int64_t position) const {
        error_text text("conversion: the value ");
        detail::append_value(text, parts_.from, element);
        text.append(" of element ").append(position);
        if (parts_.scale_kernel.run != nullptr) {
            std::byte stored[sizeof(double)];
            element_value result(0.0);
            detail::run_blocks(parts_.widen_kernel, element, stored, 1, parts_.scale);
            detail::run_blocks(parts_.scale_kernel, stored, result.bytes, 1, parts_.scale);
            text.append(", scaled ");
            detail::append_value(text, result.type, result.bytes);
            text.append(",");
        }
        throw conversion_error(text.append(" does not fit ").append(name_of(parts_.to).c_str()), position);
    }

    /// True when both do the same.
    friend bool operator==(conversion const& a, conversion const& b) noexcept { return a.parts_ == b.parts_; }

private:
    // What is staged on the way: of the widest elements 4 KB.
    static constexpr std::size_t block = 256;

    std::size_t convert(std::byte const* source, std::byte* destination, std::size_t count) const noexcept {
        std::size_t const components = parts_.components;
        return detail::run_blocks(parts_.kernel, source, destination, components * count, parts_.scale) / components;
    }
    std::size_t convert_scaled(std::byte const* source, std::byte* destination, std::size_t count) const noexcept {
        if (parts_.scale_kernel.run == nullptr) return convert(source, destination, count);
        assert(count <= block);
        std::byte wide[block * sizeof(double)];
        std::byte result[block * sizeof(double)];
        detail::run_blocks(parts_.widen_kernel, source, wide, count, parts_.scale);
        detail::run_blocks(parts_.scale_kernel, wide, result, count, parts_.scale);
        return convert(result, destination, count);
    }
    [[nodiscard]] bool is_fill(std::byte const* element) const noexcept {
        return std::memcmp(element, parts_.fill, parts_.from.size) == 0;
    }

    detail::conversion_parts parts_;
};

}  // namespace slabwise
