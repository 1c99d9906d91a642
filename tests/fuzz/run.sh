#!/bin/sh
# tests/fuzz/run.sh [SECONDS [TARGET...]]: builds the fuzz targets with clang and its sanitizers, makes the inputs that they
# start from, and runs each for that long, 5 seconds unless said here or by SLABWISE_FUZZ_SECONDS. What is found stays in
# build/fuzz/found, the inputs that reach more in build/fuzz/TARGET. Fails when anything was found.
set -eu
cd "$(dirname "$0")/../.."

tests/apt.sh clang nlohmann-json3-dev libdeflate-dev libzstd-dev libblosc-dev liblz4-dev libbz2-dev liblzma-dev \
    python3-numpy python3-zarr
seconds=${1:-${SLABWISE_FUZZ_SECONDS:-5}}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- metadata shard codec blosc
build=build/fuzz
mkdir -p $build/found
/usr/bin/python3 tests/fuzz/seeds.py $build

compiler=clang++
if command -v ccache >/dev/null; then
    compiler="ccache clang++"
fi
compile() {
    $compiler -std=c++20 -O1 -g1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer \
        -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -Iinclude \
        -DSLABWISE_FUZZ="\"tests/fuzz\"" -DSLABWISE_FUZZ_CODECS="\"$build/codecs.jsonl\"" \
        -c "tests/fuzz/$1_fuzz.cpp" -o "$build/$1_fuzz.o"
    clang++ -fsanitize=fuzzer,address,undefined "$build/$1_fuzz.o" -o "$build/$1_fuzz" \
        -ldeflate -lzstd -lblosc -llz4 -lbz2 -llzma
}
# Memory that cannot be had is an answer, as without sanitizers.
export ASAN_OPTIONS=allocator_may_return_null=1

code=0
for target; do
    compile "$target"
    longest=4096
    words=
    if [ "$target" = metadata ]; then
        longest=8192
        words=-dict=$build/metadata.dict
    fi
    echo "fuzzing $target for $seconds s"
    "$build/${target}_fuzz" -max_total_time="$seconds" -max_len=$longest $words -timeout=20 -rss_limit_mb=2048 \
        -keep_seed=1 -print_final_stats=1 -artifact_prefix="$build/found/$target-" "$build/$target" >"$build/$target.log" 2>&1 || {
        code=1
        tail -60 "$build/$target.log"
    }
    grep -E 'DONE|stat::number_of_executed_units' "$build/$target.log" || true
done
exit $code
