#!/bin/sh
# Installs what is missing (Debian 12), builds the program slabwise, makes a small Zarr store with zarr-python, then
# describes it, plans a strided hyperslab of it, draws the plan and reads the values.
set -eu
cd "$(dirname "$0")/.."
build=build/example

tests/apt.sh g++ cmake ninja-build pkg-config libfmt-dev libcli11-dev nlohmann-json3-dev libdeflate-dev libzstd-dev \
    libblosc-dev liblz4-dev libbz2-dev liblzma-dev libzip-dev python3-zarr
cmake -S . -B $build -G Ninja -DCMAKE_BUILD_TYPE=Release -DSLABWISE_XTENSOR=OFF -DSLABWISE_XSIMD=OFF \
    -DSLABWISE_BUILD_TESTS=OFF -DSLABWISE_BUILD_BENCHMARKS=OFF >/dev/null
cmake --build $build --target slabwise_program

/usr/bin/python3 - $build/pr.zarr <<'PYTHON'
import sys
import numcodecs, numpy, zarr

time, lat, lon = numpy.ogrid[:156, :64, :128]
pr = zarr.open_array(sys.argv[1], "w", shape=(156, 64, 128), chunks=(25, 16, 32), dtype=">f4", compressor=numcodecs.GZip(1))
pr[:] = 1000 * time + lat + lon / 1000
pr.attrs.update(_ARRAY_DIMENSIONS=["time", "lat", "lon"], units="kg m-2 s-1")
PYTHON

selection=5:150:45,10:60:7,::-24
PATH=$PWD/$build/examples:$PATH
show() { printf '\n$ %s\n' "$*"; "$@"; }
show slabwise info $build/pr.zarr
show slabwise plan $build/pr.zarr $selection --limit 6 --svg $build/plan.svg
show slabwise read $build/pr.zarr $selection --stats
printf '\nThe plan as a picture: %s\n' "$PWD/$build/plan.svg"
