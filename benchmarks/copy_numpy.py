"""Measures the copies of blocks of short rows against numpy, which copies the same blocks.

Prints `bar NAME VALUE BOUND ok|short` for each shape and exits 1 when one is short: how many times faster than numpy,
processes of both in turn, the best of 3. The argument is the program copy_bench.
"""

import subprocess
import sys
from pathlib import Path

tree = Path(__file__).resolve().parents[1]
PROGRAM = tree / "build/benchmark/benchmarks/copy_bench"
BOUND = 2
ROUNDS = 3


def lines_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def cases(program):
    """The cases that the program measures: names with the counts, the array's shape and the nanoseconds."""
    found = {}
    for line in lines_of(program, "--numpy-cases"):
        name, counts, shape, nanoseconds = line.split()
        found[name] = (counts, shape, float(nanoseconds))
    return found


def median_nanoseconds(work):
    """The median of 15 samples of 0.2 ms or more."""
    import statistics
    import timeit

    timer = timeit.Timer(work)
    times = 1
    while timer.timeit(times) < 2e-4:
        times *= 2
    return statistics.median(timer.repeat(15, times)) / times * 1e9


def measure_numpy(lines):
    """What a process of numpy does: reads lines of a name, counts and a shape, prints the name and the nanoseconds."""
    import numpy

    for line in lines:
        name, counts, shape = line.split()
        counts = [int(count) for count in counts.split(",")]
        shape = [int(length) for length in shape.split(",")]
        source = numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape)
        view = source[tuple(slice(count) for count in counts)]
        destination = numpy.zeros(counts, numpy.float32)
        numpy.copyto(destination, view)
        assert (destination == view).all()
        print(name, median_nanoseconds(lambda: numpy.copyto(destination, view)))


def main(program):
    best = {}
    for _ in range(ROUNDS):
        ours = cases(program)
        asked = "".join(f"{name} {counts} {shape}\n" for name, (counts, shape, _) in ours.items())
        command = [sys.executable, __file__, "--measure"]
        answered = subprocess.run(command, input=asked, check=True, capture_output=True, text=True).stdout
        for line in answered.splitlines():
            name, nanoseconds = line.split()
            best[name] = max(best.get(name, 0), float(nanoseconds) / ours[name][2])
    short = False
    for name, value in best.items():
        # A bar passes at 5 % beyond its bound: that much is noise.
        verdict = "ok" if value >= 0.95 * BOUND else "short"
        short |= verdict == "short"
        print(f"bar numpy_{name.replace(':', '_')}_at_least {value:.3g} {BOUND} {verdict}")
    return short


if sys.argv[1:] == ["--measure"]:
    measure_numpy(sys.stdin)
else:
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else PROGRAM))
