"""Checks the layers: which header may include which folder, which other libraries, and that nothing goes in circles.

layers.py [TREE]        checks TREE/include/slabwise (this tree unless said)
layers.py --self-check  plants one fault of each kind in a copy of this tree and expects it to be found
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

# A header includes its own folder and those before it. Leaves are included by nobody.
ORDER = ["index", "grid", "plan", "request", "copy", "store", "codec", "source", "transfer"]
LEAVES = ["zarr", "hdf5", "interop"]
# Headers beside the folders: three that anyone includes, and one that gathers the core and is included by nobody.
COMMON = ["error.hpp", "version.hpp", "config.hpp"]
UMBRELLA = "slabwise.hpp"

# What is not of the standard library, by the folder that may include it.
OTHERS = {
    "store": r"(fcntl|unistd|dirent|linux/openat2|zip)\.h|sys/(stat|mman|types|syscall)\.h",
    "codec": r"(libdeflate|zstd|blosc|lz4|bzlib|lzma)\.h",
    "zarr": r"nlohmann/.*",
    "hdf5": r"hdf5\.h|H5.*\.h",
    "interop": r"(xtensor|xtl|xsimd|fmt)/.*",
}
# The standard headers that cost too much, or may not be needed, in arithmetic.
HEAVY = {"tuple", "stdexcept", "string", "iterator", "vector", "iostream", "ostream", "algorithm"}
LIGHT_FOLDERS = {"index", "grid", "plan", ""}
# Headers of the light folders that may be heavy, since no other header there includes them but these.
OPT_IN = {"grid/rectilinear_grid.hpp", "plan/list_axis.hpp", "plan/print.hpp", "plan/rectilinear_axis.hpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def folder_of(name):
    return name.rpartition("/")[0].partition("/")[0]


def faults_of(tree):
    root = tree / "include"
    includes = {}
    faults = []
    for path in sorted(root.rglob("*.hpp")):
        name = path.relative_to(root / "slabwise").as_posix()
        folder = folder_of(name)
        if folder not in ORDER + LEAVES and name not in COMMON + [UMBRELLA]:
            faults.append(f"{name}: is in no layer")
            continue
        includes[name] = []
        light = folder in LIGHT_FOLDERS and name not in OPT_IN | {UMBRELLA}
        for bracket, target in INCLUDE.findall(path.read_text()):
            if bracket == '"':
                faults.append(f'{name}: includes "{target}" in quotes, not in angle brackets')
            elif target.startswith("slabwise/"):
                faults += own_include(root, name, folder, target.removeprefix("slabwise/"))
                includes[name].append(target.removeprefix("slabwise/"))
                if light and includes[name][-1] in OPT_IN:
                    faults.append(f"{name}: includes slabwise/{includes[name][-1]}, too heavy for this layer")
            elif re.fullmatch(r"[a-z_0-9]+", target):
                if light and target in HEAVY:
                    faults.append(f"{name}: includes <{target}>, too heavy for this layer")
            elif not re.fullmatch(OTHERS.get(folder, r"$."), target):
                faults.append(f"{name}: includes <{target}>, which {folder or 'this header'} may not need")
    if not includes:
        faults.append("no headers")
    return faults + circles(includes)


def own_include(root, name, folder, target):
    if not (root / "slabwise" / target).is_file():
        return [f"{name}: includes slabwise/{target}, which does not exist"]
    if target in COMMON:
        return []
    other = folder_of(target)
    if name == UMBRELLA:
        allowed = ORDER
    elif folder in LEAVES:
        allowed = ORDER + [folder]
    elif folder in ORDER:
        allowed = ORDER[: ORDER.index(folder) + 1]
    else:
        allowed = []
    return [] if other in allowed else [f"{name}: includes slabwise/{target}, which is not above it"]


def circles(includes):
    """Every include that closes a circle."""
    faults = []
    done = set()

    def visit(name, path):
        if name in path:
            faults.append("circle: " + " -> ".join(path[path.index(name) :] + [name]))
        elif name not in done:
            for target in includes.get(name, []):
                visit(target, path + [name])
            done.add(name)

    for name in includes:
        visit(name, [])
    return faults


PLANTED = [
    ("index/planted.hpp", "#include <slabwise/grid/planted.hpp>", "not above it"),
    ("copy/planted.hpp", "#include <slabwise/zarr/planted.hpp>", "not above it"),
    ("zarr/planted.hpp", "#include <slabwise/interop/planted.hpp>", "not above it"),
    ("plan/planted.hpp", "#include <slabwise/plan/planted.hpp>", "circle"),
    ("plan/planted.hpp", "#include <slabwise/plan/missing.hpp>", "does not exist"),
    ("plan/planted.hpp", "#  include <vector>", "too heavy"),
    ("plan/planted.hpp", "#include <slabwise/plan/list_axis.hpp>", "too heavy"),
    ("grid/planted.hpp", "#include <slabwise/grid/rectilinear_grid.hpp>", "too heavy"),
    ("copy/planted.hpp", "#include <nlohmann/json.hpp>", "may not need"),
    ("source/planted.hpp", "#include <xtensor/xtensor.hpp>", "may not need"),
    ("zarr/planted.hpp", "#include <libdeflate.h>", "may not need"),
    ("error.hpp", "#include <slabwise/index/planted.hpp>", "not above it"),
    ("store/planted.hpp", '#include "planted.hpp"', "in quotes"),
    ("utility/planted.hpp", "", "is in no layer"),
]


def self_check(tree):
    missed = []
    with tempfile.TemporaryDirectory() as directory:
        copy = Path(directory)
        for name, line, sentence in PLANTED:
            shutil.rmtree(copy / "include", ignore_errors=True)
            shutil.copytree(tree / "include", copy / "include")
            for folder in ["index", "grid", "plan", "interop", "zarr"]:
                (copy / "include/slabwise" / folder).mkdir(exist_ok=True)
                (copy / "include/slabwise" / folder / "planted.hpp").write_text("")
            path = copy / "include/slabwise" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(line + "\n")
            if not any(sentence in fault for fault in faults_of(copy)):
                missed.append(f'not found: "{line}" in {name}')
    return missed


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2]
    if sys.argv[1:] == ["--self-check"]:
        found = self_check(here)
    else:
        found = faults_of(Path(sys.argv[1]) if sys.argv[1:] else here)
    print("\n".join(found) or "no faults")
    sys.exit(bool(found))
