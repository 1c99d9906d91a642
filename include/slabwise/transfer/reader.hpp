// Reading: a plan's chunks, one after another, each to its place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <slabwise/copy/strided_view.hpp>
#include <slabwise/plan/plan.hpp>
#include <slabwise/plan/rectilinear_axis.hpp>
#include <slabwise/source/typed_source.hpp>
#include <slabwise/transfer/chunk_reader.hpp>
#include <slabwise/transfer/output_traits.hpp>
#include <slabwise/transfer/read_options.hpp>

namespace slabwise {

namespace detail {

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

/// **Throws** selection_error when an axis was planned for another grid than the array's.
template <class Axis, std::size_t R>
void require_axis(Axis const& planned, chunk_grid<R> const& stored, std::size_t axis) {
    static_assert(Axis::is_regular, "slabwise: the plan is of a rectilinear grid, the array's grid is regular");
    index_t const length = planned.chunk_length();
    if (length != stored.chunk_shape()[axis]) {
        throw_plan_of_other_grid(axis, "chunk length", length, stored.chunk_shape()[axis]);
    }
}
template <class Axis, std::size_t R>
void require_axis(Axis const& planned, rectilinear_grid<R> const& stored, std::size_t axis) {
    static_assert(!Axis::is_regular, "slabwise: the plan is of a regular grid, the array's grid is rectilinear");
    auto const runs = planned.edges().runs();
    auto const stored_runs = stored.edges()[axis].runs();
    for (std::size_t i = 0; i < runs.size() && i < stored_runs.size(); ++i) {
        if (runs[i].length != stored_runs[i].length) {
            throw_plan_of_other_grid(axis, "chunk length", runs[i].length, stored_runs[i].length);
        }
        if (runs[i].count != stored_runs[i].count) {
            throw_plan_of_other_grid(axis, "this many equal chunks in a row:", runs[i].count, stored_runs[i].count);
        }
    }
    if (runs.size() != stored_runs.size()) {
        throw_plan_of_other_grid(axis, "this many chunks:", planned.edges().chunk_count(),
                                 stored.edges()[axis].chunk_count());
    }
}
/// **Throws** selection_error when a plan was made for another grid than the array's.
template <class Plan, class Grid, std::size_t... D>
void require_grid(Plan const& plan, Grid const& stored, std::index_sequence<D...>) {
    [[maybe_unused]] auto const require = [&](auto const& planned, std::size_t axis) {
        if (planned.extent() != stored.shape()[axis]) {
            throw_plan_of_other_grid(axis, "extent", planned.extent(), stored.shape()[axis]);
        }
        require_axis(planned, stored, axis);
    };
    (require(plan.template axis<D>(), D), ...);
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
        : source_(as_chunk_source(source)), chunks_(source_) {}
    explicit reader(Source const&&) = delete;

    [[nodiscard]] auto const& grid() const noexcept { return chunks_.grid(); }
    [[nodiscard]] chunk_layout<rank> const& layout() const noexcept { return chunks_.copier().layout(); }

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
        return read_into(make_plan(grid(), slab), output, options);
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
        chunks_.set_conversion(
            detail::find_conversion<element>(layout().type, chunks_.copier().native_fill(), options.conversion));
        return read_plan(plan, {reinterpret_cast<std::byte*>(view.data()), view.byte_strides()});
    }

    /// Reads into memory whose element type is known at run time only. **Expects** room for elements of layout().type
    /// at all indices of plan.shape(). **Throws**, **Cost** as read_into.
    template <class Axes>
    read_report read_bytes(basic_plan<Axes> const& plan, byte_destination<basic_plan<Axes>::array_rank> const& to) {
        chunks_.set_conversion(std::nullopt);
        return read_plan(plan, to);
    }
    /// The same for elements of convert.to(). **Throws** selection_error also when convert.from() is not layout().type.
    template <class Axes>
    read_report read_bytes(basic_plan<Axes> const& plan, byte_destination<basic_plan<Axes>::array_rank> const& to,
                           conversion const& convert) {
        if (convert.from() != layout().type) detail::throw_type_mismatch(layout().type, convert.from(), "conversion");
        chunks_.set_conversion(convert);
        return read_plan(plan, to);
    }

private:
    template <class Plan>
    read_report read_plan(Plan const& plan, byte_destination<Plan::array_rank> const& to) {
        detail::require_grid(plan, grid(), std::make_index_sequence<rank>{});
        // A destination of so many bytes is taken not to fit into the caches.
        constexpr auto streamed = static_cast<std::size_t>(16) << 20;
        bool const is_large = static_cast<std::size_t>(plan.element_count()) >= streamed / layout().type.size;
        chunks_.set_store_mode(is_large ? store_mode::streamed : store_mode::cached);
        read_report report;
        chunks_.read(source_, plan, to, report);
        return report;
    }

    chunk_source source_;
    detail::chunk_reader<std::remove_cvref_t<chunk_source>> chunks_;
};

}  // namespace slabwise
