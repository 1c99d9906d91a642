"""Checks that nothing is left out of the build: every header is compiled on its own, every test and program is built.

completeness.py COMPILE_COMMANDS  compares this tree with the compile_commands.json of a build of all components
"""

import json
import sys
from pathlib import Path

tree = Path(__file__).resolve().parents[2]
compiled = [Path(entry["file"]) for entry in json.loads(Path(sys.argv[1]).read_text())]

# CMake compiles a verified header as .../TARGET_verify_interface_header_sets/slabwise/FOLDER/NAME.hpp.cxx.
verified = set()
for path in compiled:
    for parent in path.parents:
        if parent.name.endswith("_verify_interface_header_sets"):
            verified.add(path.relative_to(parent).as_posix().removesuffix(".cxx"))
sources = {path.resolve() for path in compiled}

faults = []
for path in sorted((tree / "include").rglob("*.hpp")):
    if path.relative_to(tree / "include").as_posix() not in verified:
        faults.append(f"{path.relative_to(tree)}: in no verified header set")
for pattern in ["tests/**/*_test.cpp", "examples/**/*.cpp"]:
    for path in sorted(tree.glob(pattern)):
        if path.resolve() not in sources:
            faults.append(f"{path.relative_to(tree)}: not built")
print("\n".join(faults) or "no faults")
sys.exit(bool(faults))
