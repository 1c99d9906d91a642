// Reading in one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <slabwise/transfer/reader.hpp>

namespace slabwise {

/// Reads what a hyperslab selects into a destination of its shape. **Throws**, **Cost** as reader::read_into.
template <class Source, std::size_t R, class Output>
read_report read_into(Source const& source, hyperslab<R> const& slab, Output&& output,
                      read_options_for<Output, R> const& options = {}) {
    return reader<Source>(source).read_into(slab, output, options);
}
/// Reads what a plan selects, which may drop axes or list indices.
template <class Source, class Axes, class Output>
read_report read_into(Source const& source, basic_plan<Axes> const& plan, Output&& output,
                      read_options_for<Output, basic_plan<Axes>::array_rank> const& options = {}) {
    return reader<Source>(source).read_into(plan, output, options);
}

/// Reads what a plan selects into a new container.
template <class Container, class Source, class Axes>
[[nodiscard]] Container read(Source const& source, basic_plan<Axes> const& plan,
                             read_options_for<Container, basic_plan<Axes>::array_rank> const& options = {}) {
    static_assert(ResultContainer<Container, basic_plan<Axes>::array_rank>,
                  "slabwise: this type cannot be the result of a read of this rank; specialise slabwise::output_traits "
                  "for it, or read into a destination");
    reader<Source> from(source);
    auto result = output_traits<Container>::make(plan.shape());
    from.read_into(plan, result, options);
    return result;
}
/// Reads what a hyperslab selects into a new container. **Throws**, **Cost** as reader::read_into.
template <class Container, class Source, std::size_t R>
[[nodiscard]] Container read(Source const& source, hyperslab<R> const& slab,
                             read_options_for<Container, R> const& options = {}) {
    return slabwise::read<Container>(source, make_plan(as_chunk_source(source).grid(), slab), options);
}

/// Reads what a plan selects as bytes, in C order and native byte order, for elements whose type is known at run time
/// only: that of source.layout(). **Throws** selection_error when `bytes` has not exactly the size of the result.
template <class Source, class Axes>
read_report read_bytes_into(Source const& source, basic_plan<Axes> const& plan, std::span<std::byte> bytes) {
    reader<Source> from(source);
    std::size_t const element_size = from.layout().type.size;
    auto const byte_strides = c_order_byte_strides(plan.shape(), element_size);
    index_t const wanted = detail::byte_count(plan.element_count(), static_cast<index_t>(element_size), "the result");
    if (bytes.size() != static_cast<std::size_t>(wanted)) {
        throw selection_error(error_text("read: the destination has ")
                                  .append(std::uint64_t{bytes.size()})
                                  .append(" bytes, but the result has ")
                                  .append(wanted),
                              selection_error::no_axis, static_cast<index_t>(bytes.size()), wanted);
    }
    return from.read_bytes(plan, {bytes.data(), byte_strides});
}

}  // namespace slabwise
