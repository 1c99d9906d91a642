"""Prints lines of first, stop, step, extent, then the first index, count and stride that Python makes of them."""

from itertools import product

limit = 2**63
small = [None, *range(-8, 9)]
far = [None, -limit, -limit + 1, -2, -1, 0, 1, 2, limit - 2, limit - 1]
cases = [*product(small, small, [step for step in small if step != 0], range(7))]
cases += product(far, far, [step for step in far if step != 0], [0, 1, 2, 5, limit // 2, limit - 2, limit - 1])
for first, stop, step, extent in cases:
    indices = range(*slice(first, stop, step).indices(extent))
    count = max(0, -(-(indices.stop - indices.start) // indices.step))  # len() refuses more than 2^63 - 1
    begin = indices.start if count else 0
    print(first, stop, step, extent, begin, count, indices.step if count > 1 else 1)
