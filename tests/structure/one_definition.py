"""Checks that the library can be included twice, the second time after another library's hostile macros.

one_definition.py --compiler CXX               checks this tree
one_definition.py --compiler CXX --self-check  plants one fault of each kind in an empty tree and expects it to be found

Compiles two files that include all headers, links them and runs the program: a function that is not inline is defined
twice. The second file defines, after the headers of others (libstdc++ undoes min and max itself) and before ours, the
macros of <windows.h>, <complex.h> and <sys/sysmacros.h> that collide with ordinary names.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

tree = Path(__file__).resolve().parents[2]
HOSTILE = """
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define small char
#define near
#define far
#define ERROR 0
#define I 1.0i
#define minor(device) device
#define major(device) device
"""

# The libraries of the codecs and stores.
LIBRARIES = ["-ldeflate", "-lzstd", "-lblosc", "-llz4", "-lbz2", "-llzma", "-lzip"]


def faults_of(compiler, include):
    headers = sorted(include.rglob("*.hpp"))
    foreign = set()
    for header in headers:
        foreign.update(re.findall(r"^\s*#\s*include\s*(<(?!slabwise/)[^>]+>)", header.read_text(), re.MULTILINE))
    ours = "".join(f"#include <{header.relative_to(include)}>\n" for header in headers)
    # Where a header has moved between versions, ours asks which place it is in.
    others = "".join(f"#if __has_include({name})\n#include {name}\n#endif\n" for name in sorted(foreign))

    with tempfile.TemporaryDirectory() as directory:
        plain, hostile, program = (Path(directory) / name for name in ["plain.cpp", "hostile.cpp", "program"])
        plain.write_text(ours + "int plain() { return 0; }\n")
        hostile.write_text(others + HOSTILE + ours + "int plain();\nint main() { return plain(); }\n")
        command = [compiler, "-std=c++20", f"-I{include}", plain, hostile, "-pthread", "-o", program, *LIBRARIES]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode != 0:
            return [built.stderr]
        return [] if subprocess.run([program]).returncode == 0 else ["the program fails"]


def self_check(compiler):
    missed = []
    for line, sentence in [
        ("int planted() { return 0; }", "multiple definition"),
        ("#include <algorithm>\ninline int planted() { return std::max(1, 2); }", "planted"),
        ("inline int planted(int small) { return small; }", "planted"),
    ]:
        with tempfile.TemporaryDirectory() as directory:
            include = Path(directory) / "include"
            (include / "slabwise").mkdir(parents=True)
            (include / "slabwise/planted.hpp").write_text("#pragma once\n" + line + "\n")
            if not any(sentence in fault for fault in faults_of(compiler, include)):
                missed.append(f'not found: "{line}"')
    return missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--self-check", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_check:
        found = self_check(arguments.compiler)
    else:
        found = faults_of(arguments.compiler, tree / "include")
    print("\n".join(found) or "no faults")
    sys.exit(bool(found))
