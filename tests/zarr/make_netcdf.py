"""make_netcdf.py DIRECTORY SEED  writes arrays by netCDF-C, every type with every shape in both of its kinds of Zarr,
whole or in part, and cases.json with reads of each: slices and the SHA-256 of the values that numpy gives for them,
little-endian."""

import hashlib
import itertools
import json
import random
import sys
from pathlib import Path

import netCDF4
import numpy as np
import v3_writer

root = Path(sys.argv[1])
draw = random.Random(int(sys.argv[2]))
# Not big-endian ones: netCDF-C 4.9.0 writes ">i4" and the like into .zarray, and little-endian bytes. Its characters are
# bytes of the type "<U1", which has four.
TYPES = ["i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f4", "<f8"]
# Shape and chunk shape: edge chunks, axes of 1, chunks of one element, one chunk that netCDF-C chooses, ranks 0 to 5.
SHAPES = [((23, 9, 11), (5, 9, 4)), ((), None), ((50,), (7,)), ((9,), None), ((6, 1), (4, 1)), ((13, 31), (4, 8)),
          ((7, 1, 10), (1, 1, 1)), ((4, 5, 3, 6), (3, 2, 2, 4)), ((2, 3, 1, 4, 5), (2, 2, 1, 3, 2)), ((5, 6, 7), None)]
# How much of the array is written.
PARTS = ["whole", "box", "box", "nothing"]
SELECTIONS = 30


def values_of(shape, dtype):
    count = int(np.prod(shape))
    if dtype.kind == "f":
        return np.array([draw.gauss(3, 40) for _ in range(count)], dtype).reshape(shape)
    return np.frombuffer(bytes(draw.randrange(1, 128) for _ in range(count * dtype.itemsize)), dtype).reshape(shape)


def drawn_fill(dtype):
    """A fill value, None for the default one of the type, or False for none at all."""
    if dtype.kind == "f":
        # The JSON has six digits of each; of the third they are another number.
        return draw.choice([None, False, 1 / 3, -1e20, np.nan, -np.inf, np.inf, 12.0])
    return draw.choice([None, False, np.iinfo(dtype).min, np.iinfo(dtype).max, 7])


def chunk_box(box, chunks):
    """The elements of the chunks that have elements of the box."""
    return tuple(slice(one.start // length * length, -(-one.stop // length) * length) for one, length in zip(box, chunks))


def write(group, name, shape, chunks, dtype, part):
    """Writes a variable, and gives what was written, and where, and what fills the rest of the chunks touched by it."""
    names = [f"{name}_{axis}" for axis in range(len(shape))]
    for axis, extent in zip(names, shape):
        group.createDimension(axis, extent)
    fill = drawn_fill(dtype)
    variable = group.createVariable(name, dtype, names, chunksizes=chunks, fill_value=fill)
    variable.set_auto_maskandscale(False)
    values = values_of(shape, dtype)
    box = tuple(slice(0, extent) for extent in shape)
    if part == "box":
        box = tuple(slice(*sorted(draw.sample(range(extent + 1), 2))) for extent in shape)
    if part != "nothing":
        variable[box if shape else ...] = values[box]
    default = netCDF4.default_fillvals[dtype.str[1:]]
    return values, box, 0 if fill is False else default if fill is None else fill


def expected(values, box, rest, part, metadata):
    """Absent chunks have the fill value that the metadata has, which is null for none."""
    fill = metadata["fill_value"]
    result = np.full(values.shape, 0 if fill is None else fill, values.dtype)
    if part != "nothing":
        result[chunk_box(box, metadata["chunks"])] = np.asarray(rest).astype(values.dtype)
        result[box] = values[box]
    # A scalar is stored as an axis of one element.
    return result.reshape(metadata["shape"])


cases = []
for mode in ["zarr", "nczarr"]:
    written = {}
    with netCDF4.Dataset(f"file://{root / mode}#mode={mode},file", "w") as dataset:
        group = dataset.createGroup("inner")
        for number, (name, (shape, chunks), part) in enumerate(itertools.product(TYPES, SHAPES, PARTS)):
            at, prefix = draw.choice([(dataset, mode), (group, f"{mode}/inner")])
            written[f"{prefix}/a{number}"] = (*write(at, f"a{number}", shape, chunks, np.dtype(name), part), part)
    for path, what in written.items():
        text = (root / path / ".zarray").read_text()
        metadata = json.loads(text)
        values = expected(*what, metadata)
        reads = []
        for i in range(SELECTIONS):
            slices = v3_writer.drawn_slices(draw, values.shape) if i else [[0, extent, 1] for extent in values.shape]
            selected = np.ascontiguousarray(values[v3_writer.numpy_slices(slices)])
            reads.append({"name": str(slices), "slices": slices, "sha256": hashlib.sha256(selected.tobytes()).hexdigest()})
        # As text: it has Infinity and NaN, which are not JSON.
        cases.append({"path": path, "metadata": text, "reads": reads})
(root / "cases.json").write_text(json.dumps(cases))
