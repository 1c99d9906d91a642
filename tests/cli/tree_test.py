"""What `slabwise tree` says of hierarchies."""

import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import zarr

from program import output_of, run

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "zarr"))
import v3_writer

directory = tempfile.TemporaryDirectory()
root = Path(directory.name)


class Tree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.v2 = root / "two.zarr"
        group = zarr.open_group(zarr.DirectoryStore(cls.v2), "w")
        group.create_dataset("x/deep/a", shape=(7, 9), chunks=(3, 4), dtype="f4")
        group.create_dataset("x/b", shape=(5,), chunks=(2,), dtype="S3")
        group.create_group("empty")
        group.create_dataset("z", shape=(), dtype="i2")
        broken = cls.v2 / "broken"
        broken.mkdir()
        (broken / ".zarray").write_text("{")

    def test_of_version_2(self):
        self.assertEqual(
            output_of("tree", self.v2),
            """\
two/
  unreadable broken: broken/.zarray: is not valid JSON, at byte 2
  short z(), chunks ()
  empty/
  x/
    bytes3 b(5), chunks (2)
    deep/
      float a(7, 9), chunks (3, 4)
""",
        )
        self.assertEqual(output_of("tree", self.v2 / "x/deep"), "deep/\n  float a(7, 9), chunks (3, 4)\n")
        self.assertEqual(output_of("tree", self.v2 / "z"), "short z(), chunks ()\n")

    def test_as_json(self):
        lines = [json.loads(line) for line in output_of("tree", self.v2, "--json").splitlines()]
        self.assertEqual([line["path"] for line in lines], ["", "broken", "z", "empty", "x", "x/b", "x/deep", "x/deep/a"])
        self.assertIn("error", lines[1])
        self.assertEqual(
            lines[-1],
            {"path": "x/deep/a", "kind": "array", "name": "a", "type": "float", "shape": [7, 9], "dimension_names": [],
             "chunk_shape": [3, 4], "chunk_edges": None},
        )

    def test_of_version_3(self):
        path = root / "three.zarr"
        (path / "g").mkdir(parents=True)
        for group in [path, path / "g"]:
            (group / "zarr.json").write_text('{"zarr_format": 3, "node_type": "group"}')
        index = [{"name": "bytes", "configuration": {"endian": "little"}}]
        shards = {"chunk_shape": [2, 2], "codecs": [{"name": "bytes"}], "index_codecs": index}
        v3_writer.write(path / "g" / "s", np.ones((8, 6), "u1"), v3_writer.regular_grid([4, 6]),
                        [{"name": "sharding_indexed", "configuration": shards}], 0, random.Random(1))
        (path / "odd").mkdir()
        (path / "odd/zarr.json").write_text("[]")
        self.assertEqual(
            output_of("tree", path),
            """\
three/
  unreadable odd: odd/zarr.json: is []; a JSON object was expected
  g/
    ubyte s(8, 6), chunks (4, 6) of (2, 2)
""",
        )

    def test_of_no_hierarchy(self):
        done = run("tree", root / "none.zarr")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no Zarr store is there", done.stderr)


if __name__ == "__main__":
    unittest.main()
