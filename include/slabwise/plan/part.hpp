// Parts of a plan, for threads and processes.
#pragma once

#include <cstddef>

#include <slabwise/error.hpp>
#include <slabwise/index/arithmetic.hpp>
#include <slabwise/plan/plan_iterator.hpp>

namespace slabwise {

namespace detail {

[[noreturn]] inline void throw_bad_part(index_t i, index_t n) {
    if (n < 1) {
        throw selection_error(error_text("split: ").append(n).append(" parts; there is at least 1"),
                              selection_error::no_axis, n, 1);
    }
    throw selection_error(error_text("split: part ").append(i).append(" is not one of ").append(n).append(" parts"),
                          selection_error::no_axis, i, n);
}

}  // namespace detail

/// Consecutive projections of a plan, to which it refers and which must outlive it. In general no box: it has no shape.
/// **Cost** O(R) for everything but walking it; no allocation.
template <class Plan>
class plan_part {
public:
    using value_type = typename Plan::value_type;
    using iterator = plan_iterator<Plan>;

    /// The projections [first, last) of `whole`. **Expects** 0 <= first <= last <= whole.size().
    constexpr plan_part(Plan const& whole, index_t first, index_t last) noexcept
        : plan_(&whole), first_(first), last_(last) {}

    /// The ordinal in the plan of its first projection.
    [[nodiscard]] constexpr index_t first() const noexcept { return first_; }
    [[nodiscard]] constexpr index_t size() const noexcept { return last_ - first_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return first_ == last_; }
    [[nodiscard]] constexpr index_t element_count() const noexcept {
        return plan_->elements_before(last_) - plan_->elements_before(first_);
    }
    /// **Expects** 0 <= k < size().
    [[nodiscard]] constexpr value_type operator[](index_t k) const noexcept { return (*plan_)[first_ + k]; }
    [[nodiscard]] constexpr iterator begin() const noexcept { return iterator(*plan_, first_); }
    [[nodiscard]] constexpr iterator end() const noexcept { return iterator(*plan_, last_); }

private:
    Plan const* plan_;
    index_t first_;
    index_t last_;
};

/// What the parts of a plan have in equal number.
enum class split_by : unsigned char { projections, elements };

/// A plan cut into n parts, made one by one when asked for. Parts of a plan with fewer than n projections can be empty.
/// **Ensures** the parts, in order, hold every projection once.
template <class Plan>
class plan_split {
public:
    /// **Throws** selection_error when n < 1.
    constexpr plan_split(Plan const& whole, index_t n, split_by what) : plan_(&whole), n_(n), what_(what) {
        if (n < 1) detail::throw_bad_part(0, n);
    }

    /// The number of parts.
    [[nodiscard]] constexpr index_t size() const noexcept { return n_; }
    /// Part i. **Expects** 0 <= i < size(). **Cost** O(R).
    [[nodiscard]] constexpr plan_part<Plan> operator[](index_t i) const noexcept {
        return {*plan_, begin_of(i), begin_of(i + 1)};
    }
    /// Part i. **Throws** selection_error when there is none.
    [[nodiscard]] constexpr plan_part<Plan> at(index_t i) const {
        if (i < 0 || i >= n_) detail::throw_bad_part(i, n_);
        return (*this)[i];
    }

    /// Walks the parts in order.
    class iterator {
    public:
        constexpr iterator(plan_split const& parts, index_t i) noexcept : parts_(parts), i_(i) {}
        [[nodiscard]] constexpr plan_part<Plan> operator*() const noexcept { return parts_[i_]; }
        constexpr iterator& operator++() noexcept {
            ++i_;
            return *this;
        }
        friend constexpr bool operator==(iterator const& a, iterator const& b) noexcept { return a.i_ == b.i_; }

    private:
        plan_split parts_;
        index_t i_;
    };
    [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, 0}; }
    [[nodiscard]] constexpr iterator end() const noexcept { return {*this, n_}; }

private:
    [[nodiscard]] constexpr index_t begin_of(index_t i) const noexcept {
        if (what_ == split_by::projections) return share_begin(plan_->size(), n_, i);
        index_t const e = share_begin(plan_->element_count(), n_, i);
        return e == plan_->element_count() ? plan_->size() : plan_->projection_of_element(e);
    }

    Plan const* plan_;
    index_t n_;
    split_by what_;
};

}  // namespace slabwise
