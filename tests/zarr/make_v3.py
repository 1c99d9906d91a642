"""make_v3.py DIRECTORY SEED  writes arrays of Zarr 3 on grids and in shards of many forms, and cases.json with reads of
each: slices and the SHA-256 of the values that numpy gives for them, little-endian."""

import hashlib
import json
import random
import sys
from pathlib import Path

import numpy as np
import v3_writer

root = Path(sys.argv[1])
draw = random.Random(int(sys.argv[2]))
cases = []
for number in range(160):
    rank = number % 5
    dtype = np.dtype(draw.choice(["|b1", "|u1", "<i2", "<f4", "<f8", "<c16"]))
    shape = [draw.randint(1, [0, 60, 17, 9, 6][rank]) for _ in range(rank)]
    grid, longest = v3_writer.drawn_grid(draw, shape)
    size = int(np.prod(shape))
    fill = draw.choice([0, 1])
    values = np.array([draw.choice([fill, draw.randint(0, 200)]) for _ in range(size)]).astype(dtype).reshape(shape)
    if rank and draw.random() < 0.5:
        values[tuple(slice(0, (n + 1) // 2) for n in shape)] = fill
    fill = np.asarray(fill).astype(dtype)[()]
    codecs = v3_writer.drawn_codecs(draw, dtype, longest, number % 4)
    path = f"a{number}"
    v3_writer.write(root / path, values, grid, codecs, fill, draw, draw.choice("./"))
    reads = []
    for i in range(10 if rank else 1):
        slices = v3_writer.drawn_slices(draw, shape) if i else [[0, extent, 1] for extent in shape]
        selected = np.ascontiguousarray(values[v3_writer.numpy_slices(slices)])
        reads.append({"name": str(slices), "slices": slices, "sha256": hashlib.sha256(selected.tobytes()).hexdigest()})
    cases.append({"path": path, "grid": grid, "codecs": codecs, "reads": reads})
(root / "cases.json").write_text(json.dumps(cases))
