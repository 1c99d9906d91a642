// What a plan must be, found element by element. Every function returns the fault that it finds, named by the
// post-condition that it breaks, or a null pointer; all are constexpr, so that one check runs at both times.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <slabwise/plan/plan.hpp>

namespace slabwise_test {

using slabwise::index_t;

/// The indices that are selected on one axis, one by one, in the order of the selection's own array.
struct listed {
    static constexpr std::size_t capacity = 24;
    std::array<index_t, capacity> indices{};
    index_t count = 0;
    /// The order of the chunks: from the first to the last index for a slice, rising for anything else.
    bool falls = false;

    constexpr void add(index_t index) { indices[static_cast<std::size_t>(count++)] = index; }
    constexpr index_t operator[](index_t i) const { return indices[static_cast<std::size_t>(i)]; }
    constexpr bool contains(index_t index) const {
        for (index_t i = 0; i < count; ++i) {
            if ((*this)[i] == index) return true;
        }
        return false;
    }
};

constexpr listed list_of(slabwise::slice const& selected) {
    listed result;
    result.falls = selected.stride() < 0;
    index_t index = selected.first();
    for (index_t i = 0; i < selected.count(); ++i, index += selected.stride()) result.add(index);
    return result;
}
template <std::size_t R>
constexpr std::array<listed, R> lists_of(slabwise::hyperslab<R> const& slab) {
    std::array<listed, R> result{};
    for (std::size_t axis = 0; axis < R; ++axis) result[axis] = list_of(slab[axis]);
    return result;
}

/// Calls visit(index) for all indices of a box in row-major order, until it returns a fault, which is returned.
template <std::size_t R, class Visit>
constexpr char const* walk_box(std::array<index_t, R> const& extents, Visit visit) {
    for (index_t const extent : extents) {
        if (extent == 0) return nullptr;
    }
    std::array<index_t, R> at{};
    while (true) {
        if (char const* const fault = visit(at)) return fault;
        std::size_t axis = R;
        while (axis > 0 && ++at[axis - 1] == extents[axis - 1]) at[--axis] = 0;
        if (axis == 0) return nullptr;
    }
}
/// Where an index lies in the row-major order of a box.
template <std::size_t R>
constexpr std::size_t offset_in(std::array<index_t, R> const& extents, std::array<index_t, R> const& at) {
    index_t offset = 0;
    for (std::size_t axis = 0; axis < R; ++axis) offset = offset * extents[axis] + at[axis];
    return static_cast<std::size_t>(offset);
}
template <std::size_t R>
constexpr index_t product_of(std::array<index_t, R> const& extents) {
    index_t product = 1;
    for (index_t const extent : extents) product *= extent;
    return product;
}

/// Where index t of a piece lies in its chunk and in the selection's own array.
struct place {
    index_t in_chunk;
    index_t in_array;
};
template <class Axis>
constexpr place place_of(Axis const& axis, slabwise::piece const& part, index_t t) {
    if constexpr (Axis::is_affine) {
        return {part.first_in_chunk + t * axis.stride(), part.first_in_array + t};
    } else {
        return {axis.in_chunk(part)[static_cast<std::size_t>(t)], axis.in_array(part)[static_cast<std::size_t>(t)]};
    }
}
template <class Plan, std::size_t... D>
constexpr std::array<place, Plan::rank> places_of(Plan const& plan, typename Plan::value_type const& p,
                                                  std::array<index_t, Plan::rank> const& t, std::index_sequence<D...>) {
    return {place_of(plan.template axis<D>(), p.pieces()[D], t[D])...};
}

/// One plan against the lists that it was made of. Neither the array, the selection nor a chunk may have more elements
/// than `Capacity`.
template <std::size_t Capacity, class Plan>
class plan_check {
    static constexpr std::size_t R = Plan::rank;
    static constexpr auto axes = std::make_index_sequence<R>{};
    using coord = std::array<index_t, R>;
    using projection = typename Plan::value_type;

public:
    constexpr plan_check(Plan const& plan, slabwise::chunk_grid<R> const& grid, std::array<listed, R> const& lists)
        : plan_(plan), lists_(lists), extents_(grid.shape().extents()), lengths_(grid.chunk_shape().extents()) {
        for (std::size_t axis = 0; axis < R; ++axis) {
            counts_[axis] = lists[axis].count;
            chunks_[axis] = (extents_[axis] + lengths_[axis] - 1) / lengths_[axis];
        }
    }

    constexpr char const* fault() {
        if (plan_.element_count() != product_of(counts_)) return "element_count()";
        if (plan_.empty() != (plan_.size() == 0)) return "empty()";
        index_t k = 0;
        for (auto const p : plan_) {
            if (k == plan_.size()) return "the iteration is longer than size()";
            if (p != plan_[k]) return "P4: plan[k] is the k-th of the iteration";
            if (char const* const fault = projection_fault(k, p)) return fault;
            ++k;
        }
        if (k != plan_.size()) return "the iteration is shorter than size()";
        if (elements_ != product_of(counts_)) return "P3: each element once";
        if (plan_.elements_before(k) != elements_) return "elements_before(size())";
        if (has_runs_ && plan_.contiguous_runs() != runs_) return "contiguous_runs()";
        if (char const* const fault = find_fault()) return fault;
        return chunk_box_fault();
    }

private:
    constexpr char const* projection_fault(index_t k, projection const& p) {
        if (k > 0 && !comes_before(previous_, p.coord())) return "P1: row-major order of the pieces";
        previous_ = p.coord();
        if (p.element_count() <= 0) return "P2: no projection is empty";
        if (plan_.find(p.coord()) != k) return "P5: plan[plan.find(coord)] has that coord";
        if (plan_.elements_before(k) != elements_) return "elements_before()";

        std::array<bool, Capacity> taken{};
        bool in_order = true;
        std::size_t last_offset = 0;
        coord piece_counts{};
        for (std::size_t axis = 0; axis < R; ++axis) piece_counts[axis] = p.pieces()[axis].count;
        index_t of_this = 0;
        char const* const fault = walk_box(piece_counts, [&](coord const& t) -> char const* {
            auto const places = places_of(plan_, p, t, axes);
            coord in_chunk{}, in_array{};
            for (std::size_t axis = 0; axis < R; ++axis) {
                in_chunk[axis] = places[axis].in_chunk;
                in_array[axis] = places[axis].in_array;
                if (in_chunk[axis] < 0 || in_chunk[axis] >= lengths_[axis]) return "an index outside its chunk";
                if (in_array[axis] < 0 || in_array[axis] >= counts_[axis]) return "an index outside the array";
                index_t const index = p.coord()[axis] * lengths_[axis] + in_chunk[axis];
                if (index != lists_[axis][in_array[axis]]) return "P3: the same element on both sides";
            }
            bool& seen = seen_[offset_in(counts_, in_array)];
            if (seen) return "P3: each element once";
            seen = true;
            if (plan_.projection_of_element(elements_) != k) return "projection_of_element()";
            std::size_t const offset = offset_in(lengths_, in_chunk);
            // A list may name the indices of a chunk in any order, and twice.
            if (!Plan::is_affine && of_this > 0 && offset <= last_offset) has_runs_ = false;
            last_offset = offset;
            in_order = in_order && offset == static_cast<std::size_t>(of_this);
            taken[offset] = true;
            ++of_this;
            ++elements_;
            return nullptr;
        });
        if (fault) return fault;
        if (p.element_count() != of_this) return "element_count() of a projection";
        touched_[offset_in(chunks_, p.coord())] = true;
        count_runs(taken);
        if constexpr (Plan::is_affine) return shape_fault(p, taken, in_order && of_this == product_of(lengths_));
        return nullptr;
    }

    /// The promises of a projection that is a box.
    constexpr char const* shape_fault(projection const& p, std::array<bool, Capacity> const& taken,
                                      bool copies_in_order) const {
        bool covers = true;
        for (std::size_t axis = 0; axis < R; ++axis) {
            index_t valid = 0;
            for (index_t i = 0; i < lengths_[axis]; ++i) {
                valid += p.coord()[axis] * lengths_[axis] + i < extents_[axis] ? 1 : 0;
            }
            if (p.pieces()[axis].valid != valid) return "valid";
            auto const& part = p.pieces()[axis];
            if (p.in_chunk()[axis] != slabwise::slice::counted(part.first_in_chunk, part.count, p.strides()[axis])) {
                return "in_chunk()";
            }
        }
        for (std::size_t kept = 0; kept < Plan::array_rank; ++kept) {
            auto const& part = p.pieces()[Plan::value_type::axis_of_array[kept]];
            if (p.in_array()[kept] != slabwise::slice::counted(part.first_in_array, part.count)) return "in_array()";
        }
        (void)walk_box(lengths_, [&](coord const& in_chunk) -> char const* {
            bool inside = true;
            for (std::size_t axis = 0; axis < R; ++axis) {
                inside = inside && p.coord()[axis] * lengths_[axis] + in_chunk[axis] < extents_[axis];
            }
            covers = covers && (!inside || taken[offset_in(lengths_, in_chunk)]);
            return nullptr;
        });
        if (p.covers_chunk() != covers) return "covers_chunk()";
        return p.copies_chunk_in_order() == copies_in_order ? nullptr : "copies_chunk_in_order()";
    }

    /// Lays the chunk out in memory and counts how often a taken element does not go on from the one before it. One
    /// goes on to another row only where all that follows in a row is taken.
    constexpr void count_runs(std::array<bool, Capacity> const& taken) {
        std::array<bool, R + 1> whole{};  // all later axes are taken whole
        whole[R] = true;
        for (std::size_t axis = R; axis-- > 0;) {
            std::array<bool, Capacity> along{};
            (void)walk_box(lengths_, [&](coord const& at) -> char const* {
                along[static_cast<std::size_t>(at[axis])] |= taken[offset_in(lengths_, at)];
                return nullptr;
            });
            whole[axis] = whole[axis + 1];
            for (index_t i = 0; i < lengths_[axis]; ++i) whole[axis] &= along[static_cast<std::size_t>(i)];
        }
        bool before = false;
        (void)walk_box(lengths_, [&](coord const& at) -> char const* {
            std::size_t stepped = R;  // the axis along which the step to here went
            while (stepped > 0 && at[stepped - 1] == 0) --stepped;
            bool const here = taken[offset_in(lengths_, at)];
            if (here && !(before && whole[stepped])) ++runs_;
            before = here;
            return nullptr;
        });
    }

    constexpr bool comes_before(coord const& a, coord const& b) const {
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (a[axis] != b[axis]) return (a[axis] < b[axis]) != lists_[axis].falls;
        }
        return false;
    }

    /// All chunks of the grid and all elements of the array, and one beyond on every side.
    constexpr char const* find_fault() const {
        coord around = chunks_;
        for (index_t& extent : around) extent += 2;
        char const* const fault = walk_box(around, [&](coord at) -> char const* {
            bool inside = true;
            for (std::size_t axis = 0; axis < R; ++axis) {
                --at[axis];
                inside = inside && at[axis] >= 0 && at[axis] < chunks_[axis];
            }
            bool const touched = inside && touched_[offset_in(chunks_, at)];
            return touched == (plan_.find(at) < plan_.size()) ? nullptr : "find(): exactly the chunks touched";
        });
        if (fault) return fault;
        around = extents_;
        for (index_t& extent : around) extent += 2;
        return walk_box(around, [&](coord at) -> char const* {
            bool selected = true;
            coord chunk{};
            for (std::size_t axis = 0; axis < R; ++axis) {
                --at[axis];
                selected = selected && lists_[axis].contains(at[axis]);
                chunk[axis] = at[axis] / lengths_[axis];
            }
            index_t const k = plan_.find_element(at);
            if (!selected) return k == plan_.size() ? nullptr : "find_element(): not selected";
            return k < plan_.size() && plan_[k].coord() == chunk ? nullptr : "find_element(): in its chunk";
        });
    }

    constexpr char const* chunk_box_fault() const {
        for (std::size_t axis = 0; axis < R; ++axis) {
            index_t lowest = -1, highest = -2;
            (void)walk_box(chunks_, [&](coord const& at) -> char const* {
                if (!touched_[offset_in(chunks_, at)]) return nullptr;
                if (lowest < 0 || at[axis] < lowest) lowest = at[axis];
                if (at[axis] > highest) highest = at[axis];
                return nullptr;
            });
            slabwise::slice const expected = lowest < 0 ? slabwise::slice() : slabwise::slice(lowest, highest + 1);
            if (plan_.chunk_box()[axis] != expected) return "chunk_box()";
        }
        return nullptr;
    }

    Plan const& plan_;
    std::array<listed, R> const& lists_;
    coord extents_;
    coord lengths_;
    coord counts_{};
    coord chunks_{};
    std::array<bool, Capacity> seen_{};
    std::array<bool, Capacity> touched_{};
    coord previous_{};
    index_t elements_ = 0;
    index_t runs_ = 0;
    bool has_runs_ = true;
};

template <std::size_t Capacity, class Plan>
constexpr char const* plan_fault(Plan const& plan, slabwise::chunk_grid<Plan::rank> const& grid,
                                 std::array<listed, Plan::rank> const& lists) {
    if (plan.grid() != grid) return "grid()";
    return plan_check<Capacity, Plan>(plan, grid, lists).fault();
}
template <std::size_t Capacity, std::size_t R>
constexpr char const* plan_fault(slabwise::chunk_grid<R> const& grid, slabwise::hyperslab<R> const& slab) {
    auto const plan = make_plan(grid, slab);
    if (plan.shape() != slab.shape()) return "shape()";
    return plan_fault<Capacity>(plan, grid, lists_of(slab));
}

}  // namespace slabwise_test
