"""Checks README.md: its programs compile, run and print what it says; its other code compiles; its scripts exist.

readme.py --compiler CXX               checks this tree's README.md
readme.py --compiler CXX --self-check  plants one fault of each kind in a text and expects it to be found

How a block is read:
- ```cpp is a program: compiled, linked and run. If the next block is ```text, the program must print it.
- What a program takes for granted stands before it in a comment that is not shown:
      <!-- readme: prelude       the block follows these lines, at namespace scope; it has a main of its own
      #include <slabwise/plan/plan.hpp>
      -->
  or  <!-- readme: statements    the block follows these lines as the body of main
- ```sh: every script that it names (a path that ends in .sh or .py) is in the tree.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

tree = Path(__file__).resolve().parents[2]
PIECE = re.compile(
    r"^<!-- readme: (?P<form>\w+)\n(?P<before>.*?)^-->$|^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)

# The libraries of the codecs.
CODECS = ["-ldeflate", "-lzstd", "-lblosc", "-llz4", "-lbz2", "-llzma"]


def compiled(compiler, source, *options):
    done = subprocess.run([compiler, "-std=c++20", f"-I{tree}/include", source, *options], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


def faults_of(compiler, text):
    faults = []
    form, before = "prelude", ""
    output = None  # of the program in the block just before
    for piece in PIECE.finditer(text):
        line = text.count("\n", 0, piece.start()) + 1
        if piece["form"]:
            form, before = piece["form"], piece["before"]
            if form not in ("prelude", "statements"):
                faults.append(f"line {line}: there is no form `{form}`")
            continue
        previous, output = output, None
        if piece["language"] == "cpp":
            with tempfile.TemporaryDirectory() as directory:
                source, program = Path(directory) / "block.cpp", Path(directory) / "program"
                body = piece["text"] if form == "prelude" else "int main() {\n" + piece["text"] + "}\n"
                source.write_text(before + body)
                error = compiled(compiler, source, "-pthread", "-o", program, *CODECS)
                if not error:
                    done = subprocess.run([program], capture_output=True, text=True, cwd=directory, timeout=60)
                    output = done.stdout
                    if done.returncode != 0:
                        faults.append(f"line {line}: the program exits with {done.returncode}: {done.stderr}")
                if error:
                    faults.append(f"line {line}: does not compile:\n{error}")
            form, before = "prelude", ""
        elif piece["language"] == "text" and previous is not None and previous != piece["text"]:
            faults.append(f"line {line}: the program prints something else:\n{previous}")
        elif piece["language"] == "sh":
            for name in re.findall(r"(?<![\w./-])[\w./-]+\.(?:sh|py)\b", piece["text"]):
                if not (tree / name).is_file():
                    faults.append(f"line {line}: there is no {name}")
    return faults


def cpp(text):
    return f"```cpp\n{text}\n```\n"


SELF_CHECKS = [
    ("does not compile", cpp("int main() { return x; }")),
    ("does not compile", cpp("int x = 3;")),
    ("does not compile", "<!-- readme: statements\nint y;\n-->\n" + cpp("int x = y;") + cpp("int x = y;")),
    ("does not compile", "<!-- readme: statements\n-->\n" + cpp("int f() { return 0; }")),
    ("there is no form", "<!-- readme: prologue\n-->\n"),
    ("exits with 3", cpp("int main() { return 3; }")),
    ("prints something else", cpp('#include <cstdio>\nint main() { std::puts("a"); }') + "\n```text\nb\n```\n"),
    ("there is no tests/missing.sh", "```sh\nsh tests/missing.sh\n```\n"),
    (None, cpp('#include <cstdio>\nint main() { std::puts("a"); }') + "\n```text\na\n```\n"),
    ("exits with 3", "<!-- readme: statements\nint f() { return 3; }\n-->\n" + cpp("return f();")),
    (None, "<!-- readme: statements\nint f() { return 0; }\n-->\n" + cpp("f();") + "```sh\ntests/run.sh\n```\n"),
]


def self_check(compiler):
    missed = []
    for expected, text in SELF_CHECKS:
        found = faults_of(compiler, text)
        if len(found) != (1 if expected else 0) or not all(expected in fault for fault in found):
            missed.append(f"expected {expected!r}, found {found} in\n{text}")
    return missed


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--self-check", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_check:
        found = self_check(arguments.compiler)
    else:
        found = faults_of(arguments.compiler, (tree / "README.md").read_text())
    print("\n".join(found) or "no faults")
    sys.exit(bool(found))
