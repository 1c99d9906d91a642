"""Prints random selections and what numpy makes of them: numpy_selections.py SEED CASES KINDS

KINDS has a letter for each axis: s a slice, i an index that drops its axis, l a list of indices. Each line holds
- the shape and the chunk shape;
- for each axis its selector: first stop step with None (s), the index (i), the number of indices and the indices (l);
- the rank and the shape of what numpy selects, and its values: an element's value is its place in the array;
- the number of chunks in which these elements lie, and the places of these chunks in the grid, ascending.
"""

import sys

import numpy

seed, cases, kinds = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random = numpy.random.default_rng(seed)
longest = [1, 40, 20, 12, 8, 6][len(kinds)]


def bound(extent):
    return None if random.random() < 0.4 else int(random.integers(-extent - 3, extent + 4))


def step():
    return None if random.random() < 0.2 else int(random.integers(1, 10)) * int(random.choice([-1, 1]))


for _ in range(cases):
    shape = [int(extent) for extent in random.integers(1, longest + 1, len(kinds))]
    chunks = [int(random.integers(1, extent + 3)) for extent in shape]
    words, axes, dropped = [*shape, *chunks], [], []
    for axis, (kind, extent) in enumerate(zip(kinds, shape)):
        if kind == "s":
            selector = slice(bound(extent), bound(extent), step())
            words += [selector.start, selector.stop, selector.step]
            axes.append(numpy.arange(extent)[selector])
        elif kind == "i":
            index = int(random.integers(extent))
            words.append(index)
            axes.append(numpy.array([index]))
            dropped.append(axis)
        else:
            indices = random.integers(0, extent, random.integers(0, 7))
            words += [len(indices), *indices]
            axes.append(indices)
    values = numpy.arange(numpy.prod(shape)).reshape(shape)
    if set(kinds) == {"s"}:
        selected = values[tuple(slice(*words[at : at + 3]) for at in range(2 * len(kinds), len(words), 3))]
    else:
        selected = numpy.squeeze(values[numpy.ix_(*axes)], axis=tuple(dropped))
    coords = [place // length for place, length in zip(numpy.unravel_index(selected.ravel(), shape), chunks)]
    counts = [-(-extent // length) for extent, length in zip(shape, chunks)]
    touched = numpy.unique(numpy.ravel_multi_index(coords, counts))
    words += [selected.ndim, *selected.shape, *selected.ravel(), touched.size, *touched]
    print(*words)
