"""Every error is one line on stderr that names what is wrong, with the exit code of its kind."""

import json
import os
import tempfile
import unittest
from pathlib import Path

import numcodecs
import numpy as np
import zarr

from program import output_of, run

directory = tempfile.TemporaryDirectory()
root = Path(directory.name)


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.store = str(root / "s.zarr")
        group = zarr.open_group(zarr.DirectoryStore(cls.store), "w")
        array = group.create_dataset(
            "pr", shape=(100, 30, 50), chunks=(10, 10, 10), dtype="f4", compressor=numcodecs.GZip(1)
        )
        array[...] = 1
        array.attrs["_ARRAY_DIMENSIONS"] = ["time", "lat", "lon"]
        group.create_dataset("bare", data=np.arange(5), compressor=None)
        group.create_dataset("strange", data=np.arange(5), compressor=numcodecs.Blosc())
        metadata = Path(cls.store, "strange/.zarray")
        metadata.write_text(metadata.read_text().replace("blosc", "pcodec"))
        group.create_dataset("nine", shape=(1,) * 9, chunks=(1,) * 9, dtype="i2", compressor=None)
        cls.pr = cls.store + "/pr"

    def check(self, code, sentence, *arguments):
        with self.subTest(arguments=arguments):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stderr, done.stdout), (code, f"slabwise: {sentence}\n", ""))

    def test_instruction_sets(self):
        # Told before a chunk is read: all of this store's are broken.
        path = root / "broken.zarr"
        array = zarr.open_array(zarr.DirectoryStore(path), "w", shape=4, chunks=2, dtype="i2", compressor=None)
        array[...] = 1
        for chunk in ["0", "1"]:
            (path / chunk).write_bytes(b"x")
        done = run("read", path, ":", env=os.environ | {"SLABWISE_SIMD": "avx3"})
        sentence = 'SLABWISE_SIMD: "avx3" is none of scalar, vector128, xsimd, avx2, avx512'
        self.assertEqual((done.returncode, done.stderr, done.stdout), (2, f"slabwise: {sentence}\n", ""))

    def test_selections(self):
        for text, sentence in [
            ("100", "axis 0 (time): index 100 is out of bounds for extent 100"),
            ("-101", "axis 0 (time): index -101 is out of bounds for extent 100"),
            ("0, 30, 0", "axis 1 (lat): index 30 is out of bounds for extent 30"),
            ("..., 99999999999999999999", "axis 2 (lon): index 99999999999999999999 is out of bounds for extent 50"),
            ("lat=-31", "axis 1 (lat): index -31 is out of bounds for extent 30"),
            ("::0", "axis 0 (time): stride 0 in '::0'; a stride is at least 1 or at most -1"),
            ("0, 1:5:0", "axis 1 (lat): stride 0 in '1:5:0'; a stride is at least 1 or at most -1"),
            ("None", "None would add an axis; only axes of the array can be selected from"),
            ("0, np.newaxis, 1", "np.newaxis would add an axis; only axes of the array can be selected from"),
            ("0, newaxis, 1", "newaxis would add an axis; only axes of the array can be selected from"),
            ("1, 2, 3, 4", "the selection has 4 axes, the array has 3"),
            ("..., :, :, :, :", "the selection has 4 axes, the array has 3"),
            ("..., 0, ...", "a selection has at most one '...'"),
            ("1.5", "axis 0 (time): '1.5' is neither an integer nor first:stop:stride"),
            ("1:2:3:4", "axis 0 (time): '1:2:3:4' is neither an integer nor first:stop:stride"),
            ("1:x", "axis 0 (time): 'x' in '1:x' is not an integer"),
            ("0,,1", "axis 1 (lat): '' is neither an integer nor first:stop:stride"),
            ("0x10", "axis 0 (time): '0x10' is neither an integer nor first:stop:stride"),
            ("[1, 2", "axis 0 (time): '[1' is neither an integer nor first:stop:stride"),
            ("\x1b[31m\n", "axis 0 (time): '?[31m' is neither an integer nor first:stop:stride"),
            ("depth=3", "'depth' names no dimension of the array: they are time, lat, lon"),
            ("=3", "'' names no dimension of the array: they are time, lat, lon"),
            ("time=3, 4", "'4' has no dimension name, the other axes have"),
            ("time=3, time=4", "axis 0 (time) is selected twice"),
        ]:
            self.check(2, sentence, "read", self.pr, text)
            self.check(2, sentence, "plan", self.pr, text)
        self.check(2, "'x' names no dimension of the array: none has a name", "read", self.store + "/bare", "x=1")
        self.check(2, "axis 0: index 5 is out of bounds for extent 5", "read", self.store + "/bare", "5")
        twice = root / "twice.zarr"
        array = zarr.open_array(str(twice), "w", shape=(2, 3, 4, 5), chunks=(2, 3, 4, 5), dtype="i2", compressor=None)
        for names, sentence in [
            (["y", "x", "z", "x"], "axis name 'x' is ambiguous: axes 1 and 3 have it"),
            (["x", "x", "y", "x"], "axis name 'x' is ambiguous: axes 0, 1 and 3 have it"),
        ]:
            array.attrs["_ARRAY_DIMENSIONS"] = names
            self.check(2, sentence, "read", twice, "x=1")
            self.assertEqual(run("plan", twice, "y=1").returncode, 0)

    def test_hyperslabs(self):
        for arguments, sentence in [
            (["--start", "0,1"], "--start has 2 axes, the array has 3"),
            (["--count", "1,1,1,1"], "--count has 4 axes, the array has 3"),
            (["--start", "0,31,0"], "axis 1 (lat): --start 31 is out of bounds for extent 30"),
            (["--start", "-1,0,0"], "axis 0 (time): --start -1 is out of bounds for extent 100"),
            (
                ["--start", "90,0,0", "--count", "6,1,1", "--stride", "2,1,1"],
                "axis 0 (time): --count 6 is out of bounds: 5 fit from 90 on by 2 in extent 100",
            ),
            (["--count", "1,-2,1"], "axis 1 (lat): --count -2 is out of bounds: 30 fit from 0 on by 1 in extent 30"),
            (["--stride", "1,1,0"], "axis 2 (lon): --stride 0 is below 1"),
            (["--stride", "1,-1,1"], "axis 1 (lat): --stride -1 is below 1"),
            (["--start", "a,0,0"], "--start: 'a' is not an integer"),
            (["--start", "9223372036854775808,0,0"], "--start: 9223372036854775808 does not fit 64 bits"),
            (["0:5", "--start", "0,0,0"], "a SELECTION and --start, --count, --stride exclude each other"),
        ]:
            self.check(2, sentence, "read", self.pr, *arguments)

    def test_usage(self):
        self.check(2, "A subcommand is required")
        self.check(2, "'copy' is none of the commands info, tree, plan, read", "copy", "x")
        self.check(2, "STORE[/PATH] is required", "read")
        self.check(2, "STORE[/PATH] is required", "info")
        self.check(2, "The following argument was not expected: extra", "read", self.pr, "0", "extra")
        self.check(2, "The following argument was not expected: --bogus", "read", self.pr, "--bogus")
        self.check(2, "a plan needs a STORE, or --shape and --chunks", "plan")
        self.check(2, "a plan needs a STORE, or --shape and --chunks", "plan", "--shape", "5", "0")
        self.check(2, "--shape and --chunks are for a plan without a STORE", "plan", self.pr, "--chunks", "5")
        self.check(2, "--shape and --chunks are for a plan without a STORE", "plan", self.pr, "0", "--shape", "5")
        self.check(2, "--type is for a plan without a STORE", "plan", self.pr, "--type", "f4")
        self.check(2, "--shape has 2 axes, --chunks has 1", "plan", "--shape", "5,5", "--chunks", "5")
        self.check(2, "axis 1: --shape -5 is below 0", "plan", "--shape", "5,-5", "--chunks", "5,5")
        self.check(2, "axis 0: --chunks 0 is below 1", "plan", "--shape", "5", "--chunks", "0")
        self.check(
            2,
            "--type: 'f5' is none of b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, c8, c16",
            "plan",
            "--shape",
            "5",
            "--chunks",
            "5",
            "--type",
            "f5",
        )
        self.check(
            2,
            "rank 9 is above the highest supported one, 8",
            "plan",
            "--shape",
            "1,1,1,1,1,1,1,1,1",
            "--chunks",
            "1,1,1,1,1,1,1,1,1",
        )
        self.check(2, "rank 9 is above the highest supported one, 8", "read", self.store + "/nine")
        self.check(2, "--limit -1 is below 0", "plan", self.pr, "--limit", "-1")
        self.check(2, "Could not convert: --limit = many", "plan", self.pr, "--limit", "many")
        self.check(2, "--at is for --svg", "plan", self.pr, "--at", "1")
        self.check(2, "--at has 2 axes, but the drawing leaves out 1", "plan", self.pr, "--svg", root / "x.svg", "--at", "1,2")
        self.check(
            2,
            "axis 0 (time): --at 100 is out of bounds for extent 100",
            "plan",
            self.pr,
            "--svg",
            root / "x.svg",
            "--at",
            "100",
        )
        self.check(2, "--format: 'xls' is none of npy, csv, raw, json", "read", self.pr, "--format", "xls")
        self.check(
            2,
            "--output x.csv: a NumPy file ends in .npy; --format names another format",
            "read",
            self.pr,
            "--output",
            "x.csv",
        )
        self.check(2, "--force is for --output", "read", self.pr, "--force")
        for form in [(), ("--format", "npy"), ("--format", "csv")]:
            self.check(2, "--output: the name of the file is empty", "read", root / "void", "--output", "", *form)
        self.check(2, "--svg: the name of the file is empty", "plan", root / "void", "--svg", "")

    def test_data_that_is_not_there(self):
        self.check(
            1,
            f"{self.store}: nope/deep: no Zarr array is there; looked for .zarray and zarr.json",
            "read",
            self.store + "/nope/deep",
        )
        self.check(
            1,
            f"{self.store}: nope: no Zarr array is there; looked for .zarray and zarr.json",
            "info",
            self.store + "/nope",
        )
        self.check(1, f"{self.store}: .zgroup: is a group; an array was expected", "read", self.store)
        for command in ["info", "plan", "read"]:
            self.check(
                1,
                f"{root}/void/x: no Zarr store is there; "
                "looked for .zarray, .zgroup, zarr.json and .zmetadata in each part of the path, and for a file *.zip",
                command,
                root / "void/x",
            )

    def test_data_that_cannot_be_read(self):
        self.check(
            1,
            f'{self.store}/strange: .zarray: the compressor "pcodec" is not supported; supported are adler32, astype, bitround, '
            "blosc, bz2, crc32, crc32c, delta, fixedscaleoffset, fletcher32, gzip, lz4, lzma, packbits, quantize, shuffle, "
            "zlib, zstd",
            "read",
            self.store + "/strange",
        )
        damaged = Path(self.store) / "bare2"
        zarr.open_array(str(damaged), "w", shape=10, chunks=5, dtype="i2", compressor=None)[:] = 1
        (damaged / "1").write_bytes(b"123")
        self.check(1, f"{damaged}: 1: the chunk has 3 bytes, 10 expected", "read", damaged)
        self.assertEqual(output_of("read", damaged, ":5"), "[1 1 1 1 1]\n")
        (damaged / ".zarray").write_text("{")
        self.check(1, f"{damaged}: .zarray: is not valid JSON, at byte 2", "read", damaged)

    def test_names_from_files_do_not_reach_the_terminal_raw(self):
        path = root / "hostile.zarr"
        array = zarr.open_array(str(path), "w", shape=(3, 4), chunks=(3, 4), dtype="i2", compressor=None)
        hostile = "\x1b]0;title\x07\u202e\u0085"
        array.attrs.put({"_ARRAY_DIMENSIONS": [hostile, "x"], hostile: hostile})
        for arguments in [
            ("info", path),
            ("info", path, "--json"),
            ("plan", path),
            ("plan", path, "--json"),
            ("plan", path, f"{hostile}=9"),
            ("read", path, "nope=3"),
        ]:
            done = run(*arguments)
            said = done.stdout + done.stderr
            self.assertFalse(
                [
                    character
                    for character in said
                    if character in hostile and not character.isascii() or (character < " " and character != "\n")
                ],
                said,
            )

    def test_help_is_good_and_short(self):
        for arguments in [("--help",), ("info", "--help"), ("plan", "--help"), ("read", "--help")]:
            text = output_of(*arguments)
            self.assertIn("Usage: slabwise", text)
            self.assertLess(text.count("\n"), 40)
            self.assertLess(max(map(len, text.splitlines())), 110)
        self.assertRegex(output_of("--version"), r"^slabwise \d+\.\d+\.\d+\n$")


if __name__ == "__main__":
    unittest.main()
