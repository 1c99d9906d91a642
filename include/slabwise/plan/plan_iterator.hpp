// Walking a plan: an odometer of R cursors that steps by additions only.
#pragma once

#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <utility>

#include <slabwise/plan/axis_tuple.hpp>
#include <slabwise/plan/piece.hpp>

namespace slabwise {

// What a step consists of is inlined by force: where GCC 12 or clang 14 leaves one call that takes the cursors' address,
// they live in memory, and 16-byte loads of them wait for the 8-byte stores of the step before (2 to 4 times slower).

/// A random-access iterator over the projections of a plan; it gives them by value. It refers to its plan, which must
/// outlive it. **Cost** ++ takes additions; a jump takes at most two divisions an axis.
template <class Plan>
class plan_iterator {
    using axes_type = typename Plan::axes_type;
    static constexpr std::size_t rank = Plan::rank;

public:
    using value_type = typename Plan::value_type;
    using difference_type = index_t;
    using reference = value_type;
    using pointer = void;
    // The tags come with <array>, which declares its own iterators by them; <iterator> costs more than this layer.
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::random_access_iterator_tag;

    constexpr plan_iterator() noexcept
        requires std::default_initializable<detail::cursors_of<axes_type>>
    = default;

    /// At the first projection.
    explicit constexpr plan_iterator(Plan const& walked) noexcept
        : plan_(&walked), cursors_(first_cursors(walked, std::make_index_sequence<rank>{})) {}
    /// At the k-th. **Expects** 0 <= k <= walked.size().
    constexpr plan_iterator(Plan const& walked, index_t k) noexcept : plan_iterator(walked) { jump_to(k); }

    /// **Expects** not the end.
    [[nodiscard, gnu::always_inline]] constexpr value_type operator*() const noexcept {
        return make_projection(std::make_index_sequence<rank>{});
    }
    [[nodiscard]] constexpr value_type operator[](difference_type n) const noexcept { return *(*this + n); }

    [[gnu::always_inline]] constexpr plan_iterator& operator++() noexcept {
        ++k_;
        step<rank>();
        return *this;
    }
    constexpr plan_iterator operator++(int) noexcept {
        auto const before = *this;
        ++*this;
        return before;
    }
    constexpr plan_iterator& operator--() noexcept { return *this -= 1; }
    constexpr plan_iterator operator--(int) noexcept {
        auto const before = *this;
        --*this;
        return before;
    }
    constexpr plan_iterator& operator+=(difference_type n) noexcept {
        jump_to(k_ + n);
        return *this;
    }
    constexpr plan_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    friend constexpr plan_iterator operator+(plan_iterator at, difference_type n) noexcept { return at += n; }
    friend constexpr plan_iterator operator+(difference_type n, plan_iterator at) noexcept { return at += n; }
    friend constexpr plan_iterator operator-(plan_iterator at, difference_type n) noexcept { return at -= n; }
    friend constexpr difference_type operator-(plan_iterator const& a, plan_iterator const& b) noexcept {
        return a.k_ - b.k_;
    }
    friend constexpr bool operator==(plan_iterator const& a, plan_iterator const& b) noexcept { return a.k_ == b.k_; }
    friend constexpr auto operator<=>(plan_iterator const& a, plan_iterator const& b) noexcept {
        return a.k_ <=> b.k_;
    }

private:
    template <std::size_t... D>
    static constexpr detail::cursors_of<axes_type> first_cursors(Plan const& walked,
                                                                 std::index_sequence<D...>) noexcept {
        return {walked.template axis<D>().begin()...};
    }

    /// Advances the last of the first `Axes` axes that can be; those after it begin anew.
    template <std::size_t Axes>
    [[gnu::always_inline]] constexpr void step() noexcept {
        if constexpr (Axes > 0) {
            auto const& axis = plan_->template axis<Axes - 1>();
            auto& cursor = detail::tuple_get<Axes - 1>(cursors_);
            if (!axis.is_last(cursor)) [[likely]] {
                axis.advance(cursor);
            } else {
                cursor = axis.begin();
                step<Axes - 1>();
            }
        }
    }

    constexpr void jump_to(index_t k) noexcept {
        k_ = k;
        if (k < plan_->size()) place<rank>(k);
    }
    template <std::size_t Axes>
    constexpr void place(index_t k) noexcept {
        if constexpr (Axes > 0) {
            auto const& axis = plan_->template axis<Axes - 1>();
            detail::tuple_get<Axes - 1>(cursors_) = Axes == 1 ? axis[k] : axis[k % axis.size()];
            if constexpr (Axes > 1) place<Axes - 1>(k / axis.size());
        }
    }

    template <std::size_t... D>
    [[nodiscard, gnu::always_inline]] constexpr value_type make_projection(std::index_sequence<D...>) const noexcept {
        return {{static_cast<piece const&>(detail::tuple_get<D>(cursors_))...},
                {plan_->template axis<D>().stride()...},
                {plan_->template axis<D>().stored_length(detail::tuple_get<D>(cursors_))...}};
    }

    Plan const* plan_ = nullptr;
    index_t k_ = 0;
    detail::cursors_of<axes_type> cursors_{};
};

}  // namespace slabwise
