// Opt-in: slices, shapes, hyperslabs and projections on a stream, so that failed tests read well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>

#include <slabwise/plan/projection.hpp>

namespace slabwise {

/// first:stop, or first:stop:stride when the stride is not 1.
inline std::ostream& operator<<(std::ostream& out, slice const& value) {
    out << value.first() << ':' << value.stop();
    return value.stride() == 1 ? out : out << ':' << value.stride();
}

namespace detail {

/// The values of a range between brackets, with ", " between them.
template <class Range>
std::ostream& print_list(std::ostream& out, char open, Range const& values, char close) {
    out << open;
    char const* separator = "";
    for (auto const& value : values) {
        out << separator << value;
        separator = ", ";
    }
    return out << close;
}

}  // namespace detail

/// (4, 3, 2)
template <std::size_t R>
std::ostream& operator<<(std::ostream& out, shape<R> const& value) {
    return detail::print_list(out, '(', value, ')');
}

/// [0:4, 9:-1:-3]
template <std::size_t R>
std::ostream& operator<<(std::ostream& out, hyperslab<R> const& value) {
    return detail::print_list(out, '[', value, ']');
}

/// chunk (0, 1): [0:4, 9:-1:-3] -> [0:4, 4:8]
template <std::size_t R, std::uint64_t Dropped>
std::ostream& operator<<(std::ostream& out, projection<R, Dropped> const& value) {
    detail::print_list(out << "chunk ", '(', value.coord(), ')');
    return out << ": " << value.in_chunk() << " -> " << value.in_array();
}

}  // namespace slabwise
