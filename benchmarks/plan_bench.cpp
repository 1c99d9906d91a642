// What planning costs: ours against the textbook planner and against HDF5 1.10 reading chunks of 1x1x8, so small that
// mapping dominates; a plan's answers over 10^18 chunks against those over few.
//
// Nanoseconds a projection at rank 3, Ice Lake at 2.8 GHz: summed 2.4 with g++ 12, 2.4 with clang 14; handed to an
// opaque function 4.2 and 5.5; materialised 5.0 and 5.5; the textbook 33 to 35; constants 2.1.
//
// What paid: inlining the whole step, so that the cursors live in registers (g++: opaque at ranks 3, 4, 5 from 8.4, 18,
// 15 to 4.2, 5.3, 6.7; summed from 3.9 to 2.7); folds instead of loops in covers_chunk() (materialised from 9.7
// to 5.0); the next chunk computed a step ahead (opaque at ranks 4 and 5 from 5.4 to 4.7, from 7.4 to 5.6). What did
// not pay, opaque row, g++: inlining advance() alone, 8.4 to 8.3 at rank 3 (one call left that takes the cursors'
// address undoes it all); all strides and chunk lengths side by side in the plan, 4.7 to 4.4 at rank 4 but 5.1 to 5.3
// at rank 5; a sum in the other order for the next chunk, against the pairing of its lane, 4.2 to 3.9 at rank 3 but 4.7
// to 5.6 at rank 4; a choice of two steps instead of a masked carry, 4.2 to 4.65 at rank 3; `&` instead of `&&` in
// covers_chunk(), equal at rank 3.
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <slabwise/plan/plan.hpp>

#include "bars.hpp"
#include "hdf5_rival.hpp"
#include "textbook_planner.hpp"

namespace {

namespace sw = slabwise;
using bars::side;
using sw::index_t;

// ---- what is done with a projection

template <std::size_t R>
struct materialised {
    sw::coord_t<R> coord;
    sw::hyperslab<R> in_chunk;
    sw::hyperslab<R> in_array;
    bool covers_chunk;
};

/// Functions that the compiler knows nothing about.
SLABWISE_MEASURED void opaque(void const* projection) { asm volatile("" : : "r"(projection) : "memory"); }
SLABWISE_MEASURED void opaque(std::vector<index_t> const& coord,
                              std::vector<textbook::dimension_projection> const& dimensions) {
    asm volatile("" : : "r"(&coord), "r"(&dimensions) : "memory");
}
SLABWISE_MEASURED void opaque(std::vector<index_t> const& coord,
                              std::vector<textbook::dimension_projection> const& dimensions, bool covers_chunk) {
    asm volatile("" : : "r"(&coord), "r"(&dimensions), "r"(covers_chunk) : "memory");
}

template <std::size_t R>
SLABWISE_MEASURED index_t sum_ours(sw::plan<R> const& plan) {
    index_t sum = 0;
    for (auto const p : plan) {
        auto const coord = p.coord();
        auto const in_chunk = p.in_chunk();
        for (std::size_t d = 0; d < R; ++d) sum += coord[d] + in_chunk[d].count();
    }
    return sum;
}
SLABWISE_MEASURED index_t sum_textbook(textbook::planner const& planner) {
    index_t sum = 0;
    planner.for_each([&](auto const& coord, auto const& dimensions, auto) {
        for (std::size_t d = 0; d < coord.size(); ++d) sum += coord[d] + dimensions[d].in_chunk.count;
    });
    return sum;
}

template <std::size_t R>
SLABWISE_MEASURED void hand_ours(sw::plan<R> const& plan) {
    for (auto const p : plan) opaque(&p);
}
SLABWISE_MEASURED void hand_textbook(textbook::planner const& planner) {
    planner.for_each([](auto const& coord, auto const& dimensions, auto) { opaque(coord, dimensions); });
}
/// Stores constants into as many bytes as a projection has, and hands them over.
template <std::size_t R>
SLABWISE_MEASURED void hand_constants(index_t times) {
    for (index_t i = 0; i < times; ++i) {
        std::array<index_t, sizeof(typename sw::plan<R>::value_type) / sizeof(index_t)> constants;
        // Unrolled, GCC stores 16 bytes at a time; rolled, it stores 8 at a time or fills by `rep stos`, far slower.
#pragma GCC unroll 64
        for (auto& constant : constants) constant = 1;
        opaque(&constants);
    }
}

template <std::size_t R>
SLABWISE_MEASURED void materialise_ours(sw::plan<R> const& plan) {
    for (auto const p : plan) {
        materialised<R> const made{p.coord(), p.in_chunk(), p.in_array(), p.covers_chunk()};
        opaque(&made);
    }
}
SLABWISE_MEASURED void materialise_textbook(textbook::planner const& planner) {
    planner.for_each(
        [](auto const& coord, auto const& dimensions, auto covers) { opaque(coord, dimensions, covers()); });
}

// ---- the cases

/// Strides that differ in kind; `past_chunk` is longer than every chunk below.
constexpr index_t past_chunk = 25;
constexpr std::array<index_t, 5> strides{1, 3, 7, past_chunk, -1};

constexpr std::array<index_t, 5> chunk_lengths{16, 12, 20, 10, 24};
/// Pieces along each axis at stride 1, so that every rank has some 10^4 in all.
constexpr std::array<std::array<index_t, 5>, 5> pieces{
    {{12'000}, {100, 120}, {20, 24, 28}, {8, 10, 12, 14}, {5, 6, 7, 8, 9}}};

template <std::size_t R>
sw::chunk_grid<R> grid_of_case() {
    std::array<index_t, R> extents{};
    std::array<index_t, R> chunk{};
    for (std::size_t d = 0; d < R; ++d) {
        chunk[d] = chunk_lengths[d];
        extents[d] = chunk[d] * pieces[R - 1][d] - 5;  // the last chunk is clipped
    }
    return {sw::shape<R>(extents), sw::shape<R>(chunk)};
}
template <std::size_t R>
sw::hyperslab<R> every(sw::shape<R> const& extents, index_t stride) {
    return sw::hyperslab<R>::generate([&](std::size_t d) {
        return stride > 0 ? sw::slice(1, extents[d], stride) : sw::slice(extents[d] - 2, -1, stride);
    });
}

/// A selection, both of its planners, and a name.
template <std::size_t R>
struct planning {
    std::string name;
    sw::chunk_grid<R> grid = grid_of_case<R>();
    sw::hyperslab<R> slab;
    sw::plan<R> plan;
    textbook::planner planner;

    explicit planning(index_t stride)
        : name("rank:" + std::to_string(R) + "/stride:" + std::to_string(stride)), slab(every(grid.shape(), stride)),
          plan(sw::make_plan(grid, slab)), planner(grid, slab) {}

    double size() const { return static_cast<double>(plan.size()); }
    bars::contest summed() const {
        return {"summed/" + name,
                {[this] { benchmark::DoNotOptimize(sum_ours(plan)); }, size()},
                {[this] { benchmark::DoNotOptimize(sum_textbook(planner)); }, size()}};
    }
    bars::contest handed() const {
        return {"opaque/" + name, {[this] { hand_ours(plan); }, size()}, {[this] { hand_textbook(planner); }, size()}};
    }
    bars::contest handed_constants() const {
        return {"constants/" + name,
                {[this] { hand_ours(plan); }, size()},
                {[this] { hand_constants<R>(plan.size()); }, size()}};
    }
    bars::contest all_materialised() const {
        return {"materialised/" + name,
                {[this] { materialise_ours(plan); }, size()},
                {[this] { materialise_textbook(planner); }, size()}};
    }
    /// One make_plan against one step.
    bars::contest made() const {
        return {"make_plan/" + name,
                {[this] {
                     for (int i = 0; i < 100; ++i) {
                         bars::touch(slab);
                         auto const made = sw::make_plan(grid, slab);
                         bars::touch(made);
                     }
                 },
                 100},
                {[this] { benchmark::DoNotOptimize(sum_ours(plan)); }, size()}};
    }

    void verify() const;
};

/// The pieces of one axis, index by index.
std::vector<textbook::axis_entry> pieces_by_brute_force(sw::slice const& selected, index_t extent,
                                                        index_t chunk_length) {
    std::vector<textbook::axis_entry> found;
    for (index_t i = 0; i < selected.count(); ++i) {
        index_t const chunk = selected[i] / chunk_length;
        if (found.empty() || found.back().chunk != chunk) {
            index_t valid = 0;
            for (index_t x = chunk * chunk_length; x < (chunk + 1) * chunk_length && x < extent; ++x) ++valid;
            found.push_back({chunk, selected[i] % chunk_length, 0, selected.stride(), i, valid});
        }
        ++found.back().count;
    }
    for (auto& entry : found) entry.stride = entry.count == 1 ? 1 : entry.stride;
    return found;
}

template <std::size_t R>
void planning<R>::verify() const {
    for (std::size_t d = 0; d < R; ++d) {
        bars::require(planner.axes()[d] == pieces_by_brute_force(slab[d], grid.shape()[d], grid.chunk_shape()[d]),
                      "the textbook's pieces, " + name);
    }
    auto at = plan.begin();
    index_t k = 0;
    bool equal = true;
    planner.for_each([&](auto const& coord, auto const& dimensions, auto covers) {
        equal = equal && at != plan.end();
        if (!equal) return;
        auto const p = *at++;
        equal = p == plan[k] && plan.find(p.coord()) == k && p.covers_chunk() == covers();
        for (std::size_t d = 0; d < R; ++d) {
            auto const& [in_chunk, in_array] = dimensions[d];
            equal = equal && p.coord()[d] == coord[d] &&
                    p.in_chunk()[d] == sw::slice::counted(in_chunk.first, in_chunk.count, in_chunk.stride) &&
                    p.in_array()[d] == sw::slice::counted(in_array.first, in_array.count, in_array.stride);
        }
        ++k;
    });
    bars::require(equal && at == plan.end() && k == plan.size(), "the projections, " + name);
    bars::require(sum_ours(plan) == sum_textbook(planner), "the sum, " + name);
}

// ---- HDF5

template <std::size_t R>
struct reading {
    std::string name;
    hdf5_rival::data_set<R> const* data;
    sw::hyperslab<R> slab;
    sw::plan<R> plan;
    std::vector<std::uint8_t>* elements;

    bars::contest contest() const {
        auto const chunks = static_cast<double>(plan.size());
        return {
            "hdf5/" + name, {[this] { hand_ours(plan); }, chunks}, {[this] { data->read(slab, *elements); }, chunks}};
    }
    void verify() const {
        bars::require(data->read(slab, *elements), "HDF5 reads, " + name);
        auto next = elements->begin();
        bool equal = true;
        hdf5_rival::for_each_index(slab.shape(), [&](sw::coord_t<R> index) {
            for (std::size_t d = 0; d < R; ++d) index[d] = slab[d][index[d]];
            equal = equal && *next++ == hdf5_rival::element_at(index);
        });
        bars::require(equal, "HDF5's data, " + name);
    }
};

/// A data set in chunks of 1x...x8, and selections that touch some 10^3 of them.
template <std::size_t R>
struct data_set_case {
    static constexpr std::array<index_t, 4> strides{1, 3, 7, 11};
    static constexpr std::array<std::array<index_t, 5>, 5> shapes{
        {{262'144}, {200, 4096}, {52, 56, 256}, {15, 18, 16, 128}, {8, 9, 12, 15, 64}}};

    sw::chunk_grid<R> grid = [] {
        std::array<index_t, R> extents{};
        std::array<index_t, R> chunk{};
        for (std::size_t d = 0; d < R; ++d) {
            extents[d] = shapes[R - 1][d];
            chunk[d] = d + 1 == R ? 8 : 1;
        }
        return sw::chunk_grid<R>(sw::shape<R>(extents), sw::shape<R>(chunk));
    }();
    hdf5_rival::data_set<R> data{grid};
    std::vector<std::uint8_t> elements =
        std::vector<std::uint8_t>(static_cast<std::size_t>(grid.shape().element_count()));
    std::vector<reading<R>> readings;

    data_set_case() {
        for (index_t stride : strides) {
            auto const slab = every(grid.shape(), stride);
            readings.push_back({"rank:" + std::to_string(R) + "/stride:" + std::to_string(stride), &data, slab,
                                sw::make_plan(grid, slab), &elements});
        }
    }
};

// ---- the answers of a huge plan

/// 1000 answers of one kind.
struct questions {
    sw::plan<3> plan;
    std::vector<index_t> ordinals;
    std::vector<sw::coord_t<3>> coords;

    questions(sw::chunk_grid<3> const& grid, sw::hyperslab<3> const& slab) : plan(sw::make_plan(grid, slab)) {
        std::uint64_t state = 1;
        for (int i = 0; i < 1000; ++i) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            ordinals.push_back(static_cast<index_t>((state >> 1) % static_cast<std::uint64_t>(plan.size())));
            coords.push_back(plan[ordinals.back()].coord());
            bars::require(plan.find(coords.back()) == ordinals.back(), "find in a huge plan");
        }
    }
};
SLABWISE_MEASURED void ask_size(questions const& q) {
    for (std::size_t i = 0; i < q.ordinals.size(); ++i) {
        bars::touch(q.plan);
        benchmark::DoNotOptimize(q.plan.size());
    }
}
SLABWISE_MEASURED void ask_projection(questions const& q) {
    for (index_t k : q.ordinals) {
        auto const p = q.plan[k];
        opaque(&p);
    }
}
SLABWISE_MEASURED void ask_find(questions const& q) {
    for (auto const& coord : q.coords) benchmark::DoNotOptimize(q.plan.find(coord));
}
SLABWISE_MEASURED void ask_part(questions const& q) {
    for (index_t k : q.ordinals) {
        auto const part = q.plan.part(k & 63, 64);
        opaque(&part);
    }
}

/// Plans of 10^18 chunks and of 10^3, one kind of axis each. Small ones first.
struct sizes {
    std::array<questions, 2> dense{questions(grid(40), slab(40, 3)), questions(grid(4'000'000), slab(4'000'000, 3))};
    std::array<questions, 2> sparse{questions(grid(70), slab(70, 7)), questions(grid(7'000'000), slab(7'000'000, 7))};

    static sw::chunk_grid<3> grid(index_t extent) { return {{extent, extent, extent}, {4, 4, 4}}; }
    static sw::hyperslab<3> slab(index_t extent, index_t stride) {
        sw::slice const one{0, extent, stride};
        return {one, one, one};
    }
};

// ---- the figures

struct everything {
    template <std::size_t R>
    struct cases {
        std::vector<std::unique_ptr<planning<R>>> plannings;
        std::unique_ptr<data_set_case<R>> hdf5;

        cases() : hdf5(std::make_unique<data_set_case<R>>()) {
            for (index_t stride : strides) plannings.push_back(std::make_unique<planning<R>>(stride));
        }
        void verify() const {
            for (auto const& one : plannings) one->verify();
            for (auto const& one : hdf5->readings) one.verify();
        }
        void add_rows(std::vector<bars::contest>& rows) const {
            for (auto const& one : plannings) rows.push_back(one->summed());
            for (auto const& one : plannings) rows.push_back(one->handed());
            for (auto const& one : plannings) rows.push_back(one->handed_constants());
            for (auto const& one : plannings) rows.push_back(one->all_materialised());
            for (auto const& one : plannings) rows.push_back(one->made());
            for (auto const& one : hdf5->readings) rows.push_back(one.contest());
        }
    };
    std::tuple<cases<1>, cases<2>, cases<3>, cases<4>, cases<5>> ranks;
    sizes answers;

    template <std::size_t R>
    cases<R> const& of_rank() const {
        return std::get<R - 1>(ranks);
    }
};

template <std::size_t R>
std::function<bars::figure()> over_strides(everything const& all, bars::contest (planning<R>::*which)() const) {
    return [&all, which] {
        std::vector<bars::contest> contests;
        for (auto const& one : all.of_rank<R>().plannings) contests.push_back(((*one).*which)());
        return geometric_mean(all_times_faster(contests));
    };
}
std::function<bars::figure()> over_readings(everything const& all, std::size_t first) {
    return [&all, first] {
        std::vector<bars::contest> contests;
        auto const& readings = all.of_rank<3>().hdf5->readings;
        for (std::size_t i = first; i < readings.size(); ++i) contests.push_back(readings[i].contest());
        return geometric_mean(all_times_faster(contests));
    };
}
bars::bar huge(std::string const& name, std::array<questions, 2> const& plans, void (*ask)(questions const&)) {
#ifdef __clang__
    double const bound = 2.0;  // clang divides small numbers by a shorter division
#else
    double const bound = 1.5;
#endif
    return {"huge_over_small_" + name, bars::better::lower, bound, [=, &plans] {
                auto const asked = [ask](questions const& q) { return side{[ask, &q] { ask(q); }, 1000}; };
                return bars::ratio(asked(plans[1]), asked(plans[0]));
            }};
}

std::vector<bars::bar> promises(everything const& all) {
    using bars::better;
    auto const over_constants = [&]<std::size_t R>() {
        return bars::bar{"time_over_constants_rank_" + std::to_string(R), better::lower, 2,
                         [&all] { return bars::inverse(over_strides<R>(all, &planning<R>::handed_constants)()); }};
    };
    return {
        {"times_faster_than_textbook_summed", better::higher, 10, over_strides<3>(all, &planning<3>::summed)},
        {"times_faster_than_textbook_opaque", better::higher, 5, over_strides<3>(all, &planning<3>::handed)},
        {"times_faster_than_textbook_materialised", better::higher, 3.5,
         over_strides<3>(all, &planning<3>::all_materialised)},
        over_constants.operator()<3>(),
        over_constants.operator()<4>(),
        over_constants.operator()<5>(),
        {"times_faster_than_hdf5", better::higher, 300, over_readings(all, 0)},
        {"times_faster_than_hdf5_strides_above_1", better::higher, 500, over_readings(all, 1)},
        {"make_plan_in_steps", better::lower, 60,
         [&all] { return bars::inverse(over_strides<3>(all, &planning<3>::made)()); }},
        huge("size_dense", all.answers.dense, ask_size),
        huge("size_sparse", all.answers.sparse, ask_size),
        huge("projection_dense", all.answers.dense, ask_projection),
        huge("projection_sparse", all.answers.sparse, ask_projection),
        huge("find_dense", all.answers.dense, ask_find),
        huge("find_sparse", all.answers.sparse, ask_find),
        huge("part_dense", all.answers.dense, ask_part),
        huge("part_sparse", all.answers.sparse, ask_part),
    };
}

}  // namespace

int main(int argc, char** argv) {
    std::unique_ptr<everything const> all;
    return bars::run(argc, argv, [&all] {
        all = std::make_unique<everything const>();
        bars::offer offered{{}, promises(*all)};
        std::apply([&](auto const&... ranks) { ((ranks.verify(), ranks.add_rows(offered.rows)), ...); }, all->ranks);
        return offered;
    });
}
