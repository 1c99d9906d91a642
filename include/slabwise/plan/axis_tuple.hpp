// A tuple of axis plans of different kinds. Small on purpose: <tuple> costs a quarter of this layer's compile time.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace slabwise {

namespace detail {

template <std::size_t D, class Value>
struct tuple_leaf {
    Value value;
    friend constexpr bool operator==(tuple_leaf const&, tuple_leaf const&) noexcept = default;
};

template <class Sequence, class... Values>
struct tuple_leaves;
template <std::size_t... D, class... Values>
struct tuple_leaves<std::index_sequence<D...>, Values...> : tuple_leaf<D, Values>... {
    constexpr tuple_leaves() noexcept = default;
    explicit constexpr tuple_leaves(Values const&... values) : tuple_leaf<D, Values>{values}... {}
    friend constexpr bool operator==(tuple_leaves const&, tuple_leaves const&) noexcept = default;
};

template <std::size_t D, class Value>
constexpr Value const& tuple_get(tuple_leaf<D, Value> const& leaf) noexcept {
    return leaf.value;
}
template <std::size_t D, class Value>
constexpr Value& tuple_get(tuple_leaf<D, Value>& leaf) noexcept {
    return leaf.value;
}
template <std::size_t D, class Value, std::size_t R>
constexpr Value const& tuple_get(std::array<Value, R> const& values) noexcept {
    return values[D];
}
template <std::size_t D, class Value, std::size_t R>
constexpr Value& tuple_get(std::array<Value, R>& values) noexcept {
    return values[D];
}

}  // namespace detail

/// One value an axis, each of its own type.
template <class... Values>
struct axis_tuple : detail::tuple_leaves<std::index_sequence_for<Values...>, Values...> {
    constexpr axis_tuple() noexcept = default;
    constexpr axis_tuple(Values const&... values)
        : detail::tuple_leaves<std::index_sequence_for<Values...>, Values...>(values...) {}
    friend constexpr bool operator==(axis_tuple const&, axis_tuple const&) noexcept = default;
};

namespace detail {

template <class Axes>
inline constexpr std::size_t axis_count = 0;
template <class Axis, std::size_t R>
inline constexpr std::size_t axis_count<std::array<Axis, R>> = R;
template <class... Values>
inline constexpr std::size_t axis_count<axis_tuple<Values...>> = sizeof...(Values);

template <class Axes, std::size_t D>
using axis_type = std::remove_cvref_t<decltype(tuple_get<D>(std::declval<Axes const&>()))>;

// One cursor an axis, in the same arrangement as the axes.
template <class Axes>
struct cursors_for;
template <class Axis, std::size_t R>
struct cursors_for<std::array<Axis, R>> {
    using type = std::array<typename Axis::cursor, R>;
};
template <class... Values>
struct cursors_for<axis_tuple<Values...>> {
    using type = axis_tuple<typename Values::cursor...>;
};
template <class Axes>
using cursors_of = typename cursors_for<Axes>::type;

}  // namespace detail

}  // namespace slabwise
