"""Prints what numpy makes of elements as other types, in native byte order: numpy_conversions.py KIND SEED

widen     all 65,536 float16 values as float32, then as float64
narrow    float32 values and what they are as float16, then float64 values and what they are as float16, each with
          their number, 8 bytes, before them
same_kind a record for each pair of types that numpy.can_cast permits with casting='same_kind'
saturate  a record for each pair of real types: out of range becomes the nearest that fits
can_cast  lines: a type, another and 1 or 0, for whether same_kind permits it

A record is the two types, 1 byte of kind ('b', 'i', 'u', 'f', 'c') and 1 of size each, the number of elements, 8 bytes,
the elements, what they become and, for saturate, a byte each for whether they are in range.
"""

import math
import sys

import numpy

numpy.seterr(all="ignore")
kind, seed = sys.argv[1], int(sys.argv[2])
random = numpy.random.default_rng(seed)
REAL = [numpy.dtype(code) for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split()]
TYPES = REAL + [numpy.dtype(code) for code in "c8 c16".split()]
HALVES = numpy.arange(65536, dtype=numpy.uint16).view(numpy.float16)


def write(array):
    sys.stdout.buffer.write(numpy.ascontiguousarray(array).tobytes())


def count(array):
    write(numpy.array([len(array)], dtype=numpy.uint64))


def bits_of(dtype):
    """Bit patterns of a floating type: every exponent with mantissas at both ends, NaNs, random ones."""
    size = dtype.itemsize
    mantissa = {2: 10, 4: 23, 8: 52}[size]
    word = numpy.dtype(f"u{size}")
    exponents = numpy.arange(2 ** (8 * size - 1 - mantissa), dtype=word) << word.type(mantissa)
    full = (1 << mantissa) - 1
    ends = {0, 1, 2, full, full - 1, 1 << (mantissa - 1), (1 << (mantissa - 1)) + 1, (1 << (mantissa - 1)) - 1}
    ends |= {1 << bit for bit in range(mantissa)}
    patterns = numpy.concatenate([exponents | word.type(end) for end in sorted(ends)])
    patterns = numpy.concatenate([patterns, patterns | word.type(1 << (8 * size - 1))])
    return numpy.concatenate([patterns, random.integers(0, 2 ** (8 * size), 2000, dtype=word)])


def narrowed(dtype):
    """Values of a wider type about each float16 and about each tie of two."""
    halves = HALVES[numpy.isfinite(HALVES)].astype(dtype)
    upper = numpy.nextafter(HALVES, numpy.float16(numpy.inf))[numpy.isfinite(HALVES)].astype(dtype)
    upper[numpy.isinf(upper)] = 65536
    ties = (halves + upper) / 2
    exact = numpy.concatenate([halves, ties, -ties])
    word = numpy.dtype(f"u{dtype.itemsize}")
    about = [exact, numpy.nextafter(exact, dtype.type(numpy.inf)), numpy.nextafter(exact, dtype.type(-numpy.inf))]
    in_range = random.uniform(-70000, 70000, 100000), random.uniform(-1e-4, 1e-4, 100000)
    anything = random.integers(0, 2 ** (8 * dtype.itemsize), 500000, dtype=word).view(dtype)
    special = word.type({4: 0xFF << 23, 8: 0x7FF << 52}[dtype.itemsize])
    payloads = (random.integers(0, 2 ** (8 * dtype.itemsize), 100000, dtype=word) | special).view(dtype)
    lowest = (special | numpy.arange(1, 300, dtype=word)).view(dtype)
    parts = about + [part.astype(dtype) for part in in_range] + [anything, payloads, lowest, bits_of(dtype).view(dtype)]
    return numpy.concatenate(parts)


def elements(dtype):
    if dtype.kind == "b":
        return numpy.array([False, True, True, False] * 40)
    if dtype.kind in "iu":
        limits = numpy.iinfo(dtype)
        near = [sign * (1 << bit) + more for bit in range(65) for more in range(-2, 3) for sign in (-1, 1)]
        near += [sign * value for value in (65503, 65504, 65519, 65520, 65521, 65535) for sign in (-1, 1)]
        near = [value for value in near if limits.min <= value <= limits.max]
        anything = random.integers(limits.min, limits.max, 500, dtype=dtype, endpoint=True)
        return numpy.concatenate([numpy.array(near, dtype=dtype), anything])
    if dtype.kind == "c":
        part = numpy.dtype(f"f{dtype.itemsize // 2}")
        real, imaginary = elements(part), elements(part)
        random.shuffle(imaginary)
        both = numpy.empty(len(real), dtype=dtype)
        both.real, both.imag = real, imaginary
        return both
    if dtype.itemsize == 2:
        return HALVES
    with_bits = bits_of(dtype).view(dtype)
    near = [sign * 2.0**bit + more for bit in range(65) for more in (-1, -0.75, -0.5, 0, 0.5, 1) for sign in (-1, 1)]
    exact = numpy.array(near, dtype=dtype)
    up, down = dtype.type(numpy.inf), dtype.type(-numpy.inf)
    about = [exact, numpy.nextafter(exact, up), numpy.nextafter(exact, down)]
    limits = [numpy.finfo(f).max for f in (numpy.float16, numpy.float32, numpy.float64)]
    edges = numpy.array([sign * float(limit) for limit in limits for sign in (-1, 1)]).astype(dtype)
    edges = [edges, numpy.nextafter(edges, up), numpy.nextafter(edges, down)]
    small = random.uniform(-300, 300, 500).astype(dtype)
    return numpy.concatenate([with_bits, *about, *edges, small])


def saturated(value, target):
    """One value as the target type has it, and whether it was in range."""
    if target.kind == "b":
        return value != 0, value in (0, 1)
    if target.kind in "iu":
        if value != value:
            return 0, False
        limits = numpy.iinfo(target)
        if math.isinf(value):
            return (limits.max if value > 0 else limits.min), False
        whole = math.trunc(value)
        return min(max(whole, limits.min), limits.max), limits.min <= whole <= limits.max
    raise ValueError


def write_record(source, target, values, results, in_range=None):
    for dtype in (source, target):
        sys.stdout.buffer.write(dtype.kind.encode() + bytes([dtype.itemsize]))
    count(values)
    write(values)
    write(results)
    if in_range is not None:
        write(numpy.array(in_range, dtype=numpy.uint8))


if kind == "widen":
    write(HALVES.astype(numpy.float32))
    write(HALVES.astype(numpy.float64))
elif kind == "narrow":
    for dtype in (numpy.dtype("f4"), numpy.dtype("f8")):
        values = narrowed(dtype)
        count(values)
        write(values)
        write(values.astype(numpy.float16))
elif kind == "same_kind":
    for source in TYPES:
        values = elements(source)
        for target in TYPES:
            if numpy.can_cast(source, target, casting="same_kind"):
                write_record(source, target, values, values.astype(target))
elif kind == "saturate":
    for source in REAL:
        values = elements(source)
        for target in REAL:
            if target.kind == "f":
                results = values.astype(target)
                in_range = ~(numpy.isfinite(values) & numpy.isinf(results))
                largest = numpy.finfo(target).max
                results[~in_range] = numpy.where(values[~in_range] > 0, largest, -largest)
            else:
                chosen = values if len(values) < 10000 else numpy.concatenate([values[::29], values[-3000:]])
                both = [saturated(value, target) for value in chosen.tolist()]
                results = numpy.array([result for result, _ in both], dtype=target)
                write_record(source, target, chosen, results, [fits for _, fits in both])
                continue
            write_record(source, target, values, results, in_range)
elif kind == "can_cast":
    for source in TYPES:
        for target in TYPES:
            print(source, target, int(numpy.can_cast(source, target, casting="same_kind")))
else:
    sys.exit(f"unknown kind {kind}")
