"""Draws copy_speed.svg: the speed of a copy of every n-th element against n, for elements of 1, 2, 4 and 8 bytes.

Measures slabwise and the loops by copy_bench, xtensor by copy_xsimd_bench, numpy here; a speed is the best of the
medians of several processes, since what disturbs makes slower. The argument is the folder of the two programs.
"""

import collections
import math
import statistics
import subprocess
import sys
from pathlib import Path

tree = Path(__file__).resolve().parents[1]
PROGRAMS = tree / "build/benchmark/benchmarks"
DRAWING = tree / "benchmarks/copy_speed.svg"
LEVEL = "L2"
SPAN_BYTES = 512 * 1024
ROUNDS = 15

# The columns of what the programs print; the label, colour and dashes of each line, the front one last. The colours
# differ for the colour-blind, and in grey the dashes do.
LINES = {
    "numpy": ("numpy", "#b8860b", "2 3"),
    "xtensor_with_xsimd": ("xtensor with xsimd", "#7b3fa0", "8 3 2 3"),
    "plain": ("plain loop", "#777777", "6 4"),
    "unrolled": ("loop unrolled by 8", "#0072b2", "10 3"),
    "slabwise": ("slabwise", "#d1330f", ""),
}


def measured_by(program):
    """{column: {(element size, stride): speed}} of one process."""
    text = subprocess.run([program, "--plot-data"], check=True, capture_output=True, text=True).stdout
    header, *rows = (line.split() for line in text.splitlines())
    speeds = {column: {} for column in header[3:]}
    for level, size, stride, *values in rows:
        if level == LEVEL:
            for column, value in zip(header[3:], values):
                speeds[column][int(size), int(stride)] = float(value)
    return speeds


def measure_numpy(lines):
    """What a process of numpy does: reads lines of a size and a stride, prints them and the elements a nanosecond."""
    import timeit

    import numpy

    for line in lines:
        size, stride = map(int, line.split())
        count = max(64, SPAN_BYTES // (size * stride))
        source = numpy.arange(count * stride).astype(f"u{size}")[::stride]
        destination = numpy.zeros(count, f"u{size}")
        numpy.copyto(destination, source)
        assert (destination == source).all()
        timer = timeit.Timer(lambda: numpy.copyto(destination, source))
        times = 1
        while timer.timeit(times) < 2e-4:
            times *= 2
        print(size, stride, count / (statistics.median(timer.repeat(9, times)) / times * 1e9))


def measured_by_numpy(points):
    asked = "".join(f"{size} {stride}\n" for size, stride in points)
    command = [sys.executable, __file__, "--measure"]
    text = subprocess.run(command, input=asked, check=True, capture_output=True, text=True).stdout
    rows = (line.split() for line in text.splitlines())
    return {"numpy": {(int(size), int(stride)): float(speed) for size, stride, speed in rows}}


def measured(programs):
    """{column: {(element size, stride): best speed}}, everything in turn in each round."""
    found = collections.defaultdict(lambda: collections.defaultdict(float))
    for _ in range(ROUNDS):
        speeds = measured_by(programs / "copy_bench") | measured_by(programs / "copy_xsimd_bench")
        speeds |= measured_by_numpy(speeds["slabwise"])
        for column, points in speeds.items():
            for point, speed in points.items():
                found[column][point] = max(found[column][point], speed)
    return found


# The plot: four panels side by side, two by two, with one scale.
WIDTH, HEIGHT = 970, 768
PANEL_WIDTH, PANEL_HEIGHT = 400, 270
LEFT, TOP, ACROSS, DOWN = 72, 104, 460, 330
TICKS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)


class Panel:
    def __init__(self, left, top, lowest, highest):
        self.left, self.top = left, top
        self.lowest, self.highest = math.log(lowest), math.log(highest)

    def x(self, stride):
        return self.left + PANEL_WIDTH * math.log(stride) / math.log(64)

    def y(self, speed):
        share = (math.log(speed) - self.lowest) / (self.highest - self.lowest)
        return self.top + PANEL_HEIGHT * (1 - share)


def text(x, y, words, *, anchor="middle", size=14, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"{more}>{words}</text>'


def line(x1, y1, x2, y2, colour="#dddddd"):
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" fill="none"/>'


def draw_panel(panel, size, speeds, speed_ticks):
    bottom, right = panel.top + PANEL_HEIGHT, panel.left + PANEL_WIDTH
    drawn = [text(panel.left + PANEL_WIDTH / 2, panel.top - 10, f"elements of {size} byte{'s' if size > 1 else ''}",
                  size=16, more=' font-weight="bold"')]
    for tick in speed_ticks:
        y = panel.y(tick)
        drawn += [line(panel.left, y, right, y), text(panel.left - 8, y + 5, f"{tick:g}", anchor="end")]
    for tick in TICKS:
        x = panel.x(tick)
        drawn += [line(x, panel.top, x, bottom), text(x, bottom + 19, tick)]
    drawn.append(f'<rect x="{panel.left}" y="{panel.top}" width="{PANEL_WIDTH}" height="{PANEL_HEIGHT}" '
                 'fill="none" stroke="#555555"/>')
    for column, (_, colour, dashes) in LINES.items():
        points = sorted((stride, speed) for (bytes_, stride), speed in speeds[column].items() if bytes_ == size)
        path = "L".join(f"{panel.x(stride):.1f} {panel.y(speed):.1f}" for stride, speed in points)
        width = 3 if column == "slabwise" else 2
        drawn.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
                     f'stroke-linejoin="round" stroke-dasharray="{dashes or "none"}"/>')
        if column == "slabwise":
            drawn += [f'<circle cx="{panel.x(stride):.1f}" cy="{panel.y(speed):.1f}" r="3.5" fill="{colour}"/>'
                      for stride, speed in points]
    return drawn


def draw_legend():
    drawn = []
    x = LEFT
    for label, colour, dashes in reversed(LINES.values()):
        width = 3 if label == "slabwise" else 2
        drawn.append(f'<path d="M{x} 58h44" stroke="{colour}" stroke-width="{width}" fill="none" '
                     f'stroke-dasharray="{dashes or "none"}"/>')
        drawn.append(text(x + 52, 63, label, anchor="start", size=15))
        x += 84 + 8 * len(label)
    return drawn


def drawing(speeds):
    values = [speed for points in speeds.values() for speed in points.values()]
    lowest, highest = 0.85 * min(values), 1.25 * max(values)
    ticks = [tick for tick in (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100) if lowest < tick < highest]
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" fill="#222222">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        text(LEFT, 30, f"Copying every n-th element out of {SPAN_BYTES // 1024} KB, in the {LEVEL} cache",
             anchor="start", size=19, more=' font-weight="bold"'),
        *draw_legend(),
    ]
    for i, size in enumerate((1, 2, 4, 8)):
        panel = Panel(LEFT + ACROSS * (i % 2), TOP + 10 + DOWN * (i // 2), lowest, highest)
        drawn += draw_panel(panel, size, speeds, ticks)
    x, y = 20, TOP + 10 + (DOWN + PANEL_HEIGHT) / 2
    drawn.append(text(x, y, "speed (elements per nanosecond)", size=15, more=f' transform="rotate(-90 {x} {y})"'))
    drawn.append(text(LEFT + (ACROSS + PANEL_WIDTH) / 2, HEIGHT - 10, "stride n (elements)", size=15))
    return "\n".join([*drawn, "</svg>", ""])


if sys.argv[1:] == ["--measure"]:
    measure_numpy(sys.stdin)
else:
    DRAWING.write_text(drawing(measured(Path(sys.argv[1]) if len(sys.argv) > 1 else PROGRAMS)))
