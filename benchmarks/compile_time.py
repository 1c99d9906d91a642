"""Measures what <slabwise/plan/plan.hpp> adds to the compile time of an empty file that includes <array>, g++ -O0.

Prints `bar NAME VALUE BOUND ok|short` for the header included and for a plan of rank 3 made and walked, in seconds: the
median of 5 differences, each to the empty file compiled just before. Exits 1 when one is short.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

tree = Path(__file__).resolve().parents[1]
EMPTY = "#include <array>\n"
INCLUDED = EMPTY + "#include <slabwise/plan/plan.hpp>\n"
USED = INCLUDED + """
namespace sw = slabwise;
constexpr sw::chunk_grid<3> grid{{1560, 128, 256}, {256, 64, 128}};
constexpr sw::hyperslab<3> slab{sw::slice{0, 1560, 3}, sw::slice{5, 100}, sw::slice{255, -1, -2}};
constexpr auto plan = sw::make_plan(grid, slab);
static_assert(plan.size() == 7 * 2 * 2 && plan.shape() == sw::shape<3>{520, 95, 128});
long walk() {
    long sum = 0;
    for (auto const p : plan) {
        sum += p.coord()[0] + p.in_chunk()[1].first() + p.in_array()[2].count() + p.covers_chunk();
    }
    return sum;
}
"""
BOUNDS = {"plan_include_seconds": (INCLUDED, 0.12), "plan_used_seconds": (USED, 0.30)}


def seconds(text, directory):
    """The processor time of one compilation, which other processes disturb less than the time on the wall."""
    source = Path(directory) / "source.cpp"
    source.write_text(text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [os.environ.get("CXX", "g++"), "-std=c++20", "-O0", f"-I{tree}/include", "-c", source, "-o", source.with_suffix(".o")]
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


differences = {name: [] for name in BOUNDS}
with tempfile.TemporaryDirectory() as directory:
    seconds(USED, directory)  # brings the files into memory
    for _ in range(5):
        for name, (text, _) in BOUNDS.items():
            empty = seconds(EMPTY, directory)
            differences[name].append(seconds(text, directory) - empty)

short = False
for name, (_, bound) in BOUNDS.items():
    value = statistics.median(differences[name])
    # A bar passes at 5 % beyond its bound: that much is noise.
    verdict = "ok" if value <= bound / 0.95 else "short"
    short |= verdict == "short"
    print(f"bar {name} {value:.3f} {bound:.2f} {verdict}")
sys.exit(short)
