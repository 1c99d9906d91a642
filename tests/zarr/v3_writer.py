"""A small writer of Zarr version 3, after its specifications, for tests: transposes, byte orders, regular and rectilinear
grids, and shards of every form that a reader has to take. What shards leave open is drawn at random: the order of the inner chunks, gaps between
them, and whether equal ones share their bytes."""

import gzip
import itertools
import json
import random
import zlib

import numcodecs
import numpy as np

NAMES = {"b1": "bool", "c8": "complex64", "c16": "complex128"}
NAMES |= {f"{k}{s}": f"{ {'i': 'int', 'u': 'uint', 'f': 'float'}[k]}{8 * s}" for k in "iuf" for s in (1, 2, 4, 8)}
NONE = 2**64 - 1


def crc32c(data):
    """The checksum of RFC 3720, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


BYTES_CODECS = {
    "gzip": lambda data, _: gzip.compress(data, 1),
    "zlib": lambda data, _: zlib.compress(data, 1),
    "zstd": lambda data, _: numcodecs.Zstd(1).encode(data),
    "crc32c": lambda data, _: data + crc32c(data).to_bytes(4, "little"),
    "blosc": lambda data, size: numcodecs.Blosc("lz4", 5, 1).encode(np.frombuffer(data, f"V{size}")),
}


def pieces(shape, lengths):
    """The chunks of a shape in C order: the last ones may be shorter."""
    for coord in itertools.product(*(range(-(-e // n)) for e, n in zip(shape, lengths))):
        yield tuple(slice(i * n, (i + 1) * n) for i, n in zip(coord, lengths))


def encode(chunk, codecs, fill, draw):
    """The bytes of a chunk; None when it holds nothing but the fill value and may be absent."""
    size = chunk.dtype.itemsize
    data = None
    for codec in codecs:
        configuration = codec.get("configuration", {})
        if codec["name"] == "transpose":
            chunk = chunk.transpose(configuration["order"])
        elif codec["name"] == "bytes":
            order = {"big": ">", "little": "<"}[configuration.get("endian", "little")]
            data = chunk.astype(chunk.dtype.newbyteorder(order)).tobytes()
        elif codec["name"] == "sharding_indexed":
            data = encode_shard(chunk, configuration, fill, draw)
            if data is None:
                return None
        else:
            data = BYTES_CODECS[codec["name"]](data, size)
    return data


def encode_shard(shard, configuration, fill, draw):
    inner = []
    for part in pieces(shard.shape, configuration["chunk_shape"]):
        chunk = shard[(*part, ...)]  # an array at rank 0 too, which keeps its byte order
        is_fill = bool(np.all(chunk == fill))
        inner.append(None if is_fill else encode(chunk, configuration["codecs"], fill, draw))
    if all(data is None for data in inner):
        return None
    checksum = 4 if any(codec["name"] == "crc32c" for codec in configuration["index_codecs"]) else 0
    index_size = 16 * len(inner) + checksum
    is_first = configuration.get("index_location", "end") == "start"
    body = b"" if not is_first else bytes(index_size)
    index = [(NONE, NONE)] * len(inner)
    written = {}
    for i in draw.sample(range(len(inner)), len(inner)):
        if inner[i] is None:
            continue
        if inner[i] not in written or draw.random() < 0.5:
            body += bytes(draw.choice([0, 0, 0, 1, 7]))
            written[inner[i]] = len(body)
            body += inner[i]
        index[i] = (written[inner[i]], len(inner[i]))
    order = {"big": ">", "little": "<"}[configuration["index_codecs"][0]["configuration"]["endian"]]
    table = np.array(index, order + "u8").tobytes()
    if checksum:
        table += crc32c(table).to_bytes(4, "little")
    return table + body[index_size:] if is_first else body + table


def stored_fill(value):
    return [value.real, value.imag] if isinstance(value, complex) else value


def regular_grid(chunk_shape):
    return {"name": "regular", "configuration": {"chunk_shape": chunk_shape}}


def edges_of(grid, shape):
    """The lengths of all chunks, axis by axis."""
    configuration = grid["configuration"]
    for extent, edges in zip(shape, configuration.get("chunk_shape") or configuration.get("chunk_shapes", [])):
        if isinstance(edges, int):
            yield [edges] * -(-extent // edges)
        else:
            runs = ([edge, 1] if isinstance(edge, int) else edge for edge in edges)
            yield [length for length, count in runs for _ in range(count)]


def write(directory, values, grid, codecs, fill, draw, separator="/"):
    """Writes all of an array; chunks that hold nothing but the fill value are left out, or not, as drawn."""
    directory.mkdir(parents=True)
    stored = 0
    lengths = [list(edges) for edges in edges_of(grid, values.shape)]
    begins = [[sum(edges[:i]) for i in range(len(edges))] for edges in lengths]
    for coord in itertools.product(*(range(len(edges)) for edges in lengths)):
        first = [edges[i] for edges, i in zip(begins, coord)]
        chunk_shape = [edges[i] for edges, i in zip(lengths, coord)]
        part = tuple(slice(a, a + n) for a, n in zip(first, chunk_shape))
        if any(a >= n for a, n in zip(first, values.shape)):
            continue  # wholly past the end of the array
        chunk = np.full(chunk_shape, fill, values.dtype)
        chunk[tuple(slice(0, n) for n in values[part].shape)] = values[part]
        data = encode(chunk, codecs, fill, draw)
        if data is None or (np.all(chunk == fill) and draw.random() < 0.8):
            continue
        file = directory / separator.join(["c", *map(str, coord)])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        stored += 1
    (directory / "zarr.json").write_text(json.dumps({
        "zarr_format": 3, "node_type": "array", "shape": values.shape, "data_type": NAMES[values.dtype.str[1:]],
        "chunk_grid": grid,
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": separator}},
        "fill_value": stored_fill(np.asarray(fill).item()), "codecs": codecs}))
    return stored


def transpose(draw, rank):
    return {"name": "transpose", "configuration": {"order": draw.sample(range(rank), rank)}}


def drawn_edges(draw, extent):
    """An integer or a list of lengths and [length, count], which reach to the extent or further."""
    if draw.random() < 0.3:
        return draw.randint(1, extent + 2)
    edges = []
    reach = 0
    while reach < extent or draw.random() < 0.2:
        length, count = draw.randint(1, max(extent // 2, 1)), draw.choice([1, 1, 2, 3])
        edges.append(length if count == 1 and draw.random() < 0.7 else [length, count])
        reach += length * count
    return edges


def drawn_grid(draw, shape):
    """A regular grid or a rectilinear one, and the longest edge of each axis."""
    if draw.random() < 0.5:
        chunk_shape = [draw.randint(1, extent + 2) for extent in shape]
        return regular_grid(chunk_shape), chunk_shape
    grid = {"name": "rectilinear", "configuration": {
        "kind": "inline", "chunk_shapes": [drawn_edges(draw, extent) for extent in shape]}}
    return grid, [max(edges) for edges in edges_of(grid, shape)]


def drawn_codecs(draw, dtype, shape, depth):
    """Codecs at random for chunks of that shape, with `depth` levels of shards."""
    codecs = [transpose(draw, len(shape))] if len(shape) > 1 and draw.random() < 0.4 else []
    for codec in codecs:
        shape = [shape[axis] for axis in codec["configuration"]["order"]]
    if depth == 0:
        endian = {"configuration": {"endian": draw.choice(["big", "little"])}} if dtype.itemsize > 1 else {}
        codecs.append({"name": "bytes", **endian})
        return codecs + [{"name": name} for name in draw.choice([[], [], ["gzip"], ["zlib"], ["zstd"], ["crc32c"],
                                                                 ["zstd", "crc32c"], ["blosc"]])]
    remains = draw.random() < 0.4
    inner = [draw.randint(1, n) if remains else draw.choice([k for k in range(1, n + 1) if n % k == 0]) for n in shape]
    index = [{"name": "bytes", "configuration": {"endian": draw.choice(["big", "little"])}}]
    codecs.append({"name": "sharding_indexed", "configuration": {
        "chunk_shape": inner, "codecs": drawn_codecs(draw, dtype, inner, depth - 1),
        "index_codecs": index + draw.choice([[], [{"name": "crc32c"}]]),
        **draw.choice([{}, {"index_location": "start"}, {"index_location": "end"}])}})
    return codecs + [{"name": name} for name in draw.choice([[]] * 4 + [["gzip"], ["crc32c"]])]


def drawn_slices(draw, shape):
    """A selection as [first, stop, stride] an axis; stop null stands for "through index 0"."""
    slices = []
    for extent in shape:
        first, stop = sorted(draw.sample(range(extent + 1), 2))
        stride = draw.choice([1, 1, 2, 3, draw.randint(1, extent)])
        if draw.random() < 0.4:
            slices.append([stop - 1, first - 1 if first else None, -stride])
        else:
            slices.append([first, stop, stride])
    return slices


def numpy_slices(slices):
    return tuple(slice(*one) for one in slices)
