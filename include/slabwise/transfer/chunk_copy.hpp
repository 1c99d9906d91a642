// From one chunk to its place in the destination: the addresses and the copy program of a projection.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <slabwise/copy/conversion.hpp>
#include <slabwise/copy/convert_program.hpp>
#include <slabwise/copy/copy_program.hpp>
#include <slabwise/copy/fill_program.hpp>
#include <slabwise/plan/plan.hpp>
#include <slabwise/source/chunk_source.hpp>

namespace slabwise {

/// The destination of a read whose type is known at run time: where its first element lies and how many bytes apart the
/// elements are along each axis.
template <std::size_t R>
struct byte_destination {
    std::byte* data;
    std::array<index_t, R> byte_strides;
    /// For each axis, the place in the destination of each index of what is read; null where the index is the place.
    std::array<index_t const*, R> positions{};

    [[nodiscard]] index_t position(std::size_t axis, index_t i) const noexcept {
        return positions[axis] == nullptr ? i : positions[axis][i];
    }
};

/// Copies, converts or fills what projections take from their chunks. The program of a projection depends on its counts
/// and the conversion alone, so it is kept and serves all projections of one kind that follow one another.
template <std::size_t R>
class chunk_copier {
public:
    /// **Throws** selection_error for a wrong SLABWISE_SIMD. **Expects** a layout whose fill has layout.type.size bytes.
    explicit chunk_copier(chunk_layout<R> const& layout)
        : layout_(layout),
          swap_size_(layout.byte_order == std::endian::native ? 1 : layout.type.swap_size()), native_fill_(layout.fill) {
        reverse_words(native_fill_, swap_size_);
        // Copies are prepared when a chunk is there; what SLABWISE_SIMD says wrongly is told before one is read.
        (void)default_instruction_set();
    }

    [[nodiscard]] chunk_layout<R> const& layout() const noexcept { return layout_; }

    /// Converts elements from now on; without a conversion they are copied as they are. **Expects** one from
    /// layout().type.
    void set_conversion(std::optional<conversion> const& convert) {
        if (convert == convert_) return;
        convert_ = convert;
        converted_fill_.clear();
        copy_.reset();
        convert_copy_.reset();
        fill_.reset();
    }

    /// How copies store from now on.
    void set_store_mode(store_mode stores) {
        if (stores == stores_) return;
        stores_ = stores;
        copy_.reset();
    }

    /// From now on the elements of a chunk lie so.
    void set_byte_strides(std::array<index_t, R> const& byte_strides) noexcept { layout_.byte_strides = byte_strides; }

    /// Copies from a decoded chunk. **Throws** conversion_error. **Cost** for a kind seen last time the copy alone.
    template <class Plan>
    void copy(Plan const& plan, typename Plan::value_type const& at, std::byte const* chunk,
              byte_destination<Plan::array_rank> const& to) {
        auto const place = prepare(plan, at, to);
        if (convert_) {
            if (!convert_copy_) convert_copy_.emplace(*convert_, swap_size_, std::span<copy_axis const>(kind_));
            (*convert_copy_)(chunk + place.in_chunk, to.data + place.in_array);
            return;
        }
        if (!copy_) {
            copy_.emplace(layout_.type.size, swap_size_, std::span<copy_axis const>(kind_), default_instruction_set(),
                          stores_);
        }
        (*copy_)(chunk + place.in_chunk, to.data + place.in_array);
    }
    /// Writes fill values, converted as the chunk's would be, in place of an absent chunk's. **Throws** conversion_error
    /// for a fill value that does not fit.
    template <class Plan>
    void fill(Plan const& plan, typename Plan::value_type const& at, byte_destination<Plan::array_rank> const& to) {
        auto const place = prepare(plan, at, to);
        auto const& element = convert_ ? converted_fill() : native_fill_;
        if (!fill_) fill_.emplace(element.size(), std::span<copy_axis const>(kind_));
        (*fill_)(element.data(), to.data + place.in_array);
    }
    /// One fill value in native byte order, not converted.
    [[nodiscard]] std::span<std::byte const> native_fill() const noexcept { return native_fill_; }

    /// True when a projection takes few bytes from each of many places of its chunk that lie 4 KiB or more apart.
    template <class Plan>
    [[nodiscard]] bool takes_far_apart(Plan const& plan, typename Plan::value_type const& at) const noexcept {
        return takes_far_apart(plan, at, std::make_index_sequence<R>{});
    }

    /// True when the projection's part of the destination is the stored chunk, byte for byte, so that the chunk can be
    /// read straight into it.
    template <class Plan>
    [[nodiscard]] bool is_in_place(typename Plan::value_type const& at,
                                   byte_destination<Plan::array_rank> const& to) const noexcept {
        if constexpr (Plan::array_rank == R && Plan::is_affine) {
            if (convert_ || swap_size_ != 1 || !at.copies_chunk_in_order()) return false;
            if (layout_.stored_size != layout_.type.size) return false;
            auto dense = static_cast<index_t>(layout_.type.size);
            for (std::size_t axis = R; axis-- > 0;) {
                index_t const length = at.chunk_lengths()[axis];
                if (length != 1 && (layout_.byte_strides[axis] != dense || to.byte_strides[axis] != dense)) return false;
                dense *= length;
            }
            return true;
        } else {
            return false;
        }
    }
    /// Where the projection begins in the destination.
    template <class Plan>
    [[nodiscard]] static std::byte* begin_in(typename Plan::value_type const& at,
                                             byte_destination<Plan::array_rank> const& to) noexcept {
        index_t offset = 0;
        for (std::size_t kept = 0; kept < Plan::array_rank; ++kept) {
            offset += at.pieces()[Plan::value_type::axis_of_array[kept]].first_in_array * to.byte_strides[kept];
        }
        return to.data + offset;
    }

private:
    template <class Plan, std::size_t... D>
    bool takes_far_apart(Plan const& plan, typename Plan::value_type const& at, std::index_sequence<D...>) const noexcept {
        constexpr double few_bytes = 256;
        constexpr double many_places = 16;
        constexpr double far_apart = 4096;
        auto near_bytes = static_cast<double>(layout_.type.size);
        double places = 1;
        [[maybe_unused]] auto const add = [&](index_t stride, index_t count, std::size_t d) {
            double const step = std::abs(static_cast<double>(stride) * static_cast<double>(layout_.byte_strides[d]));
            (step < far_apart ? near_bytes : places) *= static_cast<double>(count);
        };
        (add(plan.template axis<D>().stride(), at.pieces()[D].count, D), ...);
        return near_bytes <= few_bytes && places >= many_places;
    }

    struct offsets {
        index_t in_chunk = 0;
        index_t in_array = 0;
    };

    /// Where the projection begins on both sides, and its axes in kind_; programs of another kind are dropped.
    template <class Plan>
    offsets prepare(Plan const& plan, typename Plan::value_type const& at,
                    byte_destination<Plan::array_rank> const& to) {
        return prepare_axes(plan, at, to, std::make_index_sequence<R>{});
    }

    template <class Plan, std::size_t... D>
    offsets prepare_axes(Plan const& plan, typename Plan::value_type const& at,
                         [[maybe_unused]] byte_destination<Plan::array_rank> const& to, std::index_sequence<D...>) {
        offsets place{layout_.first_byte, 0};
        bool is_same_kind = Plan::is_affine;
        std::size_t kept = 0;
        [[maybe_unused]] auto const add = [&](auto const& axis, piece const& part, std::size_t d) {
            using axis_type = std::remove_cvref_t<decltype(axis)>;
            [[maybe_unused]] std::size_t const k = kept;
            index_t const to_stride = axis_type::drops_axis ? 0 : to.byte_strides[kept++];
            copy_axis next(part.count, axis.stride() * layout_.byte_strides[d], to_stride);
            if constexpr (axis_type::is_affine) {
                place.in_chunk += part.first_in_chunk * layout_.byte_strides[d];
                place.in_array += part.first_in_array * to_stride;
            } else {
                auto const place_in_chunk = [&](index_t i) { return i * layout_.byte_strides[d]; };
                next.source_offsets = tabulate(tables_[2 * d], axis.in_chunk(part), place_in_chunk);
                auto const place_of = [&](index_t i) { return to.position(k, i) * to_stride; };
                next.destination_offsets = tabulate(tables_[2 * d + 1], axis.in_array(part), place_of);
            }
            is_same_kind = is_same_kind && !kind_[d].has_table() && kind_[d].count == next.count &&
                           kind_[d].source_byte_stride == next.source_byte_stride &&
                           kind_[d].destination_byte_stride == next.destination_byte_stride;
            kind_[d] = next;
        };
        (add(plan.template axis<D>(), at.pieces()[D], D), ...);
        if (!is_same_kind) {
            copy_.reset();
            convert_copy_.reset();
            fill_.reset();
        }
        return place;
    }

    std::vector<std::byte> const& converted_fill() {
        if (converted_fill_.empty()) {
            std::vector<std::byte> element(convert_->to().size);
            std::byte const* const stored = native_fill_.data();
            if ((*convert_)(stored, element.data(), 1) != 1) convert_->throw_misfit(stored, 0);
            converted_fill_ = std::move(element);
        }
        return converted_fill_;
    }

    template <class OffsetOf>
    static index_t const* tabulate(std::vector<index_t>& table, std::span<index_t const> indices, OffsetOf offset_of) {
        table.clear();
        for (index_t const index : indices) table.push_back(offset_of(index));
        return table.data();
    }

    static std::array<copy_axis, R> no_kind() noexcept {
        std::array<copy_axis, R> axes;
        for (auto& axis : axes) axis = {0, 0, 0};
        return axes;
    }

    chunk_layout<R> layout_;
    std::size_t swap_size_;
    std::vector<std::byte> native_fill_;
    std::array<copy_axis, R> kind_ = no_kind();
    std::array<std::vector<index_t>, 2 * R> tables_;
    std::optional<conversion> convert_;
    store_mode stores_ = store_mode::cached;
    // Empty as long as it is not needed.
    std::vector<std::byte> converted_fill_;
    std::optional<copy_program> copy_;
    std::optional<convert_program> convert_copy_;
    std::optional<fill_program> fill_;
};

}  // namespace slabwise
