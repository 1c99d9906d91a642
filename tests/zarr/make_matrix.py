"""make_matrix.py DIRECTORY SEED  writes arrays by zarr-python, every type with every codec, and cases.json with reads of
each: slices and the SHA-256 of the values that numpy gives for them, little-endian."""

import hashlib
import itertools
import json
import random
import sys
from pathlib import Path

import numcodecs
import numpy as np
import v3_writer
import zarr

numcodecs.blosc.set_nthreads(1)
root = Path(sys.argv[1])
draw = random.Random(int(sys.argv[2]))
TYPES = ["|b1", "|i1", "|u1", "<i2", ">u2", ">i4", "<u4", "<i8", ">u8", "<f2", ">f2", "<f4", ">f4", ">f8", "<c8", ">c16",
         "<M8[s]", ">m8[ms]", "|S7", "<U3", ">U3", "|V5", [("a", "|u1"), ("b", [("x", "<f4"), ("y", ">i2")])]]
# Shape and chunk shape: edge chunks, a chunk longer than its axis, axes of 1, ranks 0 to 5.
SHAPES = [((23, 9, 11), (5, 9, 4)), ((), ()), ((50,), (7,)), ((9,), (20,)), ((6, 1), (4, 1)), ((13, 31), (4, 8)),
          ((7, 1, 10), (3, 1, 16)), ((4, 5, 3, 6), (3, 2, 2, 4)), ((2, 3, 1, 4, 5), (2, 2, 1, 3, 2))]
COMPRESSORS = [None, numcodecs.GZip(1), numcodecs.Zlib(1), numcodecs.Zstd(1), numcodecs.LZ4(), numcodecs.BZ2(1),
               numcodecs.LZMA(preset=1), numcodecs.Blosc("blosclz", 5, 1), numcodecs.Blosc("lz4", 5, 2),
               numcodecs.Blosc("lz4hc", 5, 0), numcodecs.Blosc("snappy", 5, 1), numcodecs.Blosc("zlib", 1, 2),
               numcodecs.Blosc("zstd", 1, 1)]
SELECTIONS = 30


def values_of(shape, dtype):
    size = int(np.prod(shape)) * dtype.itemsize
    if dtype.kind == "b":
        return np.frombuffer(bytes(draw.randrange(2) for _ in range(size)), dtype).reshape(shape)
    if dtype.kind in "SU":
        words = ["", "a", "bc", "def" if dtype.kind == "S" else "d\u00e9\u20ac"]
        return np.array([draw.choice(words) for _ in range(int(np.prod(shape)))], dtype).reshape(shape)
    if dtype.kind in "fc":
        raw = np.array([draw.gauss(3, 40) for _ in range(2 * int(np.prod(shape)))])
        return (raw[::2] + (1j * raw[1::2] if dtype.kind == "c" else 0)).astype(dtype).reshape(shape)
    return np.frombuffer(bytes(draw.randrange(1, 128) for _ in range(size)), dtype).reshape(shape)


def filters_of(dtype):
    """A list of filters that the type can have, or none."""
    size = dtype.itemsize
    lists = [[], [], [numcodecs.Shuffle(size)], [numcodecs.CRC32()], [numcodecs.Shuffle(size), numcodecs.Adler32()]]
    plain = dtype.newbyteorder("<")
    if dtype.kind in "iu" and dtype.isnative:
        lists += [[numcodecs.Delta(dtype)], [numcodecs.Delta(dtype), numcodecs.Shuffle(size)],
                  [numcodecs.AsType("<i8" if dtype.kind == "i" else "<u8", dtype)]]
    if dtype.kind == "f" and dtype.isnative and size > 2:
        lists += [[numcodecs.FixedScaleOffset(offset=-3, scale=10, dtype=plain, astype="<i4")],
                  [numcodecs.Quantize(2, plain)], [numcodecs.BitRound(5)], [numcodecs.AsType("<f8", plain)]]
    if dtype.kind == "b":
        lists += [[numcodecs.PackBits()]] * 2
    return draw.choice(lists)


def little(values):
    """The bytes with each number little-endian; of structures as they are stored."""
    values = np.ascontiguousarray(values)
    return (values if values.dtype.kind == "V" else values.astype(values.dtype.newbyteorder("<"))).tobytes()


cases = []
shapes = itertools.cycle(SHAPES)
for number, (dtype, compressor) in enumerate(itertools.product(map(np.dtype, TYPES), COMPRESSORS)):
    shape, chunks = next(shapes)
    path = f"a{number}"
    values = values_of(shape, dtype)
    fill = (0 if dtype.kind == "V" else values.flat[0]) if number % 2 else None
    store = zarr.DirectoryStore(root / path, dimension_separator=draw.choice("./"))
    array = zarr.create(shape, chunks=chunks or None, dtype=dtype, compressor=compressor, filters=filters_of(dtype) or None,
                        order=draw.choice("CF"), fill_value=fill, store=store, write_empty_chunks=False)
    array[...] = values
    # What zarr-python reads: lossy filters change values.
    values = np.asarray(array[...], dtype).reshape(shape)
    reads = []
    for i in range(SELECTIONS if shape else 1):
        slices = v3_writer.drawn_slices(draw, shape) if i else [[0, extent, 1] for extent in shape]
        selected = values[(*v3_writer.numpy_slices(slices), ...)]  # an array at rank 0 too
        reads.append({"name": str(slices), "slices": slices, "sha256": hashlib.sha256(little(selected)).hexdigest()})
    cases.append({"path": path, "metadata": json.loads((root / path / ".zarray").read_text()), "reads": reads})
(root / "cases.json").write_text(json.dumps(cases))
