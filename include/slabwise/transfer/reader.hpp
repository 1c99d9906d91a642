// Reading: a plan's chunks, one after another, each to its place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <type_traits>

#include <slabwise/copy/strided_view.hpp>
#include <slabwise/plan/plan.hpp>
#include <slabwise/source/typed_source.hpp>
#include <slabwise/transfer/chunk_copy.hpp>
#include <slabwise/transfer/output_traits.hpp>
#include <slabwise/transfer/read_options.hpp>

namespace slabwise {

/// What a read did. **Units** chunks, but for bytes_decoded.
struct read_report {
    /// Chunks of the plan.
    index_t chunks = 0;
    /// Those of them that the source did not hold.
    index_t absent = 0;
    /// Those that were still there from the read before.
    index_t hits = 0;
    /// Bytes of the chunks that the source gave.
    index_t bytes_decoded = 0;
};

namespace detail {

[[noreturn]] inline void throw_no_memory_for_chunk(index_t bytes) {
    throw selection_error(error_text("read: no memory for a chunk of ").append(bytes).append(" bytes"),
                          selection_error::no_axis, bytes, 0);
}
[[noreturn]] inline void throw_plan_of_other_grid(std::size_t axis, char const* what, index_t planned, index_t stored) {
    throw selection_error(error_text("read: axis ")
                              .append(std::uint64_t{axis})
                              .append(" of the plan has ")
                              .append(what)
                              .append(" ")
                              .append(planned)
                              .append(", but the array has ")
                              .append(stored),
                          axis, planned, stored);
}

/// **Throws** selection_error when a plan was made for another grid than the array's.
template <std::size_t R>
void require_grid(chunk_grid<R> const& planned, chunk_grid<R> const& stored) {
    for (std::size_t axis = 0; axis < R; ++axis) {
        index_t const extent = planned.shape()[axis];
        index_t const length = planned.chunk_shape()[axis];
        if (extent != stored.shape()[axis]) throw_plan_of_other_grid(axis, "extent", extent, stored.shape()[axis]);
        if (length != stored.chunk_shape()[axis]) {
            throw_plan_of_other_grid(axis, "chunk length", length, stored.chunk_shape()[axis]);
        }
    }
}

/// Says in which chunk a value was that does not fit.
template <std::size_t R>
[[noreturn]] void throw_misfit_in(conversion_error const& error, coord_t<R> const& chunk) {
    error_text text(error.what());
    text.append(", of what is read from chunk (");
    for (std::size_t axis = 0; axis < R; ++axis) text.append(axis == 0 ? "" : ", ").append(chunk[axis]);
    throw conversion_error(text.append(")"), error.position());
}

}  // namespace detail

/// Reads from one source, prepared for many reads: it keeps the copy program of the last kind of chunk, and the last
/// chunk itself, so that a run of small reads decodes each chunk once. It refers to the source, which must outlive it.
/// One thread at a time may use it; other threads use readers of their own.
/// **Cost** memory: one chunk.
template <class Source>
class reader {
    using chunk_source = decltype(as_chunk_source(std::declval<Source const&>()));

public:
    static constexpr std::size_t rank = source_rank<std::remove_cvref_t<chunk_source>>;

    /// **Throws** selection_error for a layout whose elements lie outside their chunk, or whose fill is not one element.
    explicit reader(Source const& source)
        : source_(as_chunk_source(source)), grid_(source_.grid()), copier_(source_.layout()),
          chunk_bytes_(detail::byte_count(grid_.chunk_elements(), static_cast<index_t>(copier_.layout().type.size),
                                          "a chunk")) {
        detail::require_layout(layout(), grid_.chunk_shape(), chunk_bytes_);
    }
    explicit reader(Source const&&) = delete;

    [[nodiscard]] chunk_grid<rank> const& grid() const noexcept { return grid_; }
    [[nodiscard]] chunk_layout<rank> const& layout() const noexcept { return copier_.layout(); }

    /// Reads what a hyperslab or a plan selects into a destination: a strided_view, a span or any container that
    /// output_traits knows, of the selection's shape. Values arrive in native byte order, converted where the array's
    /// element type is another than the destination's or the options say so; fill values of absent chunks are, too.
    /// **Throws** selection_error before any I/O when selection, shapes or types do not fit; whatever the source
    /// throws; conversion_error, with the position in what is read from one chunk, when the options check values. After
    /// an error the destination is unspecified. **Cost** each chunk of the plan is read once, straight into the
    /// destination where it lies there as it is stored; no allocation but one chunk's buffer, once.
    template <class Output>
    read_report read_into(hyperslab<rank> const& slab, Output&& output,
                          read_options_for<Output, rank> const& options = {}) {
        return read_into(make_plan(grid_, slab), output, options);
    }
    template <class Axes, class Output>
    read_report read_into(basic_plan<Axes> const& plan, Output&& output,
                          read_options_for<Output, basic_plan<Axes>::array_rank> const& options = {}) {
        static_assert(basic_plan<Axes>::rank == rank, "slabwise: the plan and the array have different ranks");
        using traits = output_traits<std::remove_cvref_t<Output>>;
        static_assert(OutputContainer<std::remove_reference_t<Output>, basic_plan<Axes>::array_rank>,
                      "slabwise: this type cannot be the destination of a read of this rank; specialise "
                      "slabwise::output_traits for it, or pass a slabwise::strided_view");
        auto const view = traits::view(output, plan.shape());
        using element = typename std::remove_cvref_t<decltype(view)>::element_type;
        static_assert(!std::is_const_v<element>, "slabwise: the elements of the destination of a read are const");
        copier_.set_conversion(
            detail::find_conversion<element>(layout().type, copier_.native_fill(), options.conversion));
        return read_plan(plan, {reinterpret_cast<std::byte*>(view.data()), view.byte_strides()});
    }

    /// Reads into memory whose element type is known at run time only. **Expects** room for elements of layout().type
    /// at all indices of plan.shape(). **Throws**, **Cost** as read_into.
    template <class Axes>
    read_report read_bytes(basic_plan<Axes> const& plan, byte_destination<basic_plan<Axes>::array_rank> const& to) {
        copier_.set_conversion(std::nullopt);
        return read_plan(plan, to);
    }
    /// The same for elements of convert.to(). **Throws** selection_error also when convert.from() is not layout().type.
    template <class Axes>
    read_report read_bytes(basic_plan<Axes> const& plan, byte_destination<basic_plan<Axes>::array_rank> const& to,
                           conversion const& convert) {
        if (convert.from() != layout().type) detail::throw_type_mismatch(layout().type, convert.from(), "conversion");
        copier_.set_conversion(convert);
        return read_plan(plan, to);
    }

private:
    enum class held : unsigned char { nothing, absent_chunk, chunk };

    template <class Plan>
    read_report read_plan(Plan const& plan, byte_destination<Plan::array_rank> const& to) {
        detail::require_grid(plan.grid(), grid_);
        read_report report;
        for (auto const projection : plan) read_projection(plan, projection, to, report);
        report.chunks = plan.size();
        return report;
    }

    template <class Plan>
    void read_projection(Plan const& plan, typename Plan::value_type const& at,
                         byte_destination<Plan::array_rank> const& to, read_report& report) {
        auto const coord = at.coord();
        if (held_ != held::nothing && coord == held_coord_) {
            ++report.hits;
        } else if (copier_.template is_in_place<Plan>(at, to)) {
            auto* const begin = chunk_copier<rank>::template begin_in<Plan>(at, to);
            if (source_.read_chunk(coord, {begin, static_cast<std::size_t>(chunk_bytes_)}) == chunk_state::present) {
                report.bytes_decoded += chunk_bytes_;
            } else {
                ++report.absent;
                copier_.fill(plan, at, to);
            }
            return;
        } else {
            hold(coord, report);
        }
        try {
            if (held_ == held::chunk) {
                copier_.copy(plan, at, buffer_.get(), to);
            } else {
                ++report.absent;
                copier_.fill(plan, at, to);
            }
        } catch (conversion_error const& error) {
            detail::throw_misfit_in<rank>(error, coord);
        }
    }

    void hold(coord_t<rank> const& coord, read_report& report) {
        if (!buffer_) {
            buffer_.reset(static_cast<std::byte*>(::operator new(static_cast<std::size_t>(chunk_bytes_),
                                                                 std::align_val_t{alignment}, std::nothrow)));
            if (!buffer_) detail::throw_no_memory_for_chunk(chunk_bytes_);
        }
        held_ = held::nothing;  // should the source throw
        auto const state = source_.read_chunk(coord, {buffer_.get(), static_cast<std::size_t>(chunk_bytes_)});
        if (state == chunk_state::present) report.bytes_decoded += chunk_bytes_;
        held_ = state == chunk_state::present ? held::chunk : held::absent_chunk;
        held_coord_ = coord;
    }

    static constexpr std::size_t alignment = 64;
    struct free_buffer {
        void operator()(std::byte* bytes) const noexcept { ::operator delete(bytes, std::align_val_t{alignment}); }
    };

    chunk_source source_;
    chunk_grid<rank> grid_;
    chunk_copier<rank> copier_;
    index_t chunk_bytes_;
    std::unique_ptr<std::byte, free_buffer> buffer_;
    held held_ = held::nothing;
    coord_t<rank> held_coord_{};
};

}  // namespace slabwise
