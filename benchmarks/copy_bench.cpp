// What a copy_program costs: strided copies against loops written by hand and against memcpy, blocks of short rows,
// transposes, copies that swap bytes or convert, and a program made for a copy of 64 elements. copy_xtensor_bench and
// copy_xsimd_bench have xtensor as the rival.
//
//     copy_bench --numpy-cases    prints the nanoseconds of the copies that copy_numpy.py makes with numpy
//     copy_bench --plot-data      prints the elements a nanosecond that copy_plot.py draws
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <slabwise/copy/convert_program.hpp>
#include <slabwise/copy/copy_program.hpp>
#include <slabwise/copy/make_conversion.hpp>

#include "bars.hpp"
#include "copy_blocks.hpp"
#include "copy_case.hpp"
#include "copy_plot_points.hpp"
#include "copy_rivals.hpp"
#include "copy_strided.hpp"
#include "copy_sweep.hpp"

namespace {

using namespace copy_bench;

using bars::better;
using bars::contest;

/// Takes in contests, as rows and as what is promised of them.
struct collected {
    bars::offer offered;

    void promise(std::string const& name, double bound, contest const& one) {
        offered.rows.push_back(one);
        offered.promised.push_back({name, better::higher, bound, [one] { return one.times_faster(); }});
    }
    void promise_strided(double bound, strided_case const& one) {
        promise(bar_name(one) + "_over_unrolled", bound, one.over_unrolled());
    }
    void promise_touched(double bound, strided_case const& one) {
        promise(bar_name(one) + "_over_touched_lines", bound, one.over_touched_lines());
    }

private:
    // L1/bytes:1/stride:2 becomes L1_stride_2_bytes_1.
    static std::string bar_name(strided_case const& one) {
        std::string const& name = one.copy.name;
        return name.substr(0, name.find('/')) + "_stride_" + std::to_string(one.stride()) + "_bytes_" +
               std::to_string(one.copy.element_size);
    }
};

void add_strided(collected& all) {
    constexpr std::array<std::size_t, 4> sizes{1, 2, 4, 8};
    constexpr std::array<double, 4> by_2{10, 4.8, 2.6, 1.3};
    constexpr std::array<double, 4> by_3{4, 1.7, 2.1, 0.95};
    for (std::size_t i = 0; i < sizes.size(); ++i) all.promise_strided(by_2[i], {L1, sizes[i], 2});
    for (std::size_t i = 0; i < sizes.size(); ++i) all.promise_strided(by_3[i], {L1, sizes[i], 3});
    all.promise_strided(1.3, {L1, 4, 4});
    all.promise_strided(1.0, {L1, 4, 8});
    for (index_t stride : {16, 64}) {
        for (std::size_t element_size : {1u, 2u, 4u, 8u, 16u}) all.promise_strided(0.9, {L1, element_size, stride});
    }
    for (index_t stride : {2, 3, 4}) {
        all.promise_strided(2, {L2, 4, stride});
        all.promise_touched(2, {L2, 4, stride});
        all.promise_strided(4, {L2, 1, stride});
    }
    for (index_t stride : {2, 3, 4, 8}) all.promise_touched(1.3, {memory, 4, stride});
    all.promise_touched(0.92, {memory, 4, 1});
}

void add_sweep(collected& all) {
    auto const points = std::make_shared<sweep const>();
    points->verify();
    all.offered.promised.push_back(
        {"nowhere_below_plain_loop", better::higher, 0.95, [points] { return points->worst(); }});
}

void add_rows(collected& all) {
    std::vector<contest> contests;
    for (auto const& shape : blocks_of_rows()) {
        auto const one = shape.copy();
        contests.push_back(verified(one, "memcpy_per_row", memcpy_per_row(one)));
    }
    all.offered.rows.insert(all.offered.rows.end(), contests.begin(), contests.end());
    all.offered.promised.push_back({"rows_mean_over_memcpy_per_row", better::higher, 1.4,
                                    [contests] { return bars::geometric_mean(bars::all_times_faster(contests)); }});
    all.offered.promised.push_back({"rows_least_over_memcpy_per_row", better::higher, 1.0,
                                    [contests] { return bars::least(bars::all_times_faster(contests)); }});
}

side nested_loops(copy_case const& one) {
    return one.repeated([strides = std::array{one.strides[0], one.strides[1], one.strides[2]},
                         counts = std::array{one.counts[0], one.counts[1], one.counts[2]}] {
        rivals::nested_loops(reinterpret_cast<std::uint32_t const*>(source_bytes()), strides,
                             reinterpret_cast<std::uint32_t*>(destination()), counts);
    });
}

void add_nested(collected& all) {
    // [::2, ::3, ::2] of 64 x 64 x 64.
    copy_case const every{"every_2_3_2", 4, {32, 22, 32}, {2 * 64 * 64, 3 * 64, 2}};
    all.promise("every_2_3_2_over_nested_loops", 2, verified(every, "nested_loops", nested_loops(every)));
}

/// A program made and run for each copy of a block.
SLABWISE_MEASURED void make_and_run(sw::shape<3> const& counts, std::array<index_t, 3> const& source_strides,
                                    std::array<index_t, 3> const& destination_strides) {
    sw::copy_program const program(4, 1, counts, source_strides, destination_strides);
    program(source_bytes(), destination());
}

// The loops know the rank, and as the program no count and no stride before they run.
void add_small(collected& all) {
    copy_case const small{"made_4x4x4", 4, {4, 4, 4}, {64 * 64, 64, 1}};
    side const ours = small.repeated([] { make_and_run({4, 4, 4}, {4 * 64 * 64, 4 * 64, 4}, {4 * 4 * 4, 4 * 4, 4}); });
    small.verify(ours, "ours");
    contest one = verified(small, "nested_loops", nested_loops(small));
    one.ours = ours;
    all.offered.rows.push_back(one);
    all.offered.promised.push_back(
        {"made_4x4x4_time_over_nested_loops", better::lower, 1.2, [one] { return bars::inverse(one.times_faster()); }});
}

side memcpy_of(copy_case const& one) {
    return one.repeated(
        [bytes = one.destination_bytes()] { rivals::copy_bytes(source_bytes(), destination(), bytes); });
}

template <class Word>
side copy_then_swap(copy_case const& one, Word) {
    return one.repeated([count = one.element_count()] {
        rivals::copy_then_reverse(reinterpret_cast<Word const*>(source_bytes()), reinterpret_cast<Word*>(destination()),
                                  count);
    });
}
side copy_then_swap(copy_case const& one) {
    switch (one.element_size) {
    case 2:
        return copy_then_swap(one, std::uint16_t{});
    case 4:
        return copy_then_swap(one, std::uint32_t{});
    default:
        return copy_then_swap(one, std::uint64_t{});
    }
}

void add_transposes(collected& all) {
    constexpr std::array<index_t, 4> lengths{256, 1008, 1024, 4096};
    constexpr std::array<double, 4> bounds{0.42, 0.62, 0.42, 0.30};
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        index_t const n = lengths[i];
        copy_case const one{"transpose:" + std::to_string(n), 4, {n, n}, {1, n}};
        all.promise("transpose_" + std::to_string(n) + "_over_memcpy", bounds[i],
                    against_less(one, "memcpy", memcpy_of(one)));
    }
}

void add_swaps(collected& all) {
    // Source and destination together span 512 KB.
    constexpr index_t bytes_in_L2 = 256 * KiB;
    constexpr index_t bytes_in_memory = memory.span_bytes;
    for (std::size_t size : {2u, 4u, 8u}) {
        auto const element = static_cast<index_t>(size);
        std::string const bytes = std::to_string(size);
        copy_case const in_L2{"L2/swap/bytes:" + bytes, size, {bytes_in_L2 / element}, {1}, size};
        all.promise("L2_swap_bytes_" + bytes + "_over_memcpy", 0.90, against_less(in_L2, "memcpy", memcpy_of(in_L2)));
        all.promise("L2_swap_bytes_" + bytes + "_over_copy_then_swap", 1.7,
                    verified(in_L2, "copy_then_swap", copy_then_swap(in_L2)));
        copy_case const in_memory{"memory/swap/bytes:" + bytes, size, {bytes_in_memory / element}, {1}, size};
        all.promise("memory_swap_bytes_" + bytes + "_over_memcpy", 0.92,
                    against_less(in_memory, "memcpy", memcpy_of(in_memory)));
    }
    strided_case const unswapped{L2, 4, 2};
    copy_case const swapped{"L2/swap/bytes:4/stride:2", 4, {unswapped.count()}, {2}, 4};
    all.promise("L2_swap_bytes_4_stride_2_over_unswapped", 0.9,
                against_less(swapped, "unswapped", unswapped.copy.ours()));
}

/// 16-bit integers that become float on the way, against a memcpy of as many floats.
void add_conversions(collected& all) {
    constexpr index_t count = 128 * KiB;
    copy_case const floats{"L2/int16_to_float", 4, {count}, {1}};
    for (bool const is_swapped : {false, true}) {
        std::vector<std::byte> expected(floats.destination_bytes());
        for (std::size_t i = 0; i < count; ++i) {
            std::uint16_t word = 0;
            std::memcpy(&word, source_bytes() + i * sizeof word, sizeof word);
            auto const value =
                static_cast<float>(static_cast<std::int16_t>(is_swapped ? rivals::reversed(word) : word));
            std::memcpy(expected.data() + i * sizeof value, &value, sizeof value);
        }
        sw::copy_axis const axis{count, sizeof(std::int16_t), sizeof(float)};
        auto const program = std::make_shared<sw::convert_program const>(
            sw::make_conversion<float>(sw::element_type_of<std::int16_t>), is_swapped ? 2 : 1, std::span(&axis, 1));
        side const ours = floats.repeated([program] { (*program)(source_bytes(), destination()); });
        floats.verify(expected, ours, "ours");
        contest const one{floats.name + (is_swapped ? "/swap" : "") + "/over:memcpy", ours, memcpy_of(floats)};
        if (is_swapped) {
            all.promise("L2_big_endian_int16_to_float_over_memcpy", 0.7, one);
        } else {
            all.offered.rows.push_back(one);
        }
    }
}

/// Lines of a name, the counts of the block, the shape of the array, and the nanoseconds of one copy.
int print_numpy_cases() {
    auto const joined = [](std::vector<index_t> const& lengths) {
        std::string text;
        for (index_t length : lengths) text.append(text.empty() ? "" : ",").append(std::to_string(length));
        return text;
    };
    for (auto const& shape : blocks_of_rows()) {
        auto const one = shape.copy();
        one.verify(one.ours(), "ours");
        double const nanoseconds = median_nanoseconds({one.ours()}, 15)[0] * static_cast<double>(one.element_count());
        std::printf("%s %s %s %.1f\n", shape.name.c_str(), joined(shape.counts).c_str(),
                    joined(shape.array_shape).c_str(), nanoseconds);
    }
    return 0;
}

int print_plot_data() {
    std::printf("level bytes stride slabwise plain unrolled\n");
    for_each_plot_point([](strided_case const& one) {
        one.copy.verify(one.copy.ours(), "ours");
        auto const times =
            median_nanoseconds({one.copy.ours(), one.plain_at_0(), one.plain_at_32(), one.unrolled()}, 9);
        print_plot_point(one, {1 / times[0], 1 / std::min(times[1], times[2]), 1 / times[3]});
    });
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--numpy-cases") == 0) return print_numpy_cases();
    if (argc == 2 && std::strcmp(argv[1], "--plot-data") == 0) return print_plot_data();
    return bars::run(argc, argv, [] {
        collected all;
        add_strided(all);
        add_sweep(all);
        add_rows(all);
        add_nested(all);
        add_small(all);
        add_transposes(all);
        add_swaps(all);
        add_conversions(all);
        return all.offered;
    });
}
