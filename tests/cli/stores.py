"""Zarr stores for the tests of the program, by zarr-python and netCDF-C, and what they hold."""

import itertools

import netCDF4
import numcodecs
import numpy as np
import zarr

TEXTS = ["S4", "U3"]
TYPES = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16", "b1"]
# Shape and chunk shape: edge chunks, chunks longer than their axis, axes of length 1, rank 0 to 5.
GRIDS = [
    ((), ()),
    ((50,), (7,)),
    ((9,), (20,)),
    ((6, 1), (4, 1)),
    ((13, 11), (4, 3)),
    ((5, 12, 9), (2, 12, 4)),
    ((7, 1, 10), (3, 1, 16)),
    ((4, 5, 3, 6), (3, 2, 2, 4)),
    ((2, 3, 1, 4, 5), (2, 2, 1, 3, 2)),
]
CODECS = [None, numcodecs.GZip(1), numcodecs.Zlib(1), numcodecs.Zstd(1), numcodecs.Blosc("lz4"), numcodecs.LZ4()]


def values(shape, dtype, seed=0):
    """Random elements of a type, without zeros."""
    source = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind in "SU":
        return source.choice(["a", "bc", "it's", 'x"y', "\\"], shape).astype(dtype)
    if kind == "b":
        return source.integers(0, 2, shape).astype(dtype)
    if kind in "iu":
        return source.integers(1, 127, shape).astype(dtype)
    real = source.normal(3, 40, shape)
    return (real + 1j * source.normal(0, 7, shape)).astype(dtype) if kind == "c" else real.astype(dtype)


def by_zarr_python(directory):
    """{path: array}: every type with every grid; codecs, byte orders and separators take turns."""
    store = f"{directory}/python.zarr"
    group = zarr.open_group(zarr.DirectoryStore(store), "w")
    turns = itertools.cycle(itertools.product(CODECS, "<>", "./", "CF"))
    made = {}
    for number, (dtype, (shape, chunks)) in enumerate(itertools.product(TYPES + TEXTS, GRIDS)):
        codec, byte_order, separator, order = next(turns)
        name = f"a{number}"
        stored_type = (byte_order if np.dtype(dtype).itemsize > 1 and dtype[0] != "S" else "|") + dtype
        array = group.create_dataset(
            name,
            shape=shape,
            chunks=chunks,
            dtype=stored_type,
            compressor=codec,
            order=order,
            dimension_separator=separator,
            fill_value="f" if dtype in TEXTS else 1,
        )
        array[...] = values(shape, dtype, number)
        if number % 3 == 0 and shape:  # some chunks stay away
            expected = np.array(array[...])
            for key in sorted(group.store.listdir(name)):
                if key.startswith("0") and separator == ".":
                    del group.store[f"{name}/{key}"]
            assert np.any(array[...] != expected) or separator == "/" or dtype == "b1"
        made[f"{store}/{name}"] = np.array(array[...])
    return made


def by_netcdf(directory, mode):
    """The same for variables that netCDF-C writes, raw and in its default byte order."""
    store = f"{directory}/{mode}.zarr"
    made = {}
    with netCDF4.Dataset(f"file://{store}#mode={mode},file", "w") as data:
        for number, (dtype, (shape, chunks)) in enumerate(itertools.product(["i2", "i4", "f4", "f8"], GRIDS[1:6])):
            names = [f"x{number}_{axis}" for axis in range(len(shape))]
            for name, extent in zip(names, shape):
                data.createDimension(name, extent)
            chunks = [min(pair) for pair in zip(chunks, shape)]
            variable = data.createVariable(f"v{number}", dtype, names, chunksizes=chunks)
            made[f"{store}/v{number}"] = values(shape, dtype, number)
            variable[...] = made[f"{store}/v{number}"]
    return made
