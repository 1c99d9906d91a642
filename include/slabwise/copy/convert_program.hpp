// A copy that converts its elements on the way, prepared once and run for every chunk of one kind.
//
// Memory is passed through once, in blocks of the two innermost axes that stay in the fastest cache. A block whose
// elements lie side by side is read, or written, where it is; otherwise it goes through a buffer, between which and the
// array a copy_program gathers, or scatters, and turns the byte order around:
//
//   source --(copy_program)--> buffer --(conversion)--> buffer --(copy_program)--> destination
//
// A block is a stretch of the innermost axis; of several rows where rows are short; and a tile where the source is
// contiguous along another axis than the destination.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include <slabwise/copy/are_apart.hpp>
#include <slabwise/copy/conversion.hpp>
#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/copy_program.hpp>
#include <slabwise/copy/fill_program.hpp>
#include <slabwise/copy/ordered_axes.hpp>

namespace slabwise {

/// A prepared copy of elements of one type to elements of another. Its addresses come when it runs, aligned or not. Any
/// number of threads may run one program at once.
/// **Ensures** R1 every element arrives, converted. R2 no other byte of the destination is written. R3 no byte of the
/// source is read that is not part of an element. R4 a program without elements does nothing.
class convert_program {
public:
    /// The largest number of axes.
    static constexpr std::size_t max_axes = copy_program::max_axes;

    /// Elements of convert.from(), in words of swap_size bytes, convert.from().swap_size(), that are in the other byte
    /// order; 1 when they are in the native one. Tables of offsets are not copied: they have to outlive the program.
    /// **Throws** selection_error for more than max_axes axes. **Expects** as copy_program. **Cost** O(axes^2) and up
    /// to eight copy programs; no allocation.
    convert_program(conversion const& convert, std::size_t swap_size, std::span<copy_axis const> axes)
        : convert_(convert), swap_size_(swap_size), given_size_(axes.size()) {
        assert(swap_size == 1 || swap_size == convert.from().swap_size());
        if (axes.size() > max_axes) detail::throw_too_many_axes(axes.size(), max_axes);
        for (std::size_t i = 0; i < axes.size(); ++i) {
            given_[i] = axes[i];
            is_empty_ = is_empty_ || axes[i].count == 0;
        }
        if (is_empty_) return;
        for (std::size_t i = axes.size(); i-- > 0;) axes_.insert(axes[i]);
        axes_.join();
        while (axes_.size < 2) axes_.axes[axes_.size++] = {1, 0, 0};
        if (axes_.axes[0].count == 1) axes_.axes[0] = {1, stride_of(from_size()), stride_of(to_size())};
        choose_block();
        if (!block_has_table()) prepare_copies();
    }

    /// Copies. Both addresses are those of the element of index 0 on all axes. **Throws** conversion_error when
    /// the rule is conversion_rule::check, for the first value met that does not fit; its position counts in C order of
    /// the axes.
    /// **Expects** that source and destination do not overlap.
    void operator()(std::byte const* source, std::byte* destination) const {
        if (is_empty_) return;
        assert(detail::are_apart({given_.data(), given_size_}, source, from_size(), destination, to_size()));
        run(axes_.size - 1, source + axes_.source_base, destination + axes_.destination_base, destination);
    }

private:
    // The most elements of a block that goes through buffers, and how short a row is to be joined by others.
    static constexpr index_t longest_block = 256;
    static constexpr index_t short_row = 128;
    static constexpr index_t tile = 16;

    struct block {
        index_t column;
        index_t columns;
        index_t row;
        index_t rows;
    };

    [[nodiscard]] std::size_t from_size() const noexcept { return convert_.from().size; }
    [[nodiscard]] std::size_t to_size() const noexcept { return convert_.to().size; }
    static index_t stride_of(std::size_t size) noexcept { return static_cast<index_t>(size); }
    static index_t smaller(index_t a, index_t b) noexcept { return a < b ? a : b; }

    void choose_block() noexcept {
        copy_axis* const axes = axes_.axes.data();
        auto const is_dense = [](index_t const* offsets, index_t byte_stride, std::size_t size) {
            return offsets == nullptr && byte_stride == stride_of(size);
        };
        bool const source_rows = is_dense(axes[0].source_offsets, axes[0].source_byte_stride, from_size());
        bool const destination_rows = is_dense(axes[0].destination_offsets, axes[0].destination_byte_stride, to_size());
        columns_ = axes[0].count;
        rows_ = 1;
        if (!source_rows && !axes[0].has_table() && bring_in_source_axis()) {
            rows_ = smaller(axes[1].count, tile);
            columns_ = smaller(columns_, longest_block / rows_);
            rows_ = smaller(axes[1].count, longest_block / columns_);
        } else if (columns_ < short_row) {
            rows_ = smaller(axes[1].count, longest_block / columns_);
        } else if (!source_rows || !destination_rows) {
            columns_ = smaller(columns_, longest_block);
        }
        bool const is_row = rows_ == 1;
        bool const is_whole = columns_ == axes[0].count;
        auto const whole_row = [&](std::size_t size) { return static_cast<std::size_t>(columns_) * size; };
        gathers_ = !source_rows || !(is_row || (is_whole && is_dense(axes[1].source_offsets, axes[1].source_byte_stride,
                                                                     whole_row(from_size()))));
        scatters_ = !destination_rows ||
                    !(is_row || (is_whole && is_dense(axes[1].destination_offsets, axes[1].destination_byte_stride,
                                                      whole_row(to_size()))));
    }

    // Where the source is contiguous along an outer axis, that becomes the second one.
    bool bring_in_source_axis() noexcept {
        copy_axis* const axes = axes_.axes.data();
        for (std::size_t i = 1; i < axes_.size; ++i) {
            if (axes[i].has_table() || axes[i].count == 1 || axes[i].source_byte_stride != stride_of(from_size()))
                continue;
            copy_axis const contiguous = axes[i];
            for (std::size_t k = i; k > 1; --k) axes[k] = axes[k - 1];
            axes[1] = contiguous;
            return true;
        }
        return false;
    }

    [[nodiscard]] bool block_has_table() const noexcept {
        return axes_.axes[0].has_table() || (rows_ > 1 && axes_.axes[1].has_table());
    }

    // The copies of the blocks that there are: whole, cut short in columns, in rows, in both.
    void prepare_copies() {
        index_t const last_columns = axes_.axes[0].count % columns_;
        index_t const last_rows = axes_.axes[1].count % rows_;
        for (std::size_t shape = 0; shape < 4; ++shape) {
            index_t const columns = (shape & 1) == 0 ? columns_ : last_columns;
            index_t const rows = (shape & 2) == 0 ? rows_ : last_rows;
            if (columns == 0 || rows == 0) continue;
            block const at{0, columns, 0, rows};
            if (gathers_) gather_[shape].emplace(gather_of(at));
            if (scatters_) scatter_[shape].emplace(scatter_of(at));
        }
    }

    // The axes of a block in the array: an axis with a table begins at the block's place in it.
    [[nodiscard]] std::array<copy_axis, 2> axes_of(block const& at) const noexcept {
        auto const part = [](copy_axis axis, index_t first, index_t count) {
            if (axis.source_offsets != nullptr) axis.source_offsets += first;
            if (axis.destination_offsets != nullptr) axis.destination_offsets += first;
            axis.count = count;
            return axis;
        };
        // A single row's place is part of the address.
        copy_axis const rows = rows_ > 1 ? part(axes_.axes[1], at.row, at.rows) : copy_axis(1, 0, 0);
        return {rows, part(axes_.axes[0], at.column, at.columns)};
    }
    [[nodiscard]] copy_program gather_of(block const& at) const {
        auto axes = axes_of(at);
        index_t const size = stride_of(from_size());
        axes[0].destination_byte_stride = at.columns * size;
        axes[1].destination_byte_stride = size;
        axes[0].destination_offsets = axes[1].destination_offsets = nullptr;
        return {from_size(), swap_size_, axes};
    }
    [[nodiscard]] copy_program scatter_of(block const& at) const {
        auto axes = axes_of(at);
        index_t const size = stride_of(to_size());
        axes[0].source_byte_stride = at.columns * size;
        axes[1].source_byte_stride = size;
        axes[0].source_offsets = axes[1].source_offsets = nullptr;
        return {to_size(), 1, axes};
    }

    // Where a block begins for its copy program, which adds the offsets of tables itself.
    [[nodiscard]] index_t source_offset(block const& at) const noexcept {
        auto const& [columns, rows] = inner_axes();
        return (columns.source_offsets != nullptr ? 0 : columns.source_offset(at.column)) +
               (rows.source_offsets != nullptr && rows_ > 1 ? 0 : rows.source_offset(at.row));
    }
    [[nodiscard]] index_t destination_offset(block const& at) const noexcept {
        auto const& [columns, rows] = inner_axes();
        return (columns.destination_offsets != nullptr ? 0 : columns.destination_offset(at.column)) +
               (rows.destination_offsets != nullptr && rows_ > 1 ? 0 : rows.destination_offset(at.row));
    }
    struct two_axes {
        copy_axis const& columns;
        copy_axis const& rows;
    };
    [[nodiscard]] two_axes inner_axes() const noexcept { return {axes_.axes[0], axes_.axes[1]}; }

    // The loops around the blocks; the recursion ends after max_axes at the latest.
    void run(std::size_t outer, std::byte const* source, std::byte* destination, std::byte* origin) const {
        if (outer == 1) {
            run_plane(source, destination, origin);
            return;
        }
        copy_axis const& axis = axes_.axes[outer];
        for (index_t i = 0; i < axis.count; ++i) {
            run(outer - 1, source + axis.source_offset(i), destination + axis.destination_offset(i), origin);
        }
    }

    void run_plane(std::byte const* source, std::byte* destination, std::byte* origin) const {
        block at{};
        for (at.row = 0; at.row < axes_.axes[1].count; at.row += rows_) {
            at.rows = smaller(rows_, axes_.axes[1].count - at.row);
            for (at.column = 0; at.column < axes_.axes[0].count; at.column += columns_) {
                at.columns = smaller(columns_, axes_.axes[0].count - at.column);
                run_block(at, source, destination, origin);
            }
        }
    }

    void run_block(block const& at, std::byte const* source, std::byte* destination, std::byte* origin) const {
        alignas(64) std::byte native[longest_block * element_value::capacity];
        alignas(64) std::byte converted[longest_block * element_value::capacity];
        std::size_t const shape = (at.columns != columns_ ? 1U : 0U) + (at.rows != rows_ ? 2U : 0U);
        auto const count = static_cast<std::size_t>(at.columns * at.rows);
        std::byte const* from = source + source_offset(at);
        std::byte* const to = destination + destination_offset(at);
        if (gathers_) {
            gather_[shape] ? (*gather_[shape])(from, native) : gather_of(at)(from, native);
            from = native;
        }
        std::size_t const swap_size = gathers_ ? 1 : swap_size_;
        std::size_t const fitting = convert_.convert_swapped(from, scatters_ ? converted : to, count, swap_size);
        if (fitting < count) {
            auto const k = static_cast<index_t>(fitting);
            auto const& [columns, rows] = inner_axes();
            std::byte const* const place = destination + columns.destination_offset(at.column + k % at.columns) +
                                           rows.destination_offset(at.row + k / at.columns);
            throw_misfit(from + fitting * from_size(), swap_size, place - origin);
        }
        if (scatters_) scatter_[shape] ? (*scatter_[shape])(converted, to) : scatter_of(at)(converted, to);
    }

    [[noreturn]] void throw_misfit(std::byte const* element, std::size_t swap_size, index_t destination) const {
        std::byte native[element_value::capacity];
        std::memcpy(native, element, from_size());
        reverse_words({native, from_size()}, swap_size);
        convert_.throw_misfit(native, position_of(destination));
    }

    // Which element in C order of the axes goes to a place in the destination: looked for, since it is for an error.
    [[nodiscard]] index_t position_of(index_t destination) const noexcept {
        std::array<index_t, max_axes> index{};
        for (index_t position = 0;; ++position) {
            index_t offset = 0;
            for (std::size_t i = 0; i < given_size_; ++i) offset += given_[i].destination_offset(index[i]);
            if (offset == destination) return position;
            for (std::size_t i = given_size_; i-- > 0;) {
                if (++index[i] < given_[i].count) break;
                index[i] = 0;
            }
        }
    }

    conversion convert_;
    std::size_t swap_size_;
    std::size_t given_size_;
    std::array<copy_axis, max_axes> given_{};
    bool is_empty_ = false;
    bool gathers_ = false;
    bool scatters_ = false;
    index_t columns_ = 0;
    index_t rows_ = 0;
    // At least two axes.
    detail::ordered_axes<max_axes> axes_;
    std::array<std::optional<copy_program>, 4> gather_;
    std::array<std::optional<copy_program>, 4> scatter_;
};

}  // namespace slabwise
