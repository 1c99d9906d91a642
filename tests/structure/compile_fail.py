"""Checks that a program fails to compile, and says why in the promised words.

compile_fail.py --compiler CXX CASE
compile_fail.py --compiler CXX --self-check

The first line of CASE is `// expect: REGEX`. The compiler must refuse CASE with an error that REGEX matches, and accept
its twin: CASE with SLABWISE_TWIN defined, where the fault is repaired and all the rest is the same.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

tree = Path(__file__).resolve().parents[2]


def compile_only(compiler, case, *options):
    command = [compiler, "-std=c++20", "-fsyntax-only", f"-I{tree}/include", f"-I{tree}/tests", *options, str(case)]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def faults_of(compiler, case):
    expect = re.match(r"// expect: (.+)", case.read_text())
    if not expect:
        return ["the first line is not `// expect: REGEX`"]
    faults = []
    accepted, text = compile_only(compiler, case)
    # Only what the compiler says of its own: it also quotes the source, where the words stand in any case.
    errors = [line for line in text.splitlines() if re.search(r"\b(error|note):", line)]
    if accepted:
        faults.append("it compiles")
    elif not any(re.search(expect[1], line) for line in errors):
        faults.append(f"no error matches `{expect[1]}`:\n{text}")
    accepted, text = compile_only(compiler, case, "-DSLABWISE_TWIN")
    if not accepted:
        faults.append(f"its twin does not compile:\n{text}")
    return faults


SELF_CHECKS = [
    ("first line", "int main() {}"),
    ("it compiles", "// expect: sentence\nint main() {}"),
    ("no error matches", '// expect: sentence\n#ifndef SLABWISE_TWIN\nstatic_assert(false, "another"); // sentence\n#endif'),
    ("its twin does not compile", '// expect: sentence\nstatic_assert(false, "sentence");'),
    (None, '// expect: sentence\n#ifndef SLABWISE_TWIN\nstatic_assert(false, "sentence");\n#endif'),
]


def self_check(compiler):
    missed = []
    with tempfile.TemporaryDirectory() as directory:
        case = Path(directory) / "case.cpp"
        for expected, text in SELF_CHECKS:
            case.write_text(text)
            found = faults_of(compiler, case)
            if [fault for fault in found if not expected or expected not in fault] or bool(found) != bool(expected):
                missed.append(f"expected {expected!r}, found {found}")
    return missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--self-check", action="store_true")
    parser.add_argument("case", nargs="?", type=Path)
    arguments = parser.parse_args()
    found = self_check(arguments.compiler) if arguments.self_check else faults_of(arguments.compiler, arguments.case)
    print("\n".join(found) or "no faults")
    sys.exit(bool(found))
