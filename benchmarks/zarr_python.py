"""Measures reads of Zarr arrays against zarr-python, and strided ones of a warm array against numpy's copy of an array in
memory.

Prints `bar NAME VALUE BOUND ok|short` for each and exits 1 when one is short: the median over rounds in which both sides
take turns, one thread on both. The argument is the program zarr_bench.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

import numcodecs
import numpy as np
import zarr

PROGRAM = Path(__file__).resolve().parents[1] / "build/benchmark/benchmarks/zarr_bench"
ROUNDS = 5
CACHE_BYTES = 512 << 20
SELECTIONS = {
    "all": (slice(None), slice(None), slice(None)),
    "box": (slice(100, 1100), slice(10, 110), slice(20, 220)),
    "every_2nd": (slice(None, None, 2), slice(None, None, 2), slice(None, None, 2)),
    "strided": (slice(5, 1505, 3), slice(3, 123, 4), slice(1, 253, 7)),
    "series": (slice(None), slice(50, 51), slice(60, 61)),
    "slab": (slice(700, 701), slice(None), slice(None)),
}


class server:
    """The program, which reads when it is asked to."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.store = self.process.stdout.readline().strip()

    def nanoseconds(self, *words):
        print(*words, file=self.process.stdin, flush=True)
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"zarr_bench failed: exit {self.process.returncode}")


def nanoseconds(work):
    """The mean of as many runs as take 0.5 ms, after some more."""
    times = 1
    while True:
        start = time.thread_time_ns()
        for _ in range(times):
            work()
        taken = time.thread_time_ns() - start
        if taken > 500_000:
            return taken / times
        times *= 2


def bound_of(array, temperature, selection):
    """At least how many times faster than zarr-python."""
    return 20 if selection in ("series", "slab") and (array == "pr" or temperature == "warm") else 1


def report(name, value, bound, is_least):
    """Prints a bar; gives True when it holds, but for 5 % of noise."""
    holds = value >= 0.95 * bound if is_least else value <= bound / 0.95
    print("bar", name, f"{value:.3g}", bound, "ok" if holds else "short", flush=True)
    return holds


def main(program):
    numcodecs.blosc.set_nthreads(1)
    ours = server(program)
    all_hold = True
    for array in ("pr", "zstd", "blosc"):
        path = f"{ours.store}/{array}"
        cached = zarr.open_array(zarr.LRUStoreCache(zarr.DirectoryStore(path), CACHE_BYTES), "r")
        for name, selection in SELECTIONS.items():
            works = {"cold": lambda: zarr.open_array(path, "r")[selection], "warm": lambda: cached[selection]}
            for temperature, work in works.items():
                work()
                ratios = []
                for _ in range(ROUNDS):
                    theirs = nanoseconds(work)
                    ratios.append(theirs / ours.nanoseconds(array, temperature, name))
                bar = f"zarr_{array}_{temperature}_over_zarr_python_{name}_at_least"
                all_hold &= report(bar, statistics.median(ratios), bound_of(array, temperature, name), True)
    values = zarr.open_array(f"{ours.store}/pr", "r")[:]
    for name in ("every_2nd", "strided"):
        ratios = []
        for _ in range(3 * ROUNDS):
            theirs = nanoseconds(lambda: np.ascontiguousarray(values[SELECTIONS[name]]))
            ratios.append(ours.nanoseconds("pr", "warm", name) / theirs)
        all_hold &= report(f"zarr_pr_warm_over_numpy_time_{name}_at_most", statistics.median(ratios), 1.1, False)
    ours.close()
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else str(PROGRAM)))
