// One of the two axes of a drawing: which chunks are in view, how many of them one cell stands for, and its pixels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <slabwise/plan/rectilinear_axis.hpp>

namespace program {

namespace sw = slabwise;

/// More cells than this along an axis could not be told apart.
inline constexpr std::int64_t most_cells = 64;

/// What one cell along one axis holds of the selection.
struct part {
    double used = 0;    // selected indices
    double chunks = 0;  // that the cell stands for
    double valid = 0;   // their indices that the array has
    double stored = 0;  // their indices, with those past the end of the array
};

/// One of the two axes drawn: the chunks in view, how many of them one cell stands for, and its pixels.
class drawn_axis {
public:
    /// An axis without extent of its own, for arrays of rank 0 and 1.
    drawn_axis() : along_(sw::slice::counted(0, 1), 1, sw::chunk_edges{{1, 1}}, 0) {}

    drawn_axis(sw::rectilinear_axis const& along, std::string name) : along_(along), name_(std::move(name)) {
        count_ = along.edges().chunks_below(along.extent());
        chunks_ = count_;
        if (chunks_ > most_cells && along.size() > 0) {
            first_ = std::max<std::int64_t>(along.lowest_chunk() - 1, 0);
            chunks_ = std::min(along.highest_chunk() + 1, chunks_ - 1) - first_ + 1;
        }
        group_ = std::max<std::int64_t>(sw::ceil_divide(chunks_, most_cells), 1);
        is_partial_ = begin(0) > 0 || end(cells() - 1) < along.extent();
    }

    void set_pixels(double start, double length) {
        start_ = start;
        scale_ = length / std::max(static_cast<double>(end(cells() - 1) - begin(0)), 1.0);
    }

    [[nodiscard]] std::int64_t cells() const { return sw::ceil_divide(chunks_, group_); }
    [[nodiscard]] std::int64_t group() const { return group_; }
    [[nodiscard]] bool is_partial() const { return is_partial_; }
    [[nodiscard]] bool is_named() const { return !name_.empty(); }
    [[nodiscard]] sw::rectilinear_axis const& along() const { return along_; }
    [[nodiscard]] std::int64_t extent() const { return end(cells() - 1) - begin(0); }

    /// The first index of a cell, and the one after its last.
    [[nodiscard]] std::int64_t begin(std::int64_t cell) const { return bounded(first_ + cell * group_); }
    [[nodiscard]] std::int64_t end(std::int64_t cell) const {
        return bounded(first_ + (cell + 1 == cells() ? chunks_ : (cell + 1) * group_));
    }
    [[nodiscard]] double pixel(double index) const { return start_ + (index - static_cast<double>(begin(0))) * scale_; }
    [[nodiscard]] double scale() const { return scale_; }

    /// In closed form, since a cell may stand for any number of chunks.
    [[nodiscard]] part part_of(std::int64_t cell) const {
        if (along_.size() == 0) return {};
        std::int64_t const used = selected_below(end(cell)) - selected_below(begin(cell));
        if (used == 0) return {};
        std::int64_t const chunks = std::min(group_, chunks_ - cell * group_);
        std::int64_t const last = first_ + cell * group_ + chunks - 1;
        double const stored = static_cast<double>(along_.edges().begin(last) - begin(cell)) +
                              static_cast<double>(along_.edges().length(last));
        return {static_cast<double>(used), static_cast<double>(chunks), static_cast<double>(end(cell) - begin(cell)),
                stored};
    }

    [[nodiscard]] std::string const& name() const { return name_; }

private:
    /// The index at which a chunk begins, at most the extent.
    [[nodiscard]] std::int64_t bounded(std::int64_t chunk) const {
        return chunk < count_ ? along_.edges().begin(chunk) : along_.extent();
    }
    /// How many of the selected indices lie below `index`.
    [[nodiscard]] std::int64_t selected_below(std::int64_t index) const {
        auto const& slice = along_.selected();
        std::int64_t const lowest = slice.stride() > 0 ? slice.first() : slice.last();
        if (index <= lowest) return 0;
        std::uint64_t const steps = sw::ceil_divide(sw::distance_up(lowest, index), sw::magnitude(slice.stride()));
        return static_cast<std::int64_t>(std::min(steps, static_cast<std::uint64_t>(slice.count())));
    }

    sw::rectilinear_axis along_;
    std::string name_;
    std::int64_t count_ = 1;   // chunks of the array
    std::int64_t first_ = 0;   // chunk in view
    std::int64_t chunks_ = 1;  // in view
    std::int64_t group_ = 1;
    bool is_partial_ = false;
    double start_ = 0;
    double scale_ = 1;
};

}  // namespace program
