// Chunks within chunks: a shard is an array in inner chunks, and a plan of shards is the planner applied once more.
//
// The inner chunks are visited shard by shard, so this is no product of R axes. But how many inner chunks a shard
// contributes is one: the product over the axes of how many its piece contributes there. These counts have prefix sums
// in closed form (inner_count.hpp), also where the inner length does not divide the shard's: then the last inner chunks
// of each shard are shorter.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <slabwise/plan/inner_count.hpp>
#include <slabwise/plan/plan.hpp>

namespace slabwise {

namespace detail {

/// One projection moved by `offset` in the selection's array.
template <std::size_t R>
constexpr projection<R> shifted(projection<R> const& from, std::array<index_t, R> const& offset) noexcept {
    auto pieces = from.pieces();
    for (std::size_t axis = 0; axis < R; ++axis) pieces[axis].first_in_array += offset[axis];
    return {pieces, from.strides(), from.chunk_lengths()};
}

}  // namespace detail

/// An inner chunk of a plan of shards.
/// **Ensures** inner.coord() is the place within the shard, inner.in_array() the place in the whole selection's array.
template <std::size_t R>
struct nested_projection {
    projection<R> shard;
    projection<R> inner;
};

/// The inner chunks that a selection touches in one shard. **Cost** as a plan.
template <std::size_t R>
class shard_plan {
public:
    /// **Throws** selection_error for an inner chunk extent 0.
    constexpr shard_plan(projection<R> const& shard, shape<R> const& inner_chunk_shape)
        : shard_(shard), inner_(make_plan(chunk_grid<R>(valid_shape(shard), inner_chunk_shape), shard.in_chunk())) {
        for (std::size_t axis = 0; axis < R; ++axis) offset_[axis] = shard.pieces()[axis].first_in_array;
    }

    [[nodiscard]] constexpr projection<R> const& shard() const noexcept { return shard_; }
    /// The number of inner chunks.
    [[nodiscard]] constexpr index_t size() const noexcept { return inner_.size(); }
    /// **Expects** 0 <= k < size().
    [[nodiscard]] constexpr nested_projection<R> operator[](index_t k) const noexcept {
        return {shard_, detail::shifted(inner_[k], offset_)};
    }

    /// Walks the inner chunks; refers to the shard_plan. **Cost** ++ takes additions.
    class iterator {
    public:
        constexpr iterator(shard_plan const& owner, plan_iterator<plan<R>> at) noexcept : owner_(&owner), at_(at) {}
        [[nodiscard]] constexpr nested_projection<R> operator*() const noexcept {
            return {owner_->shard_, detail::shifted(*at_, owner_->offset_)};
        }
        constexpr iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        friend constexpr bool operator==(iterator const& a, iterator const& b) noexcept { return a.at_ == b.at_; }

    private:
        shard_plan const* owner_;
        plan_iterator<plan<R>> at_;
    };
    [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, inner_.begin()}; }
    [[nodiscard]] constexpr iterator end() const noexcept { return {*this, inner_.end()}; }

private:
    /// The part of a shard that lies inside the array: it clips the inner chunks too.
    static constexpr shape<R> valid_shape(projection<R> const& shard) {
        std::array<index_t, R> extents{};
        for (std::size_t axis = 0; axis < R; ++axis) extents[axis] = shard.pieces()[axis].valid;
        return extents;
    }

    projection<R> shard_;
    plan<R> inner_;
    std::array<index_t, R> offset_{};
};

/// The plan of an array in shards, each in inner chunks. Walk the shards, and within each its inner chunks:
///
///     for (auto const shard : nested.shards())
///         for (auto const p : nested.in(shard)) use(p.shard.coord(), p.inner.coord(), p.inner.in_array());
///
/// **Ensures** N1 nested[k] is the k-th of this walk. **Cost** O(R) a query,
/// O(R log) for nested[k]; no allocation.
template <std::size_t R>
class nested_plan {
public:
    /// An inner chunk longer than the shards ends with them. **Throws** selection_error for an inner chunk extent 0, and
    /// when the number of inner chunks exceeds 2^63 - 1.
    constexpr nested_plan(plan<R> const& shards, shape<R> const& inner_chunk_shape)
        : shards_(shards), inner_chunk_shape_(inner_chunk_shape) {
        size_ = 1;
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (inner_chunk_shape[axis] == 0) detail::throw_chunk_extent_zero(axis);
            auto const& along = shards_.axis(axis);
            index_t const longest = along.chunk_length();
            inner_lengths_[axis] = inner_chunk_shape[axis] < longest ? inner_chunk_shape[axis] : longest;
            counts_[axis] = inner_pieces(axis, along.count());
        }
        for (index_t const count : counts_) size_ = count == 0 ? 0 : size_;
        for (index_t const count : counts_) {
            if (size_ != 0 && !multiply_into(size_, count)) detail::throw_plan_too_large("projections");
        }
    }

    /// The plan of the shards.
    [[nodiscard]] constexpr plan<R> const& shards() const noexcept { return shards_; }
    /// The number of inner chunks.
    [[nodiscard]] constexpr index_t size() const noexcept { return size_; }
    /// The inner chunks of one shard.
    [[nodiscard]] constexpr shard_plan<R> in(projection<R> const& shard) const { return {shard, inner_chunk_shape_}; }

    /// The number of inner chunks in the first j shards. **Expects** 0 <= j <= shards().size().
    [[nodiscard]] constexpr index_t size_before(index_t j) const noexcept {
        if (j == shards_.size()) return size();
        index_t sum = 0;
        index_t weight = 1;
        index_t shards = shards_.size();
        index_t inner = size();
        for (std::size_t axis = 0; axis < R; ++axis) {
            shards /= shards_.axis(axis).size();
            inner /= counts_[axis];
            index_t const digit = j / shards;
            j %= shards;
            sum += weight * before(axis, digit) * inner;
            weight *= before(axis, digit + 1) - before(axis, digit);
        }
        return sum;
    }

    /// The k-th inner chunk. **Expects** 0 <= k < size().
    [[nodiscard]] constexpr nested_projection<R> operator[](index_t k) const {
        index_t j = 0;
        index_t weight = 1;
        index_t inner = size();
        for (std::size_t axis = 0; axis < R; ++axis) {
            auto const& along = shards_.axis(axis);
            inner /= counts_[axis];
            index_t const share = weight * inner;
            index_t const digit = piece_that_holds(axis, k / share);
            k -= before(axis, digit) * share;
            weight *= before(axis, digit + 1) - before(axis, digit);
            j = j * along.size() + digit;
        }
        return in(shards_[j])[k];
    }

private:
    /// How many inner chunks the first `count` selected indices of an axis touch.
    [[nodiscard]] constexpr index_t inner_pieces(std::size_t axis, index_t count) const noexcept {
        auto const& along = shards_.axis(axis);
        return detail::count_inner_chunks(along.selected(), count, along.chunk_length(), inner_lengths_[axis]);
    }
    /// How many inner pieces come before the shard's piece `digit` of an axis.
    [[nodiscard]] constexpr index_t before(std::size_t axis, index_t digit) const noexcept {
        auto const& along = shards_.axis(axis);
        return digit == along.size() ? counts_[axis] : inner_pieces(axis, along[digit].first_in_array);
    }
    /// Which of the shards' pieces has the i-th inner piece. **Cost** O(log size) evaluations of before().
    [[nodiscard]] constexpr index_t piece_that_holds(std::size_t axis, index_t i) const noexcept {
        index_t low = 0;
        index_t high = shards_.axis(axis).size();
        while (high - low > 1) {
            index_t const middle = low + (high - low) / 2;
            (before(axis, middle) <= i ? low : high) = middle;
        }
        return low;
    }

    plan<R> shards_;
    shape<R> inner_chunk_shape_;
    std::array<index_t, R> inner_lengths_{};
    std::array<index_t, R> counts_{};  // inner pieces on each axis
    index_t size_ = 0;
};

template <std::size_t R>
nested_plan(plan<R>, shape<R>) -> nested_plan<R>;

}  // namespace slabwise
