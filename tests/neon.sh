#!/bin/sh
# The tests of the copy, compiled for ARMv8 with its 16-byte vectors and run by an emulator.
set -eu
cd "$(dirname "$0")/.."

tests/apt.sh g++-aarch64-linux-gnu qemu-user-static libgtest-dev
build=build/neon
gtest=/usr/src/googletest/googletest
mkdir -p $build
compile() { aarch64-linux-gnu-g++ -std=c++20 -O1 -I$gtest "$@"; }
compile -c $gtest/src/gtest-all.cc -o $build/gtest-all.o &
for test in kernels transpose copy_program fill_program; do
    compile -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -Iinclude -Itests \
        -c tests/copy/${test}_test.cpp -o $build/${test}_test.o
done
wait
compile -static $gtest/src/gtest_main.cc $build/*.o -o $build/copy_test
qemu-aarch64-static $build/copy_test --gtest_brief=1
