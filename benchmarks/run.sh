#!/bin/sh
# Measures every promised figure, prints a line `bar NAME VALUE BOUND ok|short|noisy` each, and exits 1 when one is short.
set -eu
cd "$(dirname "$0")/.."

tests/apt.sh g++ cmake ninja-build pkg-config python3 python3-numpy nlohmann-json3-dev libdeflate-dev libzstd-dev \
    libblosc-dev liblz4-dev libbz2-dev liblzma-dev libxtensor-dev libxsimd-dev xtl-dev libbenchmark-dev libhdf5-dev libnetcdf-dev \
    python3-zarr
cmake --preset benchmark
cmake --build --preset benchmark -j2

short=0
/usr/bin/python3 benchmarks/compile_time.py || short=1
for program in build/benchmark/benchmarks/*_bench; do
    "$program" --bars || short=1
done
/usr/bin/python3 benchmarks/copy_numpy.py || short=1
/usr/bin/python3 benchmarks/zarr_python.py || short=1
exit $short
