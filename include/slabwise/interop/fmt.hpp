// Opt-in: slices, shapes, hyperslabs and projections in fmt's formats, as plan/print.hpp writes them.
#pragma once

#include <fmt/ostream.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <slabwise/plan/print.hpp>

// Shapes and hyperslabs could also be taken for ranges of numbers, which fmt/ranges.h formats in its own way.
template <std::size_t R>
struct fmt::is_range<slabwise::shape<R>, char> : std::false_type {};
template <std::size_t R>
struct fmt::is_range<slabwise::hyperslab<R>, char> : std::false_type {};

template <>
struct fmt::formatter<slabwise::slice> : fmt::ostream_formatter {};
template <std::size_t R>
struct fmt::formatter<slabwise::shape<R>> : fmt::ostream_formatter {};
template <std::size_t R>
struct fmt::formatter<slabwise::hyperslab<R>> : fmt::ostream_formatter {};
template <std::size_t R, std::uint64_t Dropped>
struct fmt::formatter<slabwise::projection<R, Dropped>> : fmt::ostream_formatter {};
