"""encode_samples.py  prints, for each case: a line of JSON {name, configuration, encoded, decoded} (the numbers of bytes)
and these bytes. They are what numcodecs encodes, and what it then decodes."""

import json
import sys
import zlib

import numcodecs
import numpy as np
from numcodecs.compat import ensure_bytes

numcodecs.blosc.set_nthreads(1)
random = np.random.default_rng(20261201)
NUMBERS = ["|i1", "|u1", "<i2", ">u2", "<i4", ">i4", "<u8", ">i8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"]


def give(name, configuration, encoded, decoded):
    encoded, decoded = ensure_bytes(encoded), ensure_bytes(decoded)
    line = json.dumps({"name": name, "configuration": configuration, "encoded": len(encoded), "decoded": len(decoded)})
    sys.stdout.buffer.write(line.encode() + b"\n" + encoded + decoded)


def sample(dtype, count):
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return random.normal(scale=40, size=count).astype(dtype)
    return random.integers(0, 60, count).astype(dtype)


def positive(dtype, count):
    return np.abs(sample(dtype, count)).astype(dtype)


def encode(codec, values):
    encoded = ensure_bytes(codec.encode(values))
    configuration = codec.get_config()
    give(configuration.pop("id"), configuration, encoded, codec.decode(encoded))


def compressors():
    values = [np.zeros(0, "u1"), sample("|u1", 1), sample("<i4", 1000), sample("<f8", 20000)]
    for cname in ["blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"]:
        for shuffle in [0, 1, 2]:
            for one in values:
                if one.size:
                    encode(numcodecs.Blosc(cname, 5, shuffle), one)
    for codec in [numcodecs.GZip(1), numcodecs.Zlib(9), numcodecs.Zstd(1), numcodecs.Zstd(19), numcodecs.LZ4(), numcodecs.BZ2(1),
                  numcodecs.LZMA(), numcodecs.LZMA(format=2), numcodecs.LZMA(format=1, preset=9),
                  numcodecs.LZMA(format=3, filters=[{"id": 3, "dist": 4}, {"id": 33, "preset": 1}])]:
        for one in values:
            if one.size or not isinstance(codec, (numcodecs.LZ4, numcodecs.Zstd)):
                encode(codec, one)


def checksums():
    for codec in [numcodecs.CRC32(), numcodecs.Adler32()]:
        for one in [np.zeros(0, "u1"), sample("|u1", 7), sample("<f4", 5000)]:
            encode(codec, one)
    data = sample("<f4", 100).tobytes()
    give("crc32", {"location": "end"}, data + zlib.crc32(data).to_bytes(4, "little"), data)


def filters():
    for size in [1, 2, 3, 8]:
        for count in [0, 1, 5, 10001]:
            encode(numcodecs.Shuffle(size), random.integers(0, 256, count * size, dtype="u1"))
    encode(numcodecs.PackBits(), np.zeros(0, bool))
    for count in [1, 7, 8, 9, 1000]:
        encode(numcodecs.PackBits(), random.integers(0, 2, count).astype(bool))
    for dtype in ["<f2", "<f4", ">f8"]:
        encode(numcodecs.BitRound(3), sample(dtype, 300)) if dtype[0] == "<" else None
    for dtype in NUMBERS:
        encode(numcodecs.Delta(dtype), sample(dtype, 700))
        for astype in NUMBERS:
            a, b = np.dtype(dtype), np.dtype(astype)
            encode(numcodecs.AsType(encode_dtype=a, decode_dtype=b), positive(b, 600))
            if np.can_cast(b, a, "same_kind") and not (a.kind == "u" and b.kind == "i"):
                encode(numcodecs.Delta(a, b), np.sort(sample(a, 600)).astype(a))
            encode(numcodecs.FixedScaleOffset(offset=2, scale=0.5, dtype=a, astype=b), (positive(a, 300) + 2).astype(a))
            if a.kind == b.kind == "f":
                encode(numcodecs.Quantize(2, a, b), sample(a, 300))
    extremes = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e300, 5e-324, 65520.0, 1e-8], "<f8")
    for astype in ["<f4", "<f2", ">f4"]:
        codec = numcodecs.AsType(encode_dtype="<f8", decode_dtype=astype)
        encoded = extremes.tobytes()
        give("astype", {"encode_dtype": "<f8", "decode_dtype": astype}, encoded, extremes.astype(astype))
    wide = np.array([-1, -128, 300, 2**31, -(2**63), 2**63 - 1], "<i8")
    for astype in ["|i1", "|u1", "<i2", ">u4", "<u8", "<f4", "<f2", "|b1"]:
        give("astype", {"encode_dtype": "<i8", "decode_dtype": astype}, wide.tobytes(), wide.astype(astype))


np.seterr(all="ignore")
compressors()
checksums()
filters()
