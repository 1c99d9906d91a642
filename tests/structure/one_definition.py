"""Checks that the core can be included twice, the second time after another library's hostile macros.

one_definition.py --compiler CXX

Compiles two files that include all core headers (the folders that need no other library), links them and runs the
program: a function that is not inline is defined twice. The second file defines, after the standard headers (libstdc++
undoes min and max itself) and before ours, the macros of <windows.h> and <complex.h> that collide with ordinary names.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

tree = Path(__file__).resolve().parents[2]
FOLDERS = ["index", "grid", "plan", "request", "copy", "store", "source", "transfer"]
HOSTILE = """
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define small char
#define near
#define far
#define interface struct
#define ERROR 0
#define I 1.0i
#define minor(device) device
#define major(device) device
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    compiler = parser.parse_args().compiler

    root = tree / "include/slabwise"
    headers = sorted(path for path in root.rglob("*.hpp") if path.parent == root or path.parent.name in FOLDERS)
    headers = [path for path in headers if path.is_file()]
    standard = set()
    for header in headers:
        standard.update(re.findall(r"^\s*#\s*include\s*(<(?!slabwise/)[^>]+>)", header.read_text(), re.MULTILINE))
    ours = "".join(f"#include <{header.relative_to(tree / 'include')}>\n" for header in headers)
    others = "".join(f"#include {name}\n" for name in sorted(standard))

    with tempfile.TemporaryDirectory() as directory:
        plain, hostile, program = (Path(directory) / name for name in ["plain.cpp", "hostile.cpp", "program"])
        plain.write_text(ours + "int plain() { return 0; }\n")
        hostile.write_text(others + HOSTILE + ours + "int plain();\nint main() { return plain(); }\n")
        subprocess.run([compiler, "-std=c++20", f"-I{tree}/include", plain, hostile, "-pthread", "-o", program], check=True)
        subprocess.run([program], check=True)
    print(f"{len(headers)} headers, no faults")


if __name__ == "__main__":
    sys.exit(main())
