"""What `slabwise read` gives is what numpy gives: elements, shapes and types, and the text of arrays."""

import io
import json
import tempfile
import unittest
import warnings
from pathlib import Path

import numpy as np
import zarr

import stores
from program import output_of, random_selection, run, seeded

directory = tempfile.TemporaryDirectory()
root = Path(directory.name)


def store_of(array, name, **options):
    """The path of a store that holds just this array."""
    path = str(root / f"{name}.zarr")
    made = zarr.open_array(
        zarr.DirectoryStore(path), "w", shape=array.shape, dtype=array.dtype, compressor=None, **options
    )
    made[...] = array
    return path


def native(array):
    return np.array(array, array.dtype.newbyteorder("="), order="C")


class RandomSelections(unittest.TestCase):
    def check(self, made, count):
        source = seeded(self.id())
        target = root / "out.npy"
        for turn in range(count):
            path = source.choice(sorted(made))
            array = made[path]
            text = random_selection(source, array.shape)
            expected = native(np.asarray(eval(f"array[{text}]"), array.dtype))
            shown = f"[{text}]" if turn % 2 else text
            with self.subTest(array=path, dtype=array.dtype, shape=array.shape, selection=shown):
                if turn % 4 == 0:
                    raw = output_of("read", path, shown, "--format", "raw", text=False)
                    self.assertEqual(raw, expected.tobytes())
                else:
                    output_of("read", path, shown, "--output", target, "--force")
                    result = np.load(target)
                    self.assertEqual((result.shape, result.dtype), (expected.shape, expected.dtype))
                    self.assertEqual(result.tobytes(), expected.tobytes())

    def test_of_stores_by_zarr_python(self):
        self.check(stores.by_zarr_python(root), 240)

    def test_of_stores_by_netcdf(self):
        self.check({**stores.by_netcdf(root, "zarr"), **stores.by_netcdf(root, "nczarr")}, 200)


class ZipArchives(unittest.TestCase):
    def test_read_as_the_directories_that_they_hold(self):
        array = np.arange(7 * 5, dtype="<i2").reshape(7, 5)
        for method in (0, 8):
            paths = []
            for store in (zarr.ZipStore(f"{root}/one{method}.zip", compression=method),
                          zarr.DirectoryStore(f"{root}/one{method}.zarr")):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of members of one name
                    group = zarr.open_group(store, "w")
                    group.attrs["first"] = 1
                    group.attrs["second"] = 2
                    made = group.create_dataset("deep/a", shape=(7, 5), chunks=(3, 4), dtype="<i2", fill_value=9)
                    made[:] = array
                    made[0, 0] = -1
                if isinstance(store, zarr.ZipStore):
                    store.close()
                paths.append(store.path)
            archive, tree = paths
            array[0, 0] = -1
            self.assertEqual(output_of("read", f"{archive}/deep/a", "::2,1:", "--format", "raw", text=False),
                             array[::2, 1:].tobytes())
            self.assertEqual(output_of("info", f"{archive}/deep/a"), output_of("info", f"{tree}/deep/a"))
            self.assertEqual(output_of("info", archive, "--json"), output_of("info", tree, "--json"))
            self.assertEqual(output_of("tree", archive).splitlines()[1:], output_of("tree", tree).splitlines()[1:])
            self.assertEqual(output_of("plan", f"{archive}/deep/a", "::2,1:"), output_of("plan", f"{tree}/deep/a", "::2,1:"))


class OtherSelections(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.array = stores.values((7, 5, 12), "i2")
        cls.path = store_of(cls.array, "named", chunks=(3, 2, 5))
        zarr.open_array(cls.path).attrs["_ARRAY_DIMENSIONS"] = ["time", "lat", "lon"]

    def check(self, expected, *arguments):
        raw = output_of("read", self.path, *arguments, "--format", "raw", text=False)
        self.assertEqual(raw, np.ascontiguousarray(expected).tobytes())

    def test_unpacked(self):
        # As netCDF4-python unpacks: stored * scale_factor + add_offset, masked where it is the fill value.
        packed = np.array([-300, 0, 2731, -32768, 5], "i2")
        for order in "<>":
            path = store_of(packed.astype(f"{order}i2"), f"packed{ord(order)}", chunks=(2,), fill_value=-32768)
            attributes = zarr.open_array(path).attrs
            attributes.put({"scale_factor": 0.1, "add_offset": 20.5})
            expected = np.where(packed == -32768, np.nan, packed * 0.1 + 20.5)
            output_of("read", path, "::-1", "--unpack", "--output", root / "unpacked.npy", "--force")
            np.testing.assert_array_equal(np.load(root / "unpacked.npy"), expected[::-1])
            self.assertEqual(output_of("read", path, ":", "--unpack", "--format", "csv").strip().split(",")[3], "nan")
            attributes.put({"scale_factor": 2, "_FillValue": 5})
            self.assertEqual(output_of("read", path, "2:", "--unpack"), "[  5462. -65536.     nan]\n")
            attributes.put({"scale_factor": "2"})
            done = run("read", path, ":", "--unpack")
            self.assertEqual(done.returncode, 1)
            self.assertIn('the attribute scale_factor is "2"; a number was expected', done.stderr)
        path = store_of(np.array([1.5, np.nan, 2], "f4"), "unpacked_f4", chunks=(3,), fill_value=2)
        self.assertEqual(output_of("read", path, ":", "--unpack"), "[1.5 nan nan]\n")
        done = run("read", store_of(np.array(["a"]), "unpacked_text", chunks=(1,)), ":", "--unpack")
        self.assertEqual((done.returncode, done.stderr), (2, "slabwise: --unpack: utf32x1 elements are no real numbers\n"))

    def test_of_text(self):
        for name, array in {
            "utf32": np.array(["a", "d\u00e9\u20ac\U0001f600", "it's", 'x"y', "\"'", "", "\\", "a\tb"]),
            "bytes": np.array([b"ab\xff", b"c\\", b"it's", b"'\"", b"", b"\n"]),
        }.items():
            path = store_of(array, name, chunks=(4,))
            self.assertEqual(output_of("read", path, ":"), f"{array}\n")
            text = json.loads(output_of("read", path, "::-1", "--format", "json"))
            self.assertEqual(text, [each if name == "utf32" else each.decode("latin1") for each in array[::-1].tolist()])
            done = run("read", path, ":", "--stats")
            self.assertEqual(done.returncode, 2)
            self.assertIn("elements are no numbers", done.stderr)

    def test_by_dimension_name(self):
        self.check(self.array[1:6:2, 4], "time=1:6:2,lat=4")
        self.check(self.array[:, :, ::-3], "[ lon = ::-3 ]")

    def test_start_count_stride(self):
        self.check(self.array[1:7:2, 0:5, 3:9:3], "--start", "1,0,3", "--count", "3,-1,2", "--stride", "2,1,3")
        self.check(self.array[:, :3, :], "--count", "-1,3,-1")
        self.check(self.array[::2, ::2, ::2], "--stride", "2,2,2")
        self.check(self.array[7:, :, :], "--start", "7,0,0")

    def test_that_begins_with_a_minus_sign(self):
        self.check(self.array[-3:], "-3:")
        self.check(self.array[-3], "-3")
        self.check(self.array[-3:, -1], "-3:,-1")

    def test_of_everything(self):
        for arguments in [(), ("",), ("[]",), ("...",), (":",), ("[:, ...]",), (":,",)]:
            self.check(self.array, *arguments)


class Printing(unittest.TestCase):
    def check(self, array, **options):
        path = store_of(array, "printed", **options)
        with self.subTest(dtype=array.dtype, shape=array.shape):
            self.assertEqual(output_of("read", path), str(array) + "\n")

    def test_as_numpy_does(self):
        source = np.random.default_rng(3)
        nan, inf = np.nan, np.inf
        for dtype in ["f2", "f4", "f8"]:
            for some in [
                [1, 2.5, -3],
                [1e-5, 1],
                [1e8, 1],
                [123456.789, 0.1],
                [0.1, 0.01, 1 / 3],
                [nan, 1.5],
                [inf, -inf],
                [nan],
                [-0.0, 0],
                [2.0**-6],
                [2.0**-24, 2.0**15],
                [65504, 60000.0],
                [1e-4, 0.05],
                [0.2] * 20,
                [16777216, 33333332],
                [0],
                [-1e-7, nan, 3],
            ]:
                with np.errstate(over="ignore"):
                    self.check(np.array(some, dtype))
            for value in [0.1, 1e-5, 1e4, -2.0, nan, -inf, 1 / 3]:
                self.check(np.array(value, dtype))
            self.check(source.normal(size=(3, 4, 5)).astype(dtype))
        for value in [1e15, 1e16, 123456789.125]:
            self.check(np.array(value))
        for dtype in ["c8", "c16"]:
            for some in [[1 + 2j], [nan, 1j], [complex(1, inf), -3.25], [1e9 + 1e-9j, 2], [-0.0 - 1j]]:
                self.check(np.array(some, dtype))
                self.check(np.array(some[0], dtype))
        for dtype in ["i1", "u1", "i2", "u4", "i8", "u8"]:
            lowest, highest = np.iinfo(dtype).min, np.iinfo(dtype).max
            self.check(np.array([[lowest, 1], [highest, 0]], dtype))
            self.check(np.array(highest, dtype))
        self.check(np.array([True, False]))
        self.check(np.array([True, True]))
        self.check(np.array(False))

    def test_of_every_half(self):
        halves = np.arange(2**16, dtype="u2").view("f2")
        halves = halves[np.isfinite(halves)]
        with np.errstate(over="ignore"):
            for first in range(0, halves.size, 1000):
                self.check(halves[first : first + 1000])
        for value in [5248, 10064, 49216, 2.0**-6, 2.0**-14, 2.0**-24, 65504]:
            self.check(np.array(value, "f2"))

    def test_of_long_and_empty_arrays(self):
        source = np.random.default_rng(4)
        for shape in [
            (1000,),
            (1001,),
            (10, 200),
            (3, 4, 100),
            (2, 3, 4, 50),
            (7, 7, 7, 7),
            (600, 2),
            (2, 600),
            (1, 1, 2000),
            (0,),
            (3, 0),
            (2, 0, 5),
            (6, 6, 30),
            (40,),
        ]:
            for dtype in ["i4", "f4", "c8"]:
                array = (source.normal(size=shape) * 1000).astype(dtype)
                self.check(array, chunks=tuple(max(1, (extent + 2) // 3) for extent in shape))

    def test_of_a_summary_without_some_axes(self):
        array = stores.values((9, 40, 3, 50), "f4")
        path = store_of(array, "dropped", chunks=(2, 7, 2, 20))
        for text in ["5, :, 1", "::-1, 3", "..., -1", "1:8:6, ::-2, 0, 3:", "4, 5, 1"]:
            self.assertEqual(output_of("read", path, text), f"{eval(f'array[{text}]')}\n")

    def test_of_a_summary_reads_only_the_corners(self):
        array = np.arange(40000, dtype="i4").reshape(200, 200)
        path = store_of(array, "corners", chunks=(10, 10))
        (Path(path) / "10.10").write_bytes(b"damaged")
        self.assertEqual(output_of("read", path), str(array) + "\n")
        self.assertEqual(output_of("read", path, "::-1, ::3"), str(array[::-1, ::3]) + "\n")
        self.assertEqual(run("read", path, "--stats").returncode, 1)


class Formats(unittest.TestCase):
    def test_npy_of_each_type_and_shape(self):
        for dtype in stores.TYPES:
            for shape in [(), (3,), (2, 3), (0,), (4, 0)]:
                array = stores.values(shape, dtype)
                path = store_of(array, "typed")
                target = root / "typed.npy"
                output_of("read", path, "--output", target, "--force")
                result = np.load(target)
                self.assertEqual((result.dtype, result.shape, result.tobytes()), (array.dtype, shape, array.tobytes()))
                self.assertTrue(result.flags["C_CONTIGUOUS"])
                piped = np.load(io.BytesIO(output_of("read", path, "--format", "npy", text=False)))
                self.assertEqual((piped.dtype, piped.shape, piped.tobytes()), (array.dtype, shape, array.tobytes()))

    def test_json(self):
        array = np.array([[[1.5, -2], [np.nan, np.inf]], [[-np.inf, 0.1], [1e20, 3]]])
        text = output_of("read", store_of(array, "json"), "--format", "json")
        self.assertEqual(json.loads(text), [[[1.5, -2], ["NaN", "Infinity"]], [["-Infinity", 0.1], [1e20, 3]]])
        for some in [
            np.array([True, False]),
            np.array(7, "i8"),
            np.zeros((2, 0, 3), "i4"),
            np.zeros((0, 3), "i4"),
            np.arange(2**64 - 5, 2**64 - 1, dtype="u8"),
        ]:
            self.assertEqual(json.loads(output_of("read", store_of(some, "json"), "--format", "json")), some.tolist())
        text = output_of("read", store_of(np.array([1 + 2j]), "json"), "--format", "json")
        self.assertEqual(json.loads(text), [[1, 2]])

    def test_csv(self):
        array = stores.values((4, 3, 5), "f4")
        text = output_of("read", store_of(array, "csv"), "--format", "csv")
        np.testing.assert_array_equal(np.loadtxt(io.StringIO(text), delimiter=",", dtype="f4"), array.reshape(12, 5))
        self.assertEqual(output_of("read", store_of(np.array(5, "i2"), "csv"), "--format", "csv"), "5\n")
        self.assertEqual(output_of("read", store_of(np.zeros((3, 0)), "csv"), "--format", "csv"), "")

    def test_files_of_other_formats(self):
        array = stores.values((4, 3), "i4")
        path = store_of(array, "files")
        for form in ["csv", "json", "raw", "npy"]:
            target = root / f"file.{form}"
            self.assertEqual(output_of("read", path, "--format", form, "--output", target), "")
            self.assertEqual(target.read_bytes(), output_of("read", path, "--format", form, text=False))

    def test_many_blocks(self):
        array = np.arange(20_000_000, dtype="i4").reshape(20, 1000, 1000)
        path = store_of(array, "large", chunks=(3, 1000, 1000))
        self.assertEqual(output_of("read", path, "1:, ::-1", "--format", "raw", text=False), array[1:, ::-1].tobytes())
        sparse = array[0:1, ::-7, 3]
        self.assertEqual(output_of("read", path, "0:1, ::-7, 3", "--format", "raw", text=False), sparse.tobytes())


class Stats(unittest.TestCase):
    def fields(self, text):
        return dict(line.split(None, 1) for line in text.splitlines())

    def test_of_each_kind(self):
        for array in [
            stores.values((30, 20), "f4"),
            stores.values((30, 20), "i8") - 60,
            np.array([2**63, 2**64 - 1], "u8"),
            np.array([True, False, True]),
        ]:
            chunks = tuple((extent + 1) // 2 for extent in array.shape)
            done = run("read", store_of(array, "stats", chunks=chunks), "--format", "raw", "--stats", text=False)
            self.assertEqual(done.stdout, array.tobytes())
            fields = self.fields(done.stderr.decode())
            self.assertEqual(fields["chunks"], f"{2 ** array.ndim} (0 missing)")
            self.assertEqual(int(fields["bytes"]), array.nbytes)
            self.assertGreaterEqual(float(fields["seconds"]), 0)
            as_type = np.uint64 if array.dtype == "u8" else np.int64 if array.dtype.kind == "b" else array.dtype.type
            self.assertEqual((as_type(fields["min"]), as_type(fields["max"])), (array.min(), array.max()))
            self.assertAlmostEqual(float(fields["mean"]) / float(array.mean(dtype="f8")), 1, 12)

    def test_leave_out_what_is_no_number(self):
        array = np.array([np.nan, 1, 3, np.nan])
        fields = self.fields(output_of("read", store_of(array, "nan"), "--stats", "--output", root / "nan.npy"))
        self.assertEqual((fields["min"], fields["max"], fields["mean"], fields["nan"]), ("1.0", "3.0", "2.0", "2"))

    def test_of_complex_numbers_and_of_nothing(self):
        text = output_of("read", store_of(np.array([1 + 2j, 3 - 4j]), "complex"), "--stats")
        self.assertIn("mean     (2-1j)\n", text)
        self.assertNotIn("min", text)
        self.assertTrue(
            output_of("read", store_of(np.zeros(0), "none"), "--stats").startswith(
                "[]\nchunks   0 (0 missing)\nbytes    0\n"
            )
        )

    def test_count_missing_chunks(self):
        path = store_of(np.arange(10), "missing", chunks=3, fill_value=7)
        (Path(path) / "1").unlink()
        text = output_of("read", path, "--stats")
        self.assertIn("[0 1 2 7 7 7 6 7 8 9]\nchunks   4 (1 missing)\n", text)


if __name__ == "__main__":
    unittest.main()
