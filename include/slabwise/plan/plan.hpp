// The plan: which chunks a selection touches, what to take from each and where to put it.
//
// Axes are independent: on each, the chunks that a selection touches and its share in them form a short sequence of
// pieces that is known in closed form (slice_axis.hpp). A plan is the product of R such sequences, in row-major order,
// the last axis fastest. So its size is a product, its k-th projection follows from the digits of k in the mixed radix
// of the axes' sizes, and the projection of a chunk is found axis by axis: O(R) each, however many chunks there are.
//
//     constexpr chunk_grid<2> grid{{100, 100}, {10, 25}};                  // shape, chunk shape
//     constexpr auto plan = make_plan(grid, hyperslab<2>{slice{0, 100, 3}, slice{99, -1, -1}});
//     for (auto const p : plan) use(p.coord(), p.in_chunk(), p.in_array());
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <slabwise/grid/chunk_grid.hpp>
#include <slabwise/index/hyperslab.hpp>
#include <slabwise/plan/axis_tuple.hpp>
#include <slabwise/plan/cost.hpp>
#include <slabwise/plan/index_axis.hpp>
#include <slabwise/plan/part.hpp>
#include <slabwise/plan/plan_iterator.hpp>
#include <slabwise/plan/projection.hpp>
#include <slabwise/plan/slice_axis.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_plan_too_large(char const* what) {
    throw selection_error(error_text("plan: the number of ").append(what).append(" exceeds 2^63 - 1"),
                          selection_error::no_axis, max_index, max_index);
}

}  // namespace detail

/// The product of R axis plans. `Axes` is std::array<slice_axis, R> (that is plan<R>) or an axis_tuple of mixed ones.
/// **Shape** rank R in the chunks, array_rank in the selection's own array, without the axes that an index drops.
/// **Ensures** P1 projections come in row-major order of the pieces, each chunk at most once; P2 none is empty; P3 their
/// elements are those of the selection, each once; P4 plan[k] is the k-th of the iteration; P5 plan[plan.find(coord)]
/// has that coord. **Cost** O(R) for everything but walking it; no allocation (index lists: see list_axis).
template <class Axes>
class basic_plan {
    template <class Sequence>
    struct over;
    template <std::size_t... D>
    struct over<std::index_sequence<D...>> {
        static constexpr std::uint64_t dropped =
            (std::uint64_t{0} | ... | (std::uint64_t{detail::axis_type<Axes, D>::drops_axis} << D));
        static constexpr bool is_affine = (true && ... && detail::axis_type<Axes, D>::is_affine);
        static constexpr bool is_regular = (true && ... && detail::axis_type<Axes, D>::is_regular);
    };
    using all = over<std::make_index_sequence<detail::axis_count<Axes>>>;

public:
    /// The number of axes of the chunk grid.
    static constexpr std::size_t rank = detail::axis_count<Axes>;
    static_assert(rank <= 64, "slabwise: a plan has at most 64 axes");
    using value_type = projection<rank, all::dropped, all::is_affine>;
    using iterator = plan_iterator<basic_plan>;
    using const_iterator = iterator;
    using difference_type = index_t;
    using axes_type = Axes;
    /// The rank of the selection's own array.
    static constexpr std::size_t array_rank = value_type::array_rank;
    /// True when every piece lists indices one stride apart, so that in_chunk() and in_array() exist.
    static constexpr bool is_affine = all::is_affine;
    /// True when all chunks have one shape, so that grid() exists.
    static constexpr bool is_regular = all::is_regular;

    /// The product of the given axis plans. **Throws** selection_error when the number of projections or of elements
    /// exceeds 2^63 - 1.
    explicit constexpr basic_plan(Axes const& axes) : axes_(axes) { measure(std::make_index_sequence<rank>{}); }

    /// The number of projections. **Units** chunks.
    [[nodiscard]] constexpr index_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    /// The number of elements selected.
    [[nodiscard]] constexpr index_t element_count() const noexcept { return element_count_; }
    /// The shape of the selection's own array. **Units** elements.
    [[nodiscard]] constexpr slabwise::shape<array_rank> shape() const noexcept {
        return shape_of(std::make_index_sequence<rank>{});
    }
    /// The grid that the plan belongs to.
    [[nodiscard]] constexpr chunk_grid<rank> grid() const
        requires all::is_regular
    {
        return grid_of(std::make_index_sequence<rank>{});
    }

    /// The axis plan of axis D.
    template <std::size_t D>
    [[nodiscard]] constexpr auto const& axis() const noexcept {
        static_assert(D < rank, "slabwise: the plan has no such axis");
        return detail::tuple_get<D>(axes_);
    }
    /// The axis plan of axis `d`, where all are of one kind. **Expects** d < rank.
    [[nodiscard]] constexpr auto const& axis(std::size_t d) const noexcept
        requires requires(Axes const& axes) { axes[d]; }
    {
        return axes_[d];
    }

    [[nodiscard]] constexpr iterator begin() const noexcept { return iterator(*this); }
    [[nodiscard]] constexpr iterator end() const noexcept { return iterator(*this, size_); }
    /// The k-th projection. **Expects** 0 <= k < size(). **Cost** at most two divisions an axis.
    [[nodiscard]] constexpr value_type operator[](index_t k) const noexcept { return *iterator(*this, k); }

    /// Which projection lies in the chunk at `coord`; size() when none does. **Cost** O(R).
    [[nodiscard]] constexpr index_t find(coord_t<rank> const& coord) const noexcept {
        return find_each(coord, [](auto const& axis, index_t chunk) { return axis.find(chunk); },
                         std::make_index_sequence<rank>{});
    }
    /// Which projection selects the array's element at `index`; size() when none does. **Cost** O(R).
    [[nodiscard]] constexpr index_t find_element(coord_t<rank> const& index) const noexcept {
        return find_each(index, [](auto const& axis, index_t i) { return axis.find_index(i); },
                         std::make_index_sequence<rank>{});
    }

    /// The smallest box of chunk coords that holds every chunk touched; empty slices when there is none.
    [[nodiscard]] constexpr hyperslab<rank> chunk_box() const noexcept {
        return chunk_box_of(std::make_index_sequence<rank>{});
    }

    /// The number of elements that the first k projections select. **Expects** 0 <= k <= size(). **Cost** O(R).
    [[nodiscard]] constexpr index_t elements_before(index_t k) const noexcept {
        if (k == size_) return element_count_;
        return elements_before_digits(k, size_, element_count_, 1, std::make_index_sequence<rank>{});
    }
    /// Which projection selects the e-th element, counted in the order of the projections.
    /// **Expects** 0 <= e < element_count(). **Cost** O(R).
    [[nodiscard]] constexpr index_t projection_of_element(index_t e) const noexcept {
        return projection_of(e, std::make_index_sequence<rank>{});
    }

    /// n parts, whose numbers of projections differ by at most one. The parts refer to this plan, which must outlive
    /// them. **Throws** selection_error when n < 1. **Cost** O(1), and O(R) a part.
    [[nodiscard]] constexpr plan_split<basic_plan> split(index_t n) const& { return {*this, n, split_by::projections}; }
    plan_split<basic_plan> split(index_t n) const&& = delete;
    /// n parts, each within one projection of an even share of the elements. **Throws**, **Cost** as split().
    [[nodiscard]] constexpr plan_split<basic_plan> split_by_elements(index_t n) const& {
        return {*this, n, split_by::elements};
    }
    plan_split<basic_plan> split_by_elements(index_t n) const&& = delete;
    /// Part i of split(n). **Throws** selection_error when n < 1 or i is not below n.
    [[nodiscard]] constexpr plan_part<basic_plan> part(index_t i, index_t n) const& { return split(n).at(i); }
    plan_part<basic_plan> part(index_t i, index_t n) const&& = delete;

    /// What the plan costs for elements of `element_size` bytes. **Throws** selection_error when element_size < 1 and
    /// when a number of bytes exceeds 2^63 - 1. **Cost** O(R).
    [[nodiscard]] constexpr plan_cost cost(index_t element_size) const {
        if (element_size < 1) {
            throw selection_error(error_text("cost: element size ").append(element_size).append(" is below 1"),
                                  selection_error::no_axis, element_size, 1);
        }
        plan_cost result{size_, element_count_, 0, 0, contiguous_runs()};
        result.bytes_chunks = bytes_of_chunks(element_size, std::make_index_sequence<rank>{});
        result.bytes_used = detail::byte_count(element_count_, element_size, "the selected elements");
        return result;
    }

    /// Runs of elements that lie side by side in a chunk in C order, in whatever direction they are taken, over all
    /// projections. A run goes on from one index of an axis to the next only where all later axes are taken whole.
    /// **Cost** O(R).
    [[nodiscard]] constexpr index_t contiguous_runs() const noexcept {
        return size_ == 0 ? 0 : runs_from<0>().runs;
    }

    friend constexpr bool operator==(basic_plan const& a, basic_plan const& b) noexcept { return a.axes_ == b.axes_; }

private:
    template <std::size_t... D>
    constexpr void measure(std::index_sequence<D...>) {
        index_t pieces = 1;
        index_t elements = 1;
        bool const is_empty = (false || ... || (axis<D>().size() == 0));
        if (is_empty) return;
        if (!(true && ... && multiply_into(pieces, axis<D>().size()))) detail::throw_plan_too_large("projections");
        if (!(true && ... && multiply_into(elements, axis<D>().count()))) detail::throw_plan_too_large("elements");
        size_ = pieces;
        element_count_ = elements;
    }

    template <std::size_t... D>
    [[nodiscard]] constexpr slabwise::shape<array_rank> shape_of(std::index_sequence<D...>) const noexcept {
        std::array<index_t, array_rank> counts{};
        std::size_t kept = 0;
        [[maybe_unused]] auto const keep = [&](bool drops_axis, index_t count) {
            if (!drops_axis) counts[kept++] = count;
        };
        (keep(detail::axis_type<Axes, D>::drops_axis, axis<D>().count()), ...);
        return counts;
    }

    template <std::size_t... D>
    [[nodiscard]] constexpr chunk_grid<rank> grid_of(std::index_sequence<D...>) const {
        return {std::array<index_t, rank>{axis<D>().extent()...},
                std::array<index_t, rank>{axis<D>().chunk_length()...}};
    }

    template <class Find, std::size_t... D>
    [[nodiscard]] constexpr index_t find_each([[maybe_unused]] coord_t<rank> const& at,
                                              [[maybe_unused]] Find find_in, std::index_sequence<D...>) const noexcept {
        index_t k = 0;
        [[maybe_unused]] auto const next_digit = [&k](index_t size, index_t digit) {
            k = k * size + digit;
            return digit < size;
        };
        bool const found = !empty() && (true && ... && next_digit(axis<D>().size(), find_in(axis<D>(), at[D])));
        return found ? k : size_;
    }

    template <std::size_t... D>
    [[nodiscard]] constexpr hyperslab<rank> chunk_box_of(std::index_sequence<D...>) const noexcept {
        if (empty()) return {};
        return std::array<slice, rank>{slice::unchecked(
            axis<D>().lowest_chunk(), axis<D>().highest_chunk() - axis<D>().lowest_chunk() + 1, 1)...};
    }

    // The prefix sums: before the projection with digits d_0 .. d_{R-1} come, for each axis, the projections that agree
    // with it on all earlier axes and have a smaller digit there. `weight` is the product of the counts of the earlier
    // axes' pieces, `elements` and `pieces` are the products of the later axes' totals.
    template <std::size_t... D>
    [[nodiscard]] constexpr index_t elements_before_digits(index_t k, index_t pieces, index_t elements, index_t weight,
                                                           std::index_sequence<D...>) const noexcept {
        index_t sum = 0;
        [[maybe_unused]] auto const add = [&](auto const& along) {
            pieces /= along.size();
            elements /= along.count();
            auto const at = along[k / pieces];
            k %= pieces;
            sum += weight * at.first_in_array * elements;
            weight *= at.count;
        };
        (add(axis<D>()), ...);
        return sum;
    }

    template <std::size_t... D>
    [[nodiscard]] constexpr index_t projection_of(index_t e, std::index_sequence<D...>) const noexcept {
        index_t k = 0;
        index_t weight = 1;
        index_t elements = element_count_;
        [[maybe_unused]] auto const descend = [&](auto const& along) {
            elements /= along.count();
            index_t const share = weight * elements;  // elements for each index on this axis
            index_t const digit = along.piece_of(e / share);
            auto const at = along[digit];
            e -= at.first_in_array * share;
            weight *= at.count;
            k = k * along.size() + digit;
        };
        (descend(axis<D>()), ...);
        return k;
    }

    template <std::size_t... D>
    [[nodiscard]] constexpr index_t bytes_of_chunks(index_t element_size, std::index_sequence<D...>) const {
        if constexpr (is_regular) {
            index_t const chunk_bytes = detail::byte_count(grid().chunk_elements(), element_size, "a chunk");
            return detail::byte_count(size_, chunk_bytes, "the touched chunks");
        } else {
            if (size_ == 0) return 0;
            index_t bytes = element_size;
            ((bytes = detail::byte_count(bytes, axis<D>().stored_lengths(), "the touched chunks")), ...);
            return bytes;
        }
    }

    struct run_sums {
        index_t runs;   // over all products of the later axes' pieces
        index_t whole;  // how many of these products take the later axes whole
    };
    template <std::size_t D>
    [[nodiscard]] constexpr run_sums runs_from() const noexcept {
        if constexpr (D == rank) {
            return {1, 1};
        } else {
            run_sums const later = runs_from<D + 1>();
            return {later.whole * axis<D>().runs() + (later.runs - later.whole) * axis<D>().count(),
                    later.whole * axis<D>().full_pieces()};
        }
    }

    Axes axes_;
    index_t size_ = 0;
    index_t element_count_ = 0;
};

/// The plan of a hyperslab.
template <std::size_t R>
using plan = basic_plan<std::array<slice_axis, R>>;

/// How a selector becomes the axis plan of one axis: one overload for each kind of selector, found by its type.
constexpr slice_axis axis_of(slice const& selected, index_t extent, index_t chunk_length, std::size_t axis) {
    return {selected, extent, chunk_length, axis};
}
template <std::integral Index>
constexpr index_axis axis_of(Index index, index_t extent, index_t chunk_length, std::size_t axis) {
    if constexpr (std::unsigned_integral<Index>) {
        if (index > static_cast<std::uint64_t>(max_index)) detail::throw_index_outside(axis, max_index, extent);
    }
    return {static_cast<index_t>(index), extent, chunk_length, axis};
}

/// A type that axis_of turns into an axis plan.
template <class Selector>
concept AxisSelector = requires(Selector const& selector) { axis_of(selector, index_t{}, index_t{}, std::size_t{}); };

namespace detail {

template <std::size_t R, std::size_t... D>
constexpr plan<R> make_slice_plan(chunk_grid<R> const& grid, std::array<slice, R> const& slices,
                                  std::index_sequence<D...>) {
    [[maybe_unused]] auto const lengths = grid.chunk_shape();
    return plan<R>(std::array<slice_axis, R>{slice_axis(slices[D], grid.shape()[D], lengths[D], D)...});
}

template <std::size_t R, class... Selectors, std::size_t... D>
constexpr auto make_mixed_plan(chunk_grid<R> const& grid, std::index_sequence<D...>, Selectors const&... selectors) {
    auto const lengths = grid.chunk_shape();
    using axes = axis_tuple<decltype(axis_of(selectors, index_t{}, index_t{}, D))...>;
    return basic_plan<axes>(axes{axis_of(selectors, grid.shape()[D], lengths[D], D)...});
}

}  // namespace detail

/// The plan of a hyperslab on a grid. **Throws** selection_error when an index lies outside the array, and when the
/// number of projections or of elements exceeds 2^63 - 1. **Cost** a few divisions an axis; no allocation.
template <std::size_t R>
[[nodiscard]] constexpr plan<R> make_plan(chunk_grid<R> const& grid, hyperslab<R> const& slab) {
    return detail::make_slice_plan(grid, slab.slices(), std::make_index_sequence<R>{});
}

/// The plan of one selector an axis: a slice, an integer (which drops its axis), or what plan/list_axis.hpp adds.
/// **Throws**, **Cost** as above.
template <std::size_t R, AxisSelector... Selectors>
    requires(sizeof...(Selectors) == R && R > 0 && !(... && std::same_as<Selectors, slice>))
[[nodiscard]] constexpr auto make_plan(chunk_grid<R> const& grid, Selectors const&... selectors) {
    return detail::make_mixed_plan(grid, std::make_index_sequence<R>{}, selectors...);
}
template <std::size_t R, std::same_as<slice>... Slices>
    requires(sizeof...(Slices) == R && R > 0)
[[nodiscard]] constexpr plan<R> make_plan(chunk_grid<R> const& grid, Slices... slices) {
    return detail::make_slice_plan(grid, std::array<slice, R>{slices...}, std::make_index_sequence<R>{});
}

}  // namespace slabwise
