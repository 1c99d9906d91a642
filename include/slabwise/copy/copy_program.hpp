// A copy from one strided array to another, prepared once and run for every chunk of one kind.
//
// A copy is a nest of loops over axes, each with a byte stride on either side. The nest is free to change as long as
// every element arrives at its place, so the constructor looks for the nest that does the most with the fewest loops:
//
//   1. axes of one element go;
//   2. an axis that walks down the destination walks up instead, from its other end on both sides;
//   3. axes are ordered by their destination byte stride, so that writes go through memory in order;
//   4. an axis that continues the one inside it on both sides, count * byte stride being its own, becomes part of it;
//   5. the innermost axis, where both sides are contiguous and no byte order changes, becomes part of the element: what
//      then moves at once is the unit;
//   6. an axis along which the source is contiguous becomes the second one, where the first is contiguous in the
//      destination alone;
//   7. the two innermost axes and the unit choose a kernel; the others are loops around it.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include <slabwise/copy/are_apart.hpp>
#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/kernels.hpp>
#include <slabwise/copy/ordered_axes.hpp>
#include <slabwise/error.hpp>
#include <slabwise/index/shape.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_too_many_axes(std::size_t count, std::size_t bound) {
    throw selection_error(error_text("copy: ")
                              .append(std::uint64_t{count})
                              .append(" axes; it takes at most ")
                              .append(std::uint64_t{bound}),
                          selection_error::no_axis, static_cast<index_t>(count), static_cast<index_t>(bound));
}

}  // namespace detail

/// A prepared copy of elements that are known by their size alone. Its addresses come when it runs, aligned or not.
/// Any number of threads may run one program at once.
/// **Ensures** C1 every element arrives, its words reversed where asked. C2 no other byte of the destination is
/// written. C3 of the source no byte is read before the first or behind the last element of a row of the innermost
/// axis; what lies between its elements may be, so that nobody else may write it meanwhile. C4 a program without
/// elements does nothing.
class copy_program {
public:
    /// The largest number of axes.
    static constexpr std::size_t max_axes = 16;

    /// Elements of element_size bytes, in words of swap_size bytes that are reversed one by one (element_size for a
    /// number, half of it for a complex one); swap_size 1 copies bytes as they are. `set` is one that is supported;
    /// `stores` is a hint for destinations larger than the caches: of 204 MB in runs of 512 bytes, 3 times faster.
    /// Tables of offsets are not copied: they have to outlive the program. **Throws** selection_error for more than
    /// max_axes axes. **Expects** counts of 0 or more, element_size a multiple of swap_size, both above 0, and
    /// destination elements apart from one another. **Cost** O(axes^2), for three axes some 30 ns; no allocation.
    copy_program(std::size_t element_size, std::size_t swap_size, std::span<copy_axis const> axes,
                 instruction_set set = default_instruction_set(), store_mode stores = store_mode::cached)
        : unit_size_(element_size) {
        assert(element_size > 0 && swap_size > 0 && element_size % swap_size == 0);
        assert(is_supported(set));
        if (axes.size() > max_axes) detail::throw_too_many_axes(axes.size(), max_axes);
        // The kernel takes two axes, even of a copy that has fewer.
        axes_[0] = axes_[1] = {1, 0, 0};
        bool const reverses = swap_size > 1;
        bool is_empty = false;
        for (copy_axis const& axis : axes) is_empty = is_empty || axis.count == 0;
        if (is_empty) {
            axes_[0].count = 0;
        } else {
            ordered_axes ordered;
            if (reverses) {
                unit_size_ = swap_size;
                auto const word = static_cast<index_t>(swap_size);
                ordered.insert({static_cast<index_t>(element_size / swap_size), word, word});
            }
            // The last axis is the fastest in C order, so that mostly nothing is left to sort.
            for (std::size_t i = axes.size(); i-- > 0;) ordered.insert(axes[i]);
            source_base_ = ordered.source_base;
            destination_base_ = ordered.destination_base;
            for (std::size_t i = 0; i < ordered.size; ++i) append(ordered.axes[i], reverses);
            if (reverses && detail::reverses_units(element_size, swap_size)) take_whole_elements(element_size);
            if (!reverses && axis_count_ > 2) bring_in_source_axis();
        }
        kernel_ = detail::choose_kernel(set, axes_.data(), unit_size_, swap_size, stores);
    }

    /// The same for axes that all have byte strides. **Throws** as above.
    template <std::size_t R>
    copy_program(std::size_t element_size, std::size_t swap_size, shape<R> const& counts,
                 std::array<index_t, R> const& source_byte_strides,
                 std::array<index_t, R> const& destination_byte_strides,
                 instruction_set set = default_instruction_set())
        : copy_program(element_size, swap_size, axes_of(counts, source_byte_strides, destination_byte_strides), set) {}

    copy_program(copy_program const& other) noexcept { *this = other; }
    copy_program& operator=(copy_program const& other) noexcept {
        unit_size_ = other.unit_size_;
        axis_count_ = other.axis_count_;
        source_base_ = other.source_base_;
        destination_base_ = other.destination_base_;
        kernel_ = other.kernel_;
        // The axes behind have no value yet.
        for (std::size_t i = 0; i < 2 || i < axis_count_; ++i) axes_[i] = other.axes_[i];
        return *this;
    }

    /// Copies. Both addresses are those of the element of index 0 on all axes. **Expects** that the stretch of memory
    /// from the first to the last byte of the source and that of the destination do not overlap.
    void operator()(std::byte const* source, std::byte* destination) const noexcept {
        assert(are_apart(source, destination));
        source += source_base_;
        destination += destination_base_;
        if (axis_count_ <= 2) {
            kernel_(axes_.data(), unit_size_, source, destination);
        } else {
            run(axis_count_ - 1, source, destination);
        }
    }

    /// How many axes are left, of which the kernel takes two.
    [[nodiscard]] std::size_t axis_count() const noexcept { return axis_count_; }
    /// What moves at once: an element or several, or a word to reverse. **Units** bytes.
    [[nodiscard]] std::size_t unit_size() const noexcept { return unit_size_; }

private:
    // One axis more than the user may give: the words of an element.
    static constexpr std::size_t capacity = max_axes + 1;
    using ordered_axes = detail::ordered_axes<capacity>;

    template <std::size_t R>
    static std::array<copy_axis, R> axes_of(shape<R> const& counts, std::array<index_t, R> const& source_byte_strides,
                                            std::array<index_t, R> const& destination_byte_strides) noexcept {
        std::array<copy_axis, R> axes;
        for (std::size_t axis = 0; axis < R; ++axis) {
            axes[axis] = {counts[axis], source_byte_strides[axis], destination_byte_strides[axis]};
        }
        return axes;
    }

    // Takes over the next axis in order: steps 4 and 5.
    void append(copy_axis const& axis, bool reverses) noexcept {
        auto const unit = static_cast<index_t>(unit_size_);
        if (axis_count_ == 0 && !reverses && ordered_axes::continues({1, unit, unit}, axis)) {
            unit_size_ *= static_cast<std::size_t>(axis.count);
        } else if (axis_count_ > 0 && ordered_axes::continues(axes_[axis_count_ - 1], axis)) {
            axes_[axis_count_ - 1].count *= axis.count;
        } else {
            axes_[axis_count_++] = axis;
        }
    }

    // Elements of two words to reverse that are not contiguous with others become the units.
    void take_whole_elements(std::size_t element_size) noexcept {
        auto const words = static_cast<index_t>(element_size / unit_size_);
        if (words == 1 || axis_count_ == 0 || axes_[0].count != words) return;
        unit_size_ = element_size;
        --axis_count_;
        for (std::size_t i = 0; i < axis_count_; ++i) axes_[i] = axes_[i + 1];
        if (axis_count_ < 2) axes_[axis_count_] = {1, 0, 0};
    }

    // Where the source is contiguous along an outer axis, that becomes the kernel's second one: step 6.
    void bring_in_source_axis() noexcept {
        if (axes_[0].has_table()) return;
        for (std::size_t i = 2; i < axis_count_; ++i) {
            if (axes_[i].has_table() || !detail::is_transpose(axes_[0], axes_[i], unit_size_)) continue;
            copy_axis const contiguous = axes_[i];
            for (std::size_t k = i; k > 1; --k) axes_[k] = axes_[k - 1];
            axes_[1] = contiguous;
            return;
        }
    }

    // The loops around the kernel; the recursion ends after max_axes at the latest.
    void run(std::size_t outer, std::byte const* source, std::byte* destination) const noexcept {
        copy_axis const& axis = axes_[outer];
        for (index_t i = 0; i < axis.count; ++i) {
            std::byte const* const from = source + axis.source_offset(i);
            std::byte* const to = destination + axis.destination_offset(i);
            if (outer == 2) {
                kernel_(axes_.data(), unit_size_, from, to);
            } else {
                run(outer - 1, from, to);
            }
        }
    }

    // True when the stretches of memory that the two sides span do not overlap.
    [[nodiscard]] bool are_apart(std::byte const* source, std::byte const* destination) const noexcept {
        if (axes_[0].count == 0) return true;
        std::span<copy_axis const> const axes(axes_.data(), axis_count_);
        return detail::are_apart(axes, source + source_base_, unit_size_, destination + destination_base_, unit_size_);
    }

    std::size_t unit_size_;
    std::size_t axis_count_ = 0;
    index_t source_base_ = 0;
    index_t destination_base_ = 0;
    detail::copy_kernel kernel_;
    std::array<copy_axis, capacity> axes_;
};

}  // namespace slabwise
