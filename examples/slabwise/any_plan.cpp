#include "any_plan.hpp"

#include <algorithm>
#include <array>

#include <slabwise/plan/visit_rank.hpp>

namespace program {

namespace {

template <std::size_t R>
class plan_of_rank final : public any_plan {
public:
    plan_of_rank(sw::rectilinear_grid<R> const& grid, sw::hyperslab<R> const& slab, std::vector<bool> drops_axis)
        : chunk_counts_(grid.chunk_counts()), plan_(sw::make_plan(grid, slab)), drops_axis_(std::move(drops_axis)) {}

    [[nodiscard]] std::size_t rank() const override { return R; }
    [[nodiscard]] std::int64_t size() const override { return plan_.size(); }
    [[nodiscard]] std::int64_t element_count() const override { return plan_.element_count(); }
    [[nodiscard]] std::int64_t contiguous_runs() const override { return plan_.contiguous_runs(); }
    [[nodiscard]] std::optional<std::int64_t> chunks_of_array() const override {
        return bounded_product(chunk_counts_.extents());
    }
    [[nodiscard]] projection_record at(std::int64_t k) const override {
        auto const projection = plan_[k];
        auto const coord = projection.coord();
        auto const in_chunk = projection.in_chunk();
        auto const in_array = projection.in_array();
        projection_record record{
            {coord.begin(), coord.end()}, {in_chunk.begin(), in_chunk.end()}, {}, projection.covers_chunk()};
        for (std::size_t axis = 0; axis < R; ++axis) {
            if (!drops_axis_[axis]) record.in_array.push_back(in_array[axis]);
        }
        return record;
    }
    [[nodiscard]] sw::rectilinear_axis const& axis(std::size_t d) const override { return plan_.axis(d); }

private:
    sw::shape<R> chunk_counts_;
    sw::rectilinear_plan<R> plan_;
    std::vector<bool> drops_axis_;
};

}  // namespace

std::unique_ptr<any_plan const> make_any_plan(std::span<std::int64_t const> shape,
                                              std::span<sw::chunk_edges const> edges, selection const& selected) {
    return sw::visit_rank(shape.size(), [&](auto rank) -> std::unique_ptr<any_plan const> {
        constexpr std::size_t R = decltype(rank)::value;
        std::array<std::int64_t, R> extents{};
        std::array<sw::chunk_edges, R> edges_of_rank;
        std::array<sw::slice, R> slices{};
        std::copy_n(shape.begin(), R, extents.begin());
        std::copy_n(edges.begin(), R, edges_of_rank.begin());
        std::copy_n(selected.slices.begin(), R, slices.begin());
        sw::rectilinear_grid<R> const grid(extents, std::move(edges_of_rank));
        return std::make_unique<plan_of_rank<R>>(grid, sw::hyperslab<R>(slices), selected.drops_axis);
    });
}

std::optional<std::int64_t> bounded_product(std::span<std::int64_t const> factors) {
    std::int64_t product = 1;
    bool fits = true;
    for (std::int64_t const factor : factors) {
        if (factor == 0) return 0;
        fits = fits && sw::multiply_into(product, factor);
    }
    return fits ? std::optional(product) : std::nullopt;
}

}  // namespace program
