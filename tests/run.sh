#!/bin/sh
# Installs what the tests need (Debian 12), builds the library's programs and tests with g++, and runs the tests.
set -eu
cd "$(dirname "$0")/.."

tests/apt.sh g++ cmake ninja-build pkg-config libgtest-dev libfmt-dev libcli11-dev nlohmann-json3-dev libdeflate-dev \
    libzstd-dev libblosc-dev liblz4-dev libbz2-dev liblzma-dev libzip-dev libxtensor-dev libxsimd-dev xtl-dev python3-numpy \
    python3-zarr python3-netcdf4
cmake --preset release
cmake --build --preset release -j2
ctest --preset release -j2
