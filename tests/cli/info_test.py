"""What `slabwise info` says of arrays and groups."""

import json
import random
import sys
import tempfile
import unittest
from pathlib import Path

import netCDF4
import numcodecs
import numpy as np
import zarr

from program import output_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "zarr"))
import v3_writer

directory = tempfile.TemporaryDirectory()
root = Path(directory.name)


class Info(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.store = str(root / "s.zarr")
        group = zarr.open_group(zarr.DirectoryStore(cls.store), "w")
        array = group.create_dataset(
            "deep/pr",
            shape=(1560, 128, 256),
            chunks=(256, 64, 128),
            dtype=">f4",
            compressor=numcodecs.GZip(1),
            fill_value=-999.5,
        )
        array[:300] = 1.5
        array.attrs.put(
            {"_ARRAY_DIMENSIONS": ["time", "lat", "lon"], "units": "mm/day", **{f"more{i}": i for i in range(30)}}
        )
        group.create_dataset("flags", shape=(3, 0), chunks=(2, 2), dtype="b1", compressor=None)
        group.create_dataset("scalar", data=np.array(5, "u2"), compressor=None)
        group.create_dataset("half", data=np.ones(3, "f2"), compressor=numcodecs.Zlib(1))
        group.create_dataset("strange", data=np.ones(3), compressor=numcodecs.Blosc())
        metadata = Path(cls.store, "strange/.zarray")
        metadata.write_text(metadata.read_text().replace("blosc", "pcodec"))
        group.attrs["title"] = "a test"
        cls.pr = cls.store + "/deep/pr"
        cls.bytes = sum(path.stat().st_size for path in Path(cls.pr).iterdir() if not path.name.startswith("."))

    def test_of_an_array(self):
        text = output_of("info", self.pr)
        ratio = 8 * 256 * 64 * 128 * 4 / self.bytes
        expected = f"""\
float pr(time=1560, lat=128, lon=256)
chunk shape  (256, 64, 128), 8388608 bytes (8.0 MiB)
chunks       28: 8 stored, 20 missing
stored       {self.bytes} bytes ({self.bytes / 1024:.1f} KiB), ratio {ratio:.3f}
type         >f4 in Zarr 2, byte order big
codecs       gzip
fill value   -999.5
attributes
  _ARRAY_DIMENSIONS: ["time","lat","lon"]
"""
        self.assertEqual(text[: len(expected)], expected)
        self.assertEqual(text.count("\n  "), 21)
        self.assertTrue(text.endswith("\n  and 12 more\n"))

    def test_of_an_array_as_json(self):
        info = json.loads(output_of("info", self.pr, "--json"))
        attributes = info.pop("attributes")
        self.assertEqual((len(attributes), attributes["units"]), (32, "mm/day"))
        self.assertAlmostEqual(info.pop("ratio"), 8 * 2**23 / self.bytes)
        self.assertEqual(
            info,
            {
                "kind": "array",
                "format": 2,
                "name": "pr",
                "type": "float",
                "shape": [1560, 128, 256],
                "dimension_names": ["time", "lat", "lon"],
                "chunk_shape": [256, 64, 128],
                "chunk_edges": None,
                "bytes_chunk": 2**23,
                "chunks": 28,
                "chunks_stored": 8,
                "chunks_missing": 20,
                "bytes_stored": self.bytes,
                "dtype": ">f4",
                "byte_order": "big",
                "axis_order": [0, 1, 2],
                "codecs": ["gzip"],
                "shards": None,
                "fill_value": -999.5,
            },
        )

    def test_of_other_arrays(self):
        self.assertTrue(
            output_of("info", self.store + "/flags").startswith(
                "bool flags(3, 0)\nchunk shape  (2, 2), 4 bytes (4 B)\n"
                "chunks       0: 0 stored, 0 missing\nstored       0 bytes (0 B)\n"
            )
        )
        self.assertTrue(
            output_of("info", self.store + "/scalar").startswith(
                "ushort scalar()\nchunk shape  (), 2 bytes (2 B)\nchunks       1: 1 stored, 0 missing\n"
            )
        )
        self.assertIn("codecs       zlib\n", output_of("info", self.store + "/half"))
        self.assertIn("byte order none\n", output_of("info", self.store + "/flags"))

    def test_of_a_group(self):
        self.assertEqual(
            output_of("info", self.store),
            """\
bool flags(3, 0)
half half(3)
ushort scalar()
unreadable strange: strange/.zarray: the compressor "pcodec" is not supported; supported are adler32, astype, bitround, \
blosc, bz2, crc32, crc32c, delta, fixedscaleoffset, fletcher32, gzip, lz4, lzma, packbits, quantize, shuffle, zlib, zstd
group deep
attributes
  title: "a test"
""",
        )
        self.assertEqual(output_of("info", self.store + "/deep"), "float pr(time=1560, lat=128, lon=256)\n")
        info = json.loads(output_of("info", self.store, "--json"))
        self.assertEqual((info["kind"], info["groups"], info["attributes"]), ("group", ["deep"], {"title": "a test"}))
        self.assertEqual([array["name"] for array in info["arrays"]], ["flags", "half", "scalar", "strange"])
        self.assertIn("error", info["arrays"][3])
        self.assertEqual(
            info["arrays"][2],
            {"name": "scalar", "type": "ushort", "shape": [], "dimension_names": [], "chunk_shape": [], "chunk_edges": None},
        )

    def test_of_shards(self):
        path = root / "shards.zarr"
        index = [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "crc32c"}]
        shards = {"chunk_shape": [2, 4], "codecs": [{"name": "bytes", "configuration": {"endian": "big"}}, {"name": "zstd"}],
                  "index_codecs": index, "index_location": "start"}
        codecs = [{"name": "transpose", "configuration": {"order": [1, 0]}},
                  {"name": "sharding_indexed", "configuration": shards}, {"name": "gzip"}]
        values = np.arange(12 * 10, dtype="<i2").reshape(12, 10)
        v3_writer.write(path, values, v3_writer.regular_grid([8, 6]), codecs, -1, random.Random(1))
        stored = sum(file.stat().st_size for file in (path / "c").rglob("*") if file.is_file())
        text = output_of("info", path)
        self.assertEqual(
            text,
            f"""\
short shards(12, 10)
chunk shape  (8, 6), 96 bytes (96 B)
chunks       4: 4 stored, 0 missing
stored       {stored} bytes ({stored} B), ratio {4 * 96 / stored:.3f}
type         int16 in Zarr 3, byte order big
axis order   (1, 0), the last lies fastest
codecs       gzip, of whole shards: each is read as a whole
inner chunks (4, 2), index at the start of each shard, index codecs crc32c
axis order   (1, 0), the last lies fastest
codecs       zstd
fill value   -1
""",
        )
        info = json.loads(output_of("info", path, "--json"))
        self.assertEqual((info["codecs"], info["axis_order"]), (["gzip"], [1, 0]))
        self.assertEqual(
            info["shards"],
            {"chunk_shape": [4, 2], "index_location": "start", "index_codecs": ["crc32c"], "axis_order": [1, 0],
             "codecs": ["zstd"], "shards": None},
        )
        self.assertEqual(output_of("read", path, "3, ::-3"), "[39 36 33 30]\n")

    def test_of_paths_that_end_in_other_ways(self):
        whole = output_of("info", self.pr)
        for path in [self.pr + "/", self.store + "//deep/pr", self.store + "/deep/./pr"]:
            self.assertEqual(output_of("info", path), whole)
        self.assertEqual(output_of("info", "pr", cwd=self.store + "/deep"), whole)
        self.assertEqual(output_of("info", ".", cwd=self.pr), whole)

    def test_of_a_store_that_is_one_array(self):
        path = root / "single.zarr"
        zarr.save_array(str(path), np.ones((2, 3), "i2"), compressor=None)
        self.assertTrue(output_of("info", path).startswith("short single(2, 3)\n"))

    def test_of_many_chunks(self):
        path = root / "huge.zarr"
        zarr.open_array(str(path), "w", shape=(2**40, 2**40), chunks=(1, 1), dtype="i2", compressor=None)
        self.assertIn("chunks       more than 2^63 - 1: 0 stored\n", output_of("info", path))
        self.assertIsNone(json.loads(output_of("info", path, "--json"))["chunks"])

    def test_of_a_store_by_netcdf(self):
        path = root / "netcdf.zarr"
        with netCDF4.Dataset(f"file://{path}#mode=nczarr,file", "w") as data:
            data.createDimension("time", 5)
            data.createDimension("x", 7)
            data.createVariable("pr", "<f4", ("time", "x"), chunksizes=(2, 3))[:] = np.ones((5, 7))
        self.assertIn("float pr(time=5, x=7)\n", output_of("info", path))
        self.assertIn("chunks       9: 9 stored, 0 missing\n", output_of("info", path / "pr"))


if __name__ == "__main__":
    unittest.main()
