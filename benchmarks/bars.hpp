// What the benchmark programs share: a contest of ours against a rival, measured interleaved; Google Benchmark rows of
// contests; and --bars, which holds every promised figure against its bound.
//
//     NAME --bars     prints `bar NAME VALUE BOUND ok|short|noisy` for each figure and exits 1 when one is short
//     NAME            the Google Benchmark rows, ours and the rival's side by side
//
// A figure is a ratio: the median of 9 interleaved repeats in one process, the best of 3 processes (the program
// executes itself again, since where code and data happen to lie is drawn once a process). It passes at 0.95 of its
// bound: that much is noise. A repeat during which a loop of known length takes 15 % longer than at its best does not
// count and is made again; a figure for which too many were is `noisy`, which is no verdict.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <benchmark/benchmark.h>

/// What is measured is a function of its own, aligned alike, on both sides.
#define SLABWISE_MEASURED [[gnu::noinline, gnu::aligned(64)]]

namespace bars {

/// Ends the program when a result is wrong: what is wrong is not timed.
inline void require(bool holds, std::string const& what) {
    if (holds) return;
    std::fprintf(stderr, "wrong result: %s\n", what.c_str());
    std::exit(2);
}

/// Makes the compiler believe that `value` is read and changed here.
template <class T>
void touch(T& value) {
    asm volatile("" : : "r"(&value) : "memory");
}

inline double seconds_on(clockid_t clock) {
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Work and how many items it does.
struct side {
    std::function<void()> work;
    double items = 1;
    /// Other processes disturb the time of the own processor less; CLOCK_MONOTONIC for work that waits or has threads.
    clockid_t clock = CLOCK_THREAD_CPUTIME_ID;

    double seconds(std::int64_t times = 1) const {
        double const start = seconds_on(clock);
        for (std::int64_t i = 0; i < times; ++i) work();
        return seconds_on(clock) - start;
    }
    double seconds_an_item(std::int64_t times) const { return seconds(times) / (items * static_cast<double>(times)); }
    /// How often to do the work for one sample of 0.5 ms or more.
    std::int64_t times_a_sample() const {
        work();  // faults in what it writes
        for (std::int64_t times = 1;; times *= 2) {
            if (seconds(times) > 2.5e-4) return 2 * times;
        }
    }
};

/// A value; quiet when the machine was.
struct figure {
    double value = 0;
    bool is_quiet = true;
};

/// True when the processor now runs as fast as it ever did in this process.
inline bool machine_is_quiet() {
    static double best = 1e9;
    static side const loop{[] {
        std::uint64_t x = 1;
        for (int i = 0; i < 50'000; ++i) {
            x = x * 3 + 1;
            asm volatile("" : "+r"(x));
        }
    }};
    if (best == 1e9) {
        for (int i = 0; i < 200; ++i) best = std::min(best, loop.seconds());
    }
    double const now = loop.seconds();
    best = std::min(best, now);
    return now < 1.15 * best;
}

/// How many times longer an item takes `a` than `b`: the median of 9 interleaved repeats.
inline figure ratio(side const& a, side const& b) {
    constexpr std::size_t repeats = 9;
    constexpr int most_tries = 60;
    auto const times_a = a.times_a_sample();
    auto const times_b = b.times_a_sample();
    std::vector<double> quiet;
    std::vector<double> all;
    for (int i = 0; i < most_tries && quiet.size() < repeats; ++i) {
        bool const was_quiet = machine_is_quiet();
        double const seconds_a = a.seconds_an_item(times_a);
        double const value = seconds_a / b.seconds_an_item(times_b);
        all.push_back(value);
        if (was_quiet && machine_is_quiet()) quiet.push_back(value);
    }
    bool const is_quiet = quiet.size() == repeats;
    auto& values = is_quiet ? quiet : all;
    auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return {*middle, is_quiet};
}

/// Ours against a rival at the same job.
struct contest {
    std::string name;
    side ours;
    side rival;

    figure times_faster() const { return ratio(rival, ours); }
};

/// The inverse of a figure: of times faster, the time over the rival's.
inline figure inverse(figure const& one) { return {1 / one.value, one.is_quiet}; }

/// The figure of a rival of which the better counts: the least, quiet when all are.
inline figure least(std::vector<figure> const& figures) {
    figure found = figures.front();
    for (auto const& one : figures) found = {std::min(found.value, one.value), found.is_quiet && one.is_quiet};
    return found;
}

/// The geometric mean, quiet when all are.
inline figure geometric_mean(std::vector<figure> const& figures) {
    double sum = 0;
    bool is_quiet = true;
    for (auto const& one : figures) {
        sum += std::log(one.value);
        is_quiet = is_quiet && one.is_quiet;
    }
    return {std::exp(sum / static_cast<double>(figures.size())), is_quiet};
}

/// The ratios of several contests.
inline std::vector<figure> all_times_faster(std::vector<contest> const& contests) {
    std::vector<figure> figures;
    for (auto const& one : contests) figures.push_back(one.times_faster());
    return figures;
}

/// A Google Benchmark row. Its time is that of both sides in turn; its counters have the nanoseconds an item of each,
/// and their ratio.
inline void add_row(contest const& row) {
    benchmark::RegisterBenchmark(row.name.c_str(), [row](benchmark::State& state) {
        row.ours.work();
        row.rival.work();
        double ours = 0;
        double rival = 0;
        for (auto _ : state) {
            ours += row.ours.seconds();
            rival += row.rival.seconds();
        }
        auto const iterations = static_cast<double>(state.iterations());
        state.counters["ours_ns"] = 1e9 * ours / (iterations * row.ours.items);
        state.counters["rival_ns"] = 1e9 * rival / (iterations * row.rival.items);
        state.counters["times_faster"] = rival * row.ours.items / (ours * row.rival.items);
    });
}

enum class better : bool { lower, higher };

/// A promised figure. Its full name ends in the direction.
struct bar {
    std::string name;
    better direction;
    double bound;
    std::function<figure()> measure;
};

/// What one process says of a figure: a line of the full name, the direction, the value, the bound, and 1 when quiet.
struct finding {
    std::string full_name;
    better direction;
    double bound;
    figure found;

    bool improves_on(finding const& other) const {
        if (found.is_quiet != other.found.is_quiet) return found.is_quiet;
        return direction == better::higher ? found.value > other.found.value : found.value < other.found.value;
    }
    char const* verdict() const {
        bool const passes = direction == better::higher ? found.value >= 0.95 * bound : found.value <= bound / 0.95;
        return !found.is_quiet ? "noisy" : passes ? "ok" : "short";
    }
};

/// The findings of one more process of this program.
inline std::vector<finding> measure_in_new_process() {
    int ends[2];
    require(pipe(ends) == 0, "pipe");
    pid_t const child = fork();
    require(child >= 0, "fork");
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/proc/self/exe", "bench", "--bars-of-one-process", static_cast<char*>(nullptr));
        std::_Exit(2);
    }
    close(ends[1]);
    std::vector<finding> findings;
    FILE* const lines = fdopen(ends[0], "r");
    char name[256];
    int is_higher = 0;
    double value = 0;
    double bound = 0;
    int is_quiet = 0;
    while (std::fscanf(lines, "%255s %d %lf %lf %d", name, &is_higher, &value, &bound, &is_quiet) == 5) {
        findings.push_back({name, is_higher != 0 ? better::higher : better::lower, bound, {value, is_quiet != 0}});
    }
    std::fclose(lines);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) std::exit(2);
    return findings;
}

/// --bars: the best of three processes. **Ensures** returns 1 when a figure is short.
inline int print_bars() {
    auto best = measure_in_new_process();
    for (int i = 0; i < 2; ++i) {
        auto const more = measure_in_new_process();
        for (std::size_t k = 0; k < best.size(); ++k) {
            if (more[k].improves_on(best[k])) best[k] = more[k];
        }
    }
    bool is_short = false;
    for (auto const& one : best) {
        is_short = is_short || std::strcmp(one.verdict(), "short") == 0;
        std::printf("bar %s %.3g %g %s\n", one.full_name.c_str(), one.found.value, one.bound, one.verdict());
    }
    return is_short ? 1 : 0;
}

/// What a benchmark program has to offer.
struct offer {
    std::vector<contest> rows;
    std::vector<bar> promised;
};

/// The main function of a benchmark program. make_offer() verifies the results before it returns.
template <class MakeOffer>
int run(int argc, char** argv, MakeOffer make_offer) {
#ifndef NDEBUG
    std::fprintf(stderr, "asserts are on: build with -DNDEBUG to measure\n");
    return 2;
#endif
    if (argc == 2 && std::strcmp(argv[1], "--bars") == 0) return print_bars();
    offer const offered = make_offer();
    if (argc == 2 && std::strcmp(argv[1], "--bars-of-one-process") == 0) {
        for (auto const& one : offered.promised) {
            bool const is_higher = one.direction == better::higher;
            figure const found = one.measure();
            std::printf("%s_%s %d %.6g %g %d\n", one.name.c_str(), is_higher ? "at_least" : "at_most",
                        is_higher ? 1 : 0, found.value, one.bound, found.is_quiet ? 1 : 0);
        }
        return 0;
    }
    for (auto const& row : offered.rows) add_row(row);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

}  // namespace bars
