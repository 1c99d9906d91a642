"""Checks the text of the tree: no paths of one machine, no reminders left behind, nothing new at the top level.

text.py [TREE]        checks TREE (this tree unless said): the files that git tracks, or all where there is no git
text.py --self-check  plants one fault of each kind in an empty tree and expects it to be found
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOP_LEVEL = {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "include", "tests", "benchmarks", "examples"}
# Written so that this file does not match itself.
FORBIDDEN = {
    "a path of one machine": re.compile(r"(?<![\w.}*$])/(?:wor[k]|hom[e]|roo[t])/"),
    "a reminder": re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X])\b"),
}


def files_of(tree):
    tracked = (tree / ".git").exists() and shutil.which("git")
    listed = subprocess.run(["git", "-C", tree, "ls-files", "-z"], capture_output=True) if tracked else None
    if listed and listed.returncode == 0:
        names = [name for name in listed.stdout.decode().split("\0") if name]
    else:
        names = [path.relative_to(tree).as_posix() for path in tree.rglob("*")]
        names = [name for name in names if not re.match(r"(\.git|build)/|(.*/)?__pycache__/", name)]
    return sorted(name for name in names if (tree / name).is_file())


def faults_of(tree):
    faults = []
    for name in files_of(tree):
        top = name.partition("/")[0]
        if top not in TOP_LEVEL and not top.startswith("."):
            faults.append(f"{name}: {top} does not belong at the top level")
        try:
            lines = (tree / name).read_text().splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            faults += [f"{name}:{number}: {what}: {line.strip()}" for what, it in FORBIDDEN.items() if it.search(line)]
    return faults


def self_check():
    missed = []
    for name, text in [("include/a.hpp", "// see /wor" + "k/x"), ("a.md", ""), ("tests/a.cpp", "// TO" + "DO: more")]:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            if len(faults_of(Path(directory))) != 1:
                missed.append(f'not found: "{text}" in {name}')
    return missed


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2]
    if sys.argv[1:] == ["--self-check"]:
        found = self_check()
    else:
        found = faults_of(Path(sys.argv[1]) if sys.argv[1:] else here)
    print("\n".join(found) or "no faults")
    sys.exit(bool(found))
