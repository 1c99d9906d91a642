"""Writes Zarr stores and what they hold.

make_stores.py DIRECTORY  writes the stores, and cases.json: for each array its path, shape, type, number of stored
chunks and a file with all its elements in C order, little-endian.

Version 2 is written by zarr-python and netCDF-C, version 3 by the lines below, after the specification.
"""

import gzip
import itertools
import json
import os
import sys
import warnings
import zlib
from pathlib import Path

os.environ["ZARR_V3_EXPERIMENTAL_API"] = "1"
import netCDF4
import numcodecs
import numpy as np
import zarr

root = Path(sys.argv[1])
cases = []


def record(path, values, stored, **more):
    name = f"{len(cases)}.expected"
    little = np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<"))
    (root / name).write_bytes(little.tobytes())
    cases.append({"path": path, "shape": list(values.shape), "kind": values.dtype.kind, "size": values.dtype.itemsize,
                  "stored": stored, "expected": name, **more})


def sample(shape, dtype, seed):
    random = np.random.default_rng(seed)
    raw = random.integers(1, 256, int(np.prod(shape)) * dtype.itemsize, dtype=np.uint8).tobytes()
    values = np.frombuffer(raw, dtype).reshape(shape).copy()
    if dtype.kind == "b":
        values = (random.integers(0, 2, shape) == 1).astype(dtype)
    if dtype.kind in "fc":
        values = random.normal(size=shape).astype(dtype)
        if dtype.kind == "c":
            values += (1j * random.normal(size=shape)).astype(dtype)
    return values


TYPES = ["|b1", "|i1", "|u1", "<i2", ">i2", "<u2", ">u2", "<i4", ">i4", "<u4", ">u4", "<i8", ">i8", "<u8", ">u8",
         "<f2", ">f2", "<f4", ">f4", "<f8", ">f8", "<c8", ">c8", "<c16", ">c16", "<M8[s]", ">m8[ms]"]
SHAPES = [((7, 5, 11), (3, 5, 4)), ((23,), (4,)), ((4, 9), (4, 9)), ((1, 6, 2, 5), (2, 4, 1, 3)), ((), ())]
FILLS = {"b": [True, False], "i": [-7, 0], "u": [200, 0], "f": [float("nan"), float("inf"), float("-inf"), -0.0, 1.5],
         "c": [complex(1.5, float("-inf")), 0], "M": [12345, 0], "m": [-3, 0]}
COMPRESSORS = [None, numcodecs.GZip(6), numcodecs.Zlib(1)]


def version_2():
    group = zarr.open_group(str(root / "v2.zarr"), mode="w")
    group.attrs["title"] = "many types"
    options = itertools.cycle(itertools.product(SHAPES, COMPRESSORS, [".", "/"]))
    for number, name in enumerate(TYPES * 3):
        dtype = np.dtype(name)
        (shape, chunks), compressor, separator = next(options)
        fills = FILLS[dtype.kind]
        fill = np.array(fills[number % len(fills)]).astype(dtype)[()]
        path = f"v2.zarr/sub{number % 2}/a{number}"
        array = zarr.create(shape, chunks=chunks or None, dtype=dtype, compressor=compressor, fill_value=fill,
                            store=zarr.DirectoryStore(str(root / path), dimension_separator=separator),
                            overwrite=True, write_empty_chunks=False)
        values = sample(shape, dtype, number)
        if shape and number % 3 == 0:
            values[: chunks[0]] = fill  # chunks that stay absent
        array[...] = values
        stored = sum(f.is_file() and f.name[0] != "." for f in (root / path).rglob("*"))
        record(path, array[...] if shape else np.array(array[()], dtype), stored)
    for sub in ["sub0", "sub1"]:
        (root / "v2.zarr" / sub / ".zgroup").write_text('{"zarr_format": 2}')
    zarr.create((5, 3), chunks=(2, 2), dtype="<i4", fill_value=None, compressor=None,
                store=zarr.DirectoryStore(str(root / "v2.zarr/no_fill")))
    record("v2.zarr/no_fill", np.zeros((5, 3), "<i4"), 0)


def version_3():
    names = {"b1": "bool", "c8": "complex64", "c16": "complex128"}
    names |= {f"{k}{s}": f"{ {'i': 'int', 'u': 'uint', 'f': 'float'}[k]}{8 * s}" for k in "iuf" for s in (1, 2, 4, 8)}
    encoders = [([], lambda b: b), ([{"name": "gzip", "configuration": {"level": 5}}], gzip.compress),
                ([{"name": "numcodecs.zlib", "configuration": {"level": 1}}], zlib.compress),
                ([{"name": "gzip", "configuration": {"level": 1}}, {"name": "zlib"}],
                 lambda b: zlib.compress(gzip.compress(b)))]
    encodings = [({"name": "default", "configuration": {"separator": "/"}}, lambda c: "/".join(["c", *map(str, c)])),
                 ({"name": "default"}, lambda c: "/".join(["c", *map(str, c)])),
                 ("default", lambda c: "/".join(["c", *map(str, c)])),
                 ({"name": "default", "configuration": {"separator": "."}}, lambda c: ".".join(["c", *map(str, c)])),
                 ({"name": "v2"}, lambda c: ".".join(map(str, c)) or "0"),
                 ({"name": "v2", "configuration": {"separator": "/"}}, lambda c: "/".join(map(str, c)) or "0")]
    fills = {"b": [(True, True), (False, False)], "i": [(-7, -7)], "u": [(200, 200)],
             "f": [("NaN", np.nan), ("-Infinity", -np.inf), (1.5, 1.5), (0, 0)], "c": [([1.5, "Infinity"], complex(1.5, np.inf))]}
    (root / "v3.zarr/deep").mkdir(parents=True)
    (root / "v3.zarr/zarr.json").write_text(json.dumps(
        {"zarr_format": 3, "node_type": "group", "attributes": {"title": "many types"}}))
    (root / "v3.zarr/deep/zarr.json").write_text(json.dumps({"zarr_format": 3, "node_type": "group"}))
    options = itertools.cycle(itertools.product(SHAPES, encodings, encoders))
    for number, name in enumerate([t for t in TYPES if t[1] not in "mM"] * 4):
        dtype = np.dtype(name)
        (shape, chunks), (key_encoding, key_of), (codecs, encode) = next(options)
        stored_fill, fill = fills[dtype.kind][number % len(fills[dtype.kind])]
        endian = {"configuration": {"endian": "big" if name[0] == ">" else "little"}} if dtype.itemsize > 1 else {}
        path = f"v3.zarr/deep/a{number}"
        (root / path).mkdir()
        names_of_axes = [None if axis == 1 else f"axis{axis}" for axis in range(len(shape))]
        (root / path / "zarr.json").write_text(json.dumps({
            "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": names[name[1:]],
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
            "chunk_key_encoding": key_encoding, "fill_value": stored_fill,
            "codecs": [{"name": "bytes", **endian}, *codecs], "attributes": {"number": number},
            "dimension_names": names_of_axes, "novelty": {"name": "x", "must_understand": False}}))
        values = sample(shape, dtype, number)
        stored = 0
        for coord in itertools.product(*(range(-(-e // c)) for e, c in zip(shape, chunks))):
            part = tuple(slice(i * c, (i + 1) * c) for i, c in zip(coord, chunks))
            if sum(coord) % 3 == 1:
                values[part] = fill
                continue
            chunk = np.full(chunks, 99, dtype)
            chunk[tuple(slice(0, n) for n in values[part].shape)] = values[part]
            file = root / path / key_of(coord)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encode(chunk.tobytes()))
            stored += 1
        record(path, values, stored, dimension_names=names_of_axes)


def netcdf():
    """Written by netCDF-C in its own flavour of version 2."""
    with netCDF4.Dataset(f"file://{root}/netcdf.zarr#mode=nczarr,file", "w") as dataset:
        dataset.createDimension("time", 5)
        dataset.createDimension("x", 7)
        variable = dataset.createVariable("pr", "<f4", ("time", "x"), chunksizes=(2, 3), fill_value=-9.0)
        values = np.arange(1, 36, dtype="<f4").reshape(5, 7)
        variable[:] = values
        variable.units = "mm"
        dataset.createVariable("scalar", "<i4", ())[...] = 7
    record("netcdf.zarr/pr", values, 9, dimension_names=["time", "x"])
    record("netcdf.zarr/scalar", np.array([7], "<i4"), 1)


def draft():
    """The early draft of version 3 that zarr-python 2 writes."""
    store = zarr.DirectoryStoreV3(str(root / "draft.zr3"))
    zarr.create((4,), chunks=(2,), store=store, path="a", zarr_version=3)[:] = 1


root.mkdir(parents=True, exist_ok=True)
warnings.simplefilter("ignore")
version_2()
version_3()
netcdf()
draft()
(root / "cases.json").write_text(json.dumps(cases))
