"""Runs the program that the environment's SLABWISE_PROGRAM names; what all tests of it share."""

import os
import random
import subprocess

PROGRAM = os.environ["SLABWISE_PROGRAM"]


def run(*arguments, **options):
    """The finished process, its output as text unless text=False is given."""
    options.setdefault("text", True)
    options.setdefault("timeout", 120)
    return subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def output_of(*arguments, **options):
    """What the program prints; that it fails or complains is an error."""
    done = run(*arguments, **options)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"{arguments} exits with {done.returncode}: {done.stderr}")
    return done.stdout


def seeded(name):
    """A source of random numbers; SLABWISE_SEED repeats a run."""
    seed = int(os.environ.get("SLABWISE_SEED") or random.SystemRandom().randrange(2**32))
    print(f"{name}: SLABWISE_SEED={seed}")
    return random.Random(seed)


def random_slice(source, extent):
    """A slice as NumPy takes it; its bounds are often outside, its stride is negative or huge at times."""
    bounds = [None, 0, extent, -extent, source.randint(-2 * extent - 2, 2 * extent + 2), 10**25, -(10**25)]
    strides = [
        None,
        1,
        -1,
        2,
        -2,
        3,
        source.choice([-1, 1]) * source.randint(1, 2 * extent + 2),
        2**63 - 1,
        -(2**63),
        10**20,
    ]
    first, stop = source.choices(bounds, [3, 1, 1, 1, 8, 1, 1], k=2)
    stride = source.choices(strides, [4, 1, 2, 2, 2, 1, 5, 0.5, 0.5, 0.5])[0]
    text = ("" if first is None else f"{first}") + ":" + ("" if stop is None else f"{stop}")
    return text + ("" if stride is None else f":{stride}")


def random_selection(source, shape):
    """A selection as text, valid for NumPy too when it stands in brackets."""
    items = []
    for extent in shape:
        is_index = extent > 0 and source.random() < 0.15
        items.append(str(source.randrange(-extent, extent)) if is_index else random_slice(source, extent))
    form = source.random()
    if form < 0.1:
        items = items[: source.randint(0, len(items))]
    elif form < 0.2 and items:
        first = source.randrange(len(items))
        items[first : source.randint(first, len(items))] = ["..."]
    text = source.choice([",", ", "]).join(items)
    return text or "..."
