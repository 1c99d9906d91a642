"""Builds a stranger's project against slabwise: installed, as a subdirectory, and with requests that must be refused.

consumer.py --compiler CXX --generator GENERATOR
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

tree = Path(__file__).resolve().parents[2]
parser = argparse.ArgumentParser()
parser.add_argument("--compiler", required=True)
parser.add_argument("--generator", required=True)
arguments = parser.parse_args()


def run(*command):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def must(done):
    if done.returncode != 0:
        sys.exit(f"{' '.join(done.args)} exits with {done.returncode}:\n{done.stdout}")


def configure(source, build, **settings):
    options = [f"-D{name}={value}" for name, value in settings.items()]
    return run("cmake", "-G", arguments.generator, f"-DCMAKE_CXX_COMPILER={arguments.compiler}", "-S", source, "-B", build, *options)


def install(build, prefix, components):
    parts = {name: "OFF" for name in ["SLABWISE_BUILD_TESTS", "SLABWISE_BUILD_BENCHMARKS", "SLABWISE_BUILD_EXAMPLES"]}
    must(configure(tree, build, SLABWISE_ZARR=components, SLABWISE_ZIP=components, SLABWISE_XTENSOR=components, SLABWISE_XSIMD=components, SLABWISE_FMT=components, **parts))
    must(run("cmake", "--install", build, "--prefix", prefix))


def accepted(title, build, *components, **settings):
    must(configure(tree / "tests/consumer", build, SLABWISE_COMPONENTS=";".join(components), **settings))
    must(run("cmake", "--build", build))
    for part in ["plan", "slabwise", *components]:
        must(run(build / f"{part}_consumer"))
    print("accepted:", title)


def refused(title, sentence, build, **settings):
    done = configure(tree / "tests/consumer", build, **settings)
    # CMake breaks long lines where it likes.
    if done.returncode == 0 or sentence not in " ".join(done.stdout.split()):
        sys.exit(f"not refused with “{sentence}”: {title}\n{done.stdout}")
    print("refused:", title)


with tempfile.TemporaryDirectory() as directory:
    scratch = Path(directory)
    full, bare = scratch / "full", scratch / "bare"
    install(scratch / "build_full", full, "ON")
    install(scratch / "build_bare", bare, "OFF")

    packages = ["nlohmann_json", "PkgConfig", "xtl", "xtensor", "xsimd", "fmt"]
    hidden = {f"CMAKE_DISABLE_FIND_PACKAGE_{package}": "ON" for package in packages}
    accepted("installed, no component, other packages hidden", scratch / "1", CMAKE_PREFIX_PATH=full, **hidden)
    accepted("installed, all components", scratch / "2", "zarr", "zip", "xtensor", "xsimd", "fmt", CMAKE_PREFIX_PATH=full, SLABWISE_VERSION="0.1")
    accepted("installed, without an optional component", scratch / "9", CMAKE_PREFIX_PATH=bare,
             SLABWISE_OPTIONAL_COMPONENTS="zarr;netcdf")
    accepted("as a subdirectory", scratch / "3", SLABWISE_SOURCE=tree)
    refused("version 99", 'compatible with requested version "99"', scratch / "4", CMAKE_PREFIX_PATH=full, SLABWISE_VERSION=99)
    refused("version 0.0", 'compatible with requested version "0.0"', scratch / "5", CMAKE_PREFIX_PATH=full, SLABWISE_VERSION="0.0")
    refused("an unknown component", 'has no component "netcdf"', scratch / "6", CMAKE_PREFIX_PATH=full, SLABWISE_COMPONENTS="netcdf")
    refused("a component left out", "installed without its component zarr", scratch / "7", CMAKE_PREFIX_PATH=bare, SLABWISE_COMPONENTS="zarr")
    refused("a component whose library is missing", "nlohmann_json", scratch / "8",
            CMAKE_PREFIX_PATH=full, SLABWISE_COMPONENTS="zarr", **hidden)
