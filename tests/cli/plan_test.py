"""What `slabwise plan` says is what walking over every selected element gives, and a huge plan costs nothing."""

import json
import math
import re
import shlex
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import numpy as np
import zarr

from program import output_of, random_selection, run, seeded

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "zarr"))
import v3_writer

directory = tempfile.TemporaryDirectory()
root = Path(directory.name)


def numbers(sequence):
    return ",".join(map(str, sequence))


def planned(shape, chunks, *arguments):
    return json.loads(output_of("plan", "--shape", numbers(shape), "--chunks", numbers(chunks), *arguments, "--json"))


def as_slice(indices):
    """The canonical [first, stop, stride] of equidistant indices."""
    stride = indices[1] - indices[0] if len(indices) > 1 else 1
    return [indices[0], indices[-1] + (1 if stride > 0 else -1), stride]


def listed_axis(item, extent, chunk):
    """Of one axis: [chunk, in_chunk, in_array, covers] a piece, in the order of the selection."""
    indices = list(range(extent))[item] if isinstance(item, slice) else [range(extent)[item]]
    pieces = {}
    for place, index in enumerate(indices):
        pieces.setdefault(index // chunk, []).append((index % chunk, place))
    return [
        [
            number,
            as_slice([i for i, _ in hits]),
            as_slice([i for _, i in hits]),
            len(hits) == min(chunk, extent - number * chunk),
        ]
        for number, hits in pieces.items()
    ], len(indices)


def brute_force(shape, chunks, text, element_size):
    items = eval(f"numpy_like[{text}]", {"numpy_like": type("", (), {"__getitem__": lambda _, key: key})()})
    items = items if isinstance(items, tuple) else (items,)
    if ... in items:
        place = items.index(...)
        items = items[:place] + (slice(None),) * (len(shape) - len(items) + 1) + items[place + 1 :]
    items += (slice(None),) * (len(shape) - len(items))
    keeps = [isinstance(item, slice) for item in items]
    axes = [listed_axis(*axis) for axis in zip(items, shape, chunks)]
    projections = [[]]
    for pieces, _ in axes:
        projections = [before + [piece] for before in projections for piece in pieces]
    kept_shape = [count for (_, count), keep in zip(axes, keeps) if keep]
    return {
        "shape": kept_shape,
        "chunks": len(projections),
        "elements": math.prod(count for _, count in axes),
        "bytes_chunks": len(projections) * math.prod(chunks) * element_size,
        "bytes_used": math.prod(count for _, count in axes) * element_size,
        "projections": [
            {
                "coord": [piece[0] for piece in pieces],
                "in_chunk": [piece[1] for piece in pieces],
                "in_array": [piece[2] for piece, keep in zip(pieces, keeps) if keep],
                "covers_chunk": all(piece[3] for piece in pieces),
            }
            for pieces in projections
        ],
    }


class Json(unittest.TestCase):
    def test_equals_brute_force(self):
        source = seeded(self.id())
        for _ in range(200):
            rank = source.randint(0, 4)
            shape = [
                source.choice([0, 1, source.randint(1, 30), source.randint(1, 12)])
                if source.random() < 0.3
                else source.randint(1, 20)
                for _ in range(rank)
            ]
            chunks = [source.randint(1, 12) for _ in shape]
            text = random_selection(source, shape)
            with self.subTest(shape=shape, chunks=chunks, selection=text):
                self.assertEqual(planned(shape, chunks, text, "--type", "f4"), brute_force(shape, chunks, text, 4))

    def test_of_a_scalar(self):
        self.assertEqual(
            planned([], [], "--type", "i2"),
            {
                "shape": [],
                "chunks": 1,
                "elements": 1,
                "bytes_chunks": 2,
                "bytes_used": 2,
                "projections": [{"coord": [], "in_chunk": [], "in_array": [], "covers_chunk": True}],
            },
        )

    def test_has_no_bytes_without_a_type(self):
        plan = planned([10], [3], "2:")
        self.assertEqual((plan["bytes_chunks"], plan["bytes_used"]), (None, None))

    def test_limit_cuts_only_the_list(self):
        whole = planned([100, 100], [7, 9], "3:90:2, ::-5")
        cut = planned([100, 100], [7, 9], "3:90:2, ::-5", "--limit", "5")
        self.assertTrue(cut.pop("truncated"))
        self.assertEqual(cut, {**whole, "projections": whole["projections"][:5]})
        self.assertNotIn("truncated", planned([10], [5], "--limit", "2"))
        self.assertEqual(planned([10], [5], "--limit", "0")["projections"], [])
        self.assertEqual(len(planned([20000], [1])["projections"]), 10000)

    def test_by_start_count_stride(self):
        self.assertEqual(
            planned([30, 40], [7, 9], "--start", "3,5", "--count", "4,-1", "--stride", "6,2"),
            planned([30, 40], [7, 9], "3:22:6, 5::2"),
        )


class Huge(unittest.TestCase):
    def test_plan_is_immediate(self):
        for arguments in [(), ("::3",), ("::-1000,5",), ("5:100000000",)]:
            begin = time.monotonic()
            plan = planned(
                [10**9, 10**9], [1000, 1], *arguments, "--type", "f8", "--limit", "3", "--svg", root / "huge.svg"
            )
            self.assertLess(time.monotonic() - begin, 2)
            self.assertEqual(len(plan["projections"]), 3)
        self.assertEqual(planned([10**9, 10**9], [1000, 1], "--limit", "0")["chunks"], 10**15)
        self.assertLess((root / "huge.svg").stat().st_size, 10**6)

    def test_bytes_that_63_bits_do_not_hold(self):
        plan = planned([2**31, 2**31], [2**8, 2**8], "::2,::2", "--type", "c16", "--limit", "1")
        self.assertEqual((plan["chunks"], plan["elements"]), (2**46, 2**60))
        self.assertEqual((plan["bytes_chunks"], plan["bytes_used"]), (None, None))
        text = output_of("plan", "--shape", f"{2**31},{2**31}", "--chunks", "256,256", "--type", "f8", "--limit", "1")
        self.assertIn("more than 8 EiB of chunks", text)

    def test_elements_that_63_bits_do_not_hold(self):
        done = run("plan", "--shape", f"{2**32},{2**32}", "--chunks", "9,9")
        self.assertEqual(
            (done.returncode, done.stderr), (2, "slabwise: plan: the number of elements exceeds 2^63 - 1\n")
        )

    def test_read_is_refused_before_anything_is_read(self):
        path = str(root / "huge.zarr")
        zarr.open_array(path, "w", shape=(10**9, 10**9), chunks=(1000, 1), dtype="f4", compressor=None)
        for arguments in [(), ("--stats",), ("--output", root / "huge.npy")]:
            done = run("read", path, *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(
                done.stderr, f"slabwise: the selection touches {10**15} chunks; above 10000000 a read needs --yes\n"
            )
        self.assertFalse((root / "huge.npy").exists())
        self.assertTrue(output_of("read", path, "--yes").startswith("[[0. 0. 0. ... 0. 0. 0.]"))
        text = output_of("plan", path, "--limit", "2")
        self.assertIn(f"chunks    {10**15} of {10**15}\n", text)
        self.assertIn("stored    not looked up: more than 100000 chunks\n", text)

    def test_read_that_no_memory_holds(self):
        path = str(root / "wide.zarr")
        zarr.open_array(path, "w", shape=(10**6, 10**6), chunks=(10**6, 100), dtype="f8", compressor=None)
        done = run("read", path, "--format", "raw")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(
            done.stderr,
            r"^slabwise: the read needs .* of memory for 8000000000000 bytes selected, the machine has .*\n$",
        )
        path = root / "one.zarr"
        path.mkdir()
        (path / ".zarray").write_text(
            '{"zarr_format": 2, "shape": [100], "chunks": [1000000000000], "dtype": "<f4", "compressor": null,'
            ' "fill_value": 0, "order": "C", "filters": null}'
        )
        # A chunk that is not there needs no memory.
        self.assertEqual(output_of("read", path, "0"), "0.0\n")
        self.assertEqual(output_of("read", path, "0", "--format", "csv"), "0.0\n")
        (path / "0").write_bytes(b"abcd")
        done = run("read", path, "0")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("0: the chunk has 4 bytes, 4000000000000 expected", done.stderr)


class OfAStore(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.path = str(root / "pr.zarr")
        array = zarr.open_array(
            cls.path, "w", shape=(40, 30), chunks=(10, 10), dtype=">f4", compressor=None, fill_value=0
        )
        array[:25] = 1
        array.attrs["_ARRAY_DIMENSIONS"] = ["time", "lat"]

    def test_json_tells_what_is_stored(self):
        plan = json.loads(output_of("plan", self.path, "15:35, ::-1", "--json"))
        self.assertEqual((plan["chunks"], plan["bytes_chunks"], plan["bytes_used"]), (9, 3600, 2400))
        self.assertEqual((plan["bytes_stored"], plan["chunks_missing"]), (2400, 3))
        self.assertEqual(plan["projections"], planned([40, 30], [10, 10], "15:35, ::-1")["projections"])

    def test_table(self):
        self.assertEqual(
            output_of("plan", self.path, "time=35:3:-16, lat=4"),
            """\
 chunk  time  lat  ->  time
(3, 0)   5:6    4  ->   0:1
(1, 0)  9:10    4  ->   1:2

selected  time 35:18:-16, lat 4
shape     (2)
chunks    2 of 12
elements  2 in 2 contiguous runs
bytes     800 B of chunks, 8 B of them used: 100.00 for each byte used
stored    400 bytes (400 B), 1 chunk missing
""",
        )
        self.assertIn("and 11 chunks more\n", output_of("plan", self.path, "--limit", "1"))

    def test_of_shards(self):
        path = root / "shards.zarr"
        index = [{"name": "bytes", "configuration": {"endian": "little"}}]
        shards = {"chunk_shape": [2, 3], "codecs": [{"name": "bytes"}], "index_codecs": index}
        values = np.arange(1, 9 * 12 + 1, dtype="u1").reshape(9, 12)
        values[4:, :6] = 0
        values[2:4, 3:6] = 0

        class InOrder:
            """Writes inner chunks one behind the other, without gaps, and leaves out what is all fill."""

            sample = staticmethod(lambda places, _: places)
            choice = staticmethod(lambda options: options[0])
            random = staticmethod(lambda: 0.0)

        v3_writer.write(path, values, v3_writer.regular_grid([4, 6]), [{"name": "sharding_indexed", "configuration": shards}], 0, InOrder)
        self.assertEqual(
            output_of("plan", path, "3::-1, 4"),
            """\
            chunk  axis 0  axis 1  ->  axis 0
           (0, 0)   3::-1       4  ->     0:4
in (0, 0): (1, 1)   1::-1       1  ->     0:2      absent
in (0, 0): (0, 1)   1::-1       1  ->     2:4  bytes 6:12

selected  axis 0 3::-1, axis 1 4
shape     (4)
chunks    1 of 6
elements  4 in 4 contiguous runs
bytes     24 B of chunks, 4 B of them used: 6.00 for each byte used
inner     2 chunks of the shards that are there
stored    6 bytes (6 B), 0 chunks missing
""",
        )
        plan = json.loads(output_of("plan", path, "::3, 5", "--json"))
        self.assertEqual((plan["bytes_stored"], plan["chunks_missing"]), (6, 1))
        first = plan["projections"][0]["inner_chunks"]
        self.assertEqual(
            first,
            [
                {"coord": [0, 1], "in_chunk": [[0, 1, 1], [2, 3, 1]], "in_array": [[0, 1, 1]], "covers_chunk": False,
                 "offset": 6, "bytes": 6},
                {"coord": [1, 1], "in_chunk": [[1, 2, 1], [2, 3, 1]], "in_array": [[1, 2, 1]], "covers_chunk": False,
                 "offset": None, "bytes": None},
            ],
        )
        self.assertIsNone(plan["projections"][1]["inner_chunks"])

    def test_table_of_nothing(self):
        self.assertTrue(
            output_of("plan", self.path, "5:5").startswith(
                "selected  time 0:0, lat 0:30\nshape     (0, 30)\nchunks    0 of 12\n"
            )
        )


class Drawing(unittest.TestCase):
    def drawn(self, shape, chunks, *arguments):
        target = root / "plan.svg"
        output_of("plan", "--shape", numbers(shape), "--chunks", numbers(chunks), *arguments, "--svg", target)
        drawing = xml.parse(target).getroot()
        self.assertEqual(drawing.tag, "{http://www.w3.org/2000/svg}svg")
        return drawing

    def count(self, drawing, tag, **attributes):
        found = drawing.iter("{http://www.w3.org/2000/svg}" + tag)
        return sum(all(element.get(name) == value for name, value in attributes.items()) for element in found)

    def test_of_each_rank(self):
        for rank in range(6):
            drawing = self.drawn([30 + axis for axis in range(rank)], [4 + axis for axis in range(rank)])
            self.assertNotIn("nan", xml.tostring(drawing, encoding="unicode"))
        self.drawn([0, 5], [3, 2])
        self.drawn([5, 0, 4], [3, 2, 2])
        self.drawn([5, 6, 4], [3, 2, 2], "3:3")

    def test_shades_touched_chunks_and_marks_elements(self):
        none = self.count(self.drawn([40, 60], [10, 10], "0:0"), "rect")
        drawing = self.drawn([40, 60], [10, 10], "5:25:4, ::-11")
        self.assertEqual(self.count(drawing, "rect") - none, 3 * 6)
        self.assertEqual(self.count(drawing, "circle"), 5 * 6 + 1)  # one in the legend
        drawing = self.drawn([40, 60], [10, 10], "::11, 3:50:21")
        self.assertEqual(self.count(drawing, "rect") - none, 4 * 3)
        self.assertEqual(self.count(self.drawn([4000, 6000], [100, 100]), "circle"), 0)

    def test_at(self):
        none = self.count(self.drawn([9, 40, 60], [4, 10, 10], "0:0"), "rect")
        inside = self.drawn([9, 40, 60], [4, 10, 10], "3:7:3, 5:25:4, ::-11", "--at", "6")
        self.assertEqual((self.count(inside, "rect") - none, self.count(inside, "circle")), (18, 31))
        between = self.drawn([9, 40, 60], [4, 10, 10], "3:7:3, 5:25:4, ::-11", "--at", "5")
        self.assertEqual((self.count(between, "rect") - none, self.count(between, "circle")), (18, 0))
        outside = self.drawn([9, 40, 60], [4, 10, 10], "3:7:3, 5:25:4, ::-11", "--at", "8")
        self.assertEqual((self.count(outside, "rect") - none, self.count(outside, "circle")), (0, 0))

    def test_of_large_grids_stays_small(self):
        for text in ["::7, ::3", "5:6000000:5, 100:200", "0, ::-1", "::-100000, 5000000::999999"]:
            self.drawn([2**40, 2**22], [1000, 1], text)
            self.assertLess((root / "plan.svg").stat().st_size, 10**6)
        self.drawn([2**63 - 1], [1], "::5")
        self.drawn([2**63 - 1], [2**62], "::-5")

    def shades(self, shape, chunks, text):
        """The colours of the cells, and the note below them."""
        drawing = self.drawn(shape, chunks, text, "--limit", "0")
        name = "{http://www.w3.org/2000/svg}"
        cells = drawing.find(name + "g")
        words = ["".join(node.itertext()) for node in drawing.iter(name + "text")]
        return [cell.get("fill") for cell in cells.iter(name + "rect")], [
            word for word in words if word.startswith("A cell stands")
        ]

    def test_shade_of_several_chunks_is_the_share_of_all_their_elements(self):
        colours, notes = self.shades([10**9, 10**6], [1, 1], "::-3, 5:900000:7")
        self.assertEqual(
            notes,
            [
                "A cell stands for up to 15625000 x 14063 chunks; "
                "its shade is the share that is used of all their elements."
            ],
        )
        # Three shades meet at places 0, 1/3, 2/3 and 1 of the cube root of the share, here of 1 / 21.
        place = 3 * (1 / 21) ** (1 / 3)
        ends = [(158, 202, 225), (66, 146, 198)]
        expected = [a + (place - 1) * (b - a) for a, b in zip(*ends)]
        colour = max(set(colours), key=colours.count)
        for pair, value in zip([colour[1:3], colour[3:5], colour[5:7]], expected):
            self.assertAlmostEqual(int(pair, 16), value, delta=1.5)
        # The same share, by elements of the chunks and by chunks.
        by_elements, _ = self.shades([64 * 100, 30], [50, 30], "::10")
        by_chunks, _ = self.shades([64 * 20, 1], [1, 1], "::10")
        self.assertEqual(set(by_elements), {by_chunks[0]})
        self.assertEqual(set(self.shades([10**9, 10**6], [1, 1], "...")[0]), {"#084594"})
        # One chunk of 10^16 is not none.
        colours, _ = self.shades([10**10, 10**10], [1, 1], "::9999999999, ::9999999999")
        self.assertEqual(colours, ["#deebf7"] * 4)

    def test_long_labels_stay_clear_of_each_other_and_of_the_legend(self):
        name = "{http://www.w3.org/2000/svg}"
        for shape, text in [
            ([10**15], "..."),
            ([2**63 - 1], "..."),
            ([2**63 - 1], "9223372036854700000:"),
            ([2**63 - 1, 2**63 - 1], "5"),
            ([2**31, 2**32 - 1], "..."),
            ([2**40, 5], "..."),
            ([5, 10**11], "..."),
            ([10**10], "..."),
        ]:
            with self.subTest(shape=shape, text=text):
                drawing = self.drawn(shape, [1] * len(shape), text, "--limit", "0")
                nodes = list(drawing.iter(name + "text"))
                legend = next(float(node.get("x")) for node in nodes if node.text == "share of the")
                ticks = [node for node in nodes if node.text and node.text.isdigit() and node.get("y")]
                low = max(float(node.get("y")) for node in ticks)
                end = 0
                for node in ticks:
                    if float(node.get("y")) != low:
                        continue
                    width = 7.6 * len(node.text)
                    before = {"start": 0, "middle": width / 2, "end": width}[node.get("text-anchor")]
                    self.assertGreaterEqual(float(node.get("x")) - before, end)
                    end = float(node.get("x")) - before + width + 5
                self.assertLess(end, legend)

    def test_picture_of_the_readme(self):
        tree = Path(__file__).resolve().parents[2]
        [command] = re.findall(r"^\$ slabwise (plan .*) --svg plan.svg$", (tree / "README.md").read_text(), re.MULTILINE)
        drawn = root / "readme.svg"
        output_of(*shlex.split(command), "--svg", drawn)
        self.assertEqual(drawn.read_text(), (tree / "examples/plan.svg").read_text())

    def test_escapes_names(self):
        path = str(root / "names.zarr")
        zarr.open_array(path, "w", shape=(4, 6), chunks=(2, 2), dtype="i2").attrs["_ARRAY_DIMENSIONS"] = [
            "<a&b>",
            "x\x1b[31m",
        ]
        zarr.open_array(path, "w", shape=(4, 6), chunks=(2, 2), dtype="i2", compressor=None).attrs[
            "_ARRAY_DIMENSIONS"
        ] = ["<a&b>", "x\x1b[31m"]
        output_of("plan", path, "--svg", root / "names.svg")
        text = " ".join("".join(node.itertext()) for node in xml.parse(root / "names.svg").getroot())
        self.assertIn("<a&b>", text)
        self.assertIn("x?[31m", text)


if __name__ == "__main__":
    unittest.main()
