// From a rank known at run time to code that knows it at compile time.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <slabwise/error.hpp>

namespace slabwise {

/// The highest rank that visit_rank dispatches to unless told otherwise.
inline constexpr std::size_t default_max_rank = 8;

namespace detail {

[[noreturn]] inline void throw_rank_too_high(std::size_t rank, std::size_t max_rank) {
    throw selection_error(error_text("rank ")
                              .append(std::uint64_t{rank})
                              .append(" is above the highest supported one, ")
                              .append(std::uint64_t{max_rank}),
                          selection_error::no_axis, static_cast<std::int64_t>(rank),
                          static_cast<std::int64_t>(max_rank));
}

}  // namespace detail

/// Calls visitor(std::integral_constant<std::size_t, rank>{}) and returns what it does; one branch table, once. The
/// visitor is compiled for every rank from 0 to MaxRank and must return one type.
/// **Throws** selection_error when rank > MaxRank. **Cost** O(1).
template <std::size_t MaxRank = default_max_rank, class Visitor>
constexpr decltype(auto) visit_rank(std::size_t rank, Visitor&& visitor) {
    using result = decltype(visitor(std::integral_constant<std::size_t, 0>{}));
    if (rank > MaxRank) detail::throw_rank_too_high(rank, MaxRank);
    return [&]<std::size_t... R>(std::index_sequence<R...>) -> result {
        using call = result (*)(Visitor&);
        constexpr call calls[] = {+[](Visitor& to) -> result { return to(std::integral_constant<std::size_t, R>{}); }...};
        return calls[rank](visitor);
    }(std::make_index_sequence<MaxRank + 1>{});
}

}  // namespace slabwise
