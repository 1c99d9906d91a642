// Opt-in: slices, shapes, hyperslabs and projections in fmt's formats, as plan/print.hpp writes them.
#pragma once

#include <fmt/ostream.h>

#include <slabwise/plan/print.hpp>

template <>
struct fmt::formatter<slabwise::slice> : fmt::ostream_formatter {};
template <std::size_t R>
struct fmt::formatter<slabwise::shape<R>> : fmt::ostream_formatter {};
template <std::size_t R>
struct fmt::formatter<slabwise::hyperslab<R>> : fmt::ostream_formatter {};
template <std::size_t R, std::uint64_t Dropped>
struct fmt::formatter<slabwise::projection<R, Dropped>> : fmt::ostream_formatter {};
