"""What the program says of arrays on rectilinear grids, and what it reads from them."""

import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

from program import output_of, random_selection, run, seeded

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "zarr"))
import v3_writer

directory = tempfile.TemporaryDirectory()
root = Path(directory.name)
RAW = [{"name": "bytes", "configuration": {"endian": "little"}}]


def rectilinear(chunk_shapes):
    return {"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": chunk_shapes}}


class OfUnequalChunks(unittest.TestCase):
    """7 x 5 bytes in chunks of 2, 1, 1 and 4 by 3 and 3."""

    @classmethod
    def setUpClass(cls):
        cls.path = root / "months.zarr"
        values = np.arange(1, 36, dtype="u1").reshape(7, 5)
        v3_writer.write(cls.path, values, rectilinear([[2, [1, 2], 4], 3]), RAW, 0, random.Random(1))

    def test_info(self):
        self.assertEqual(
            output_of("info", self.path),
            """\
ubyte months(7, 5)
chunk shape  (1 to 4, 3), at most 12 bytes (12 B)
edges        axis 0: 2, 2 x 1, 4
edges        axis 1: 2 x 3
chunks       8: 8 stored, 0 missing
stored       48 bytes (48 B), ratio 1.000
type         uint8 in Zarr 3, byte order none
codecs       none
fill value   0
""",
        )
        info = json.loads(output_of("info", self.path, "--json"))
        self.assertEqual(info["chunk_edges"], [[[2, 1], [1, 2], [4, 1]], [[3, 2]]])
        self.assertEqual((info["chunk_shape"], info["bytes_chunk"]), ([4, 3], 12))

    def test_tree(self):
        self.assertEqual(output_of("tree", self.path), "ubyte months(7, 5), chunks (1 to 4, 3)\n")

    def test_plan(self):
        self.assertEqual(
            output_of("plan", self.path, "1:6:2, 4"),
            """\
 chunk  axis 0  axis 1  ->  axis 0
(0, 1)     1:2       1  ->     0:1
(2, 1)     0:1       1  ->     1:2
(3, 1)     1:2       1  ->     2:3

selected  axis 0 1:6:2, axis 1 4
shape     (3)
chunks    3 of 8
elements  3 in 3 contiguous runs
bytes     21 B of chunks, 3 B of them used: 7.00 for each byte used
stored    21 bytes (21 B), 0 chunks missing
""",
        )

    def test_drawing(self):
        target = root / "plan.svg"
        output_of("plan", self.path, "1:6:2", "--svg", target)
        self.assertIn("7 in chunks of 1 to 4<", target.read_text())

    def test_a_chunk_of_another_size_is_named(self):
        (self.path / "c/3/0").write_bytes(b"x" * 11)
        done = run("read", self.path, "6, 0")
        (self.path / "c/3/0").write_bytes(bytes([21, 22, 23, 26, 27, 28, 31, 32, 33, 0, 0, 0]))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("c/3/0", done.stderr)
        self.assertIn("11 bytes", done.stderr)
        self.assertEqual(output_of("read", self.path, "6, 0"), "31\n")


class Reads(unittest.TestCase):
    def test_as_numpy_does(self):
        draw = seeded("Reads.test_as_numpy_does")
        for number in range(12):
            shape = [draw.randint(1, 30) for _ in range(draw.randint(1, 3))]
            values = np.arange(1, np.prod(shape) + 1, dtype="<i4").reshape(shape)
            path = root / f"a{number}"
            grid = rectilinear([v3_writer.drawn_edges(draw, extent) for extent in shape])
            longest = [max(edges) for edges in v3_writer.edges_of(grid, shape)]
            codecs = v3_writer.drawn_codecs(draw, values.dtype, longest, draw.randint(0, 2))
            v3_writer.write(path, values, grid, codecs, 0, draw)
            for _ in range(5):
                text = random_selection(draw, shape)
                with self.subTest(grid=grid, codecs=codecs, selection=text):
                    output_of("read", path, text, "--output", root / "out.npy", "--force")
                    np.testing.assert_array_equal(np.load(root / "out.npy"), eval(f"values[{text}]"))
                    plan = json.loads(output_of("plan", path, text, "--json"))
                    self.assertEqual(plan["elements"], eval(f"values[{text}]").size)


if __name__ == "__main__":
    unittest.main()
