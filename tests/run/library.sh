#!/bin/bash
# SPDX-License-Identifier: MIT
# library.sh shared|static|musl|musl_static|python|installed: the public library in programs of each
# kind: natively it is inert, in a job it follows the seed.
lib=${TEST_LIBRARY:?}
. "$(dirname "$0")/lib.sh"

# build COMPILER LIBRARIES...: ./library
build() {
    local compiler=$1
    shift
    "$compiler" -std=c11 -D_DEFAULT_SOURCE -O1 -o library "$programs/library.c" -I"$source/include" "$@" ||
        fail "cannot build with $compiler $*"
}

# A musl program takes libsodium.a, made for glibc, and the one name that musl lacks.
build_musl() {
    need musl-gcc
    local sodium
    sodium=$(gcc -print-file-name=libsodium.a)
    [ -e "$sodium" ] || skip "libsodium.a is not here"
    musl-gcc -O1 -c -o musl_sodium.o "$source/launcher/musl_sodium.c" || fail "cannot build for musl"
    build musl-gcc "$@" "$lib/libdetrun.a" "$sodium" musl_sodium.o
}

# In a job all is equal that the seed does not make, and the seed's own follows it.
check_in_job() {
    differs_by_seed "$@"
    same_output 3 "$@"
}

# Without detrun: the environment alone.
check_natively() {
    unset E2E_DETERMINISTIC E2E_SEED E2E_TIME_STEP_MS
    capture native limited "$@"
    ok native
    grep -qE '^r (library|python)_[0-9]+_[0-9]+$' log/native || fail "no run id of its own: $(cat log/native)"
    export E2E_DETERMINISTIC=1 E2E_SEED=42 E2E_TIME_STEP_MS=7
    capture env.1 limited "$@"
    capture env.2 limited "$@"
    ok env.1
    grep -qE '^r (library|python)_seed42$' log/env.1 || fail "no deterministic run id"
    unset E2E_DETERMINISTIC E2E_SEED E2E_TIME_STEP_MS
}

# What the fixture says of a seed natively is what it says in the job of that seed.
check_agrees() {
    E2E_DETERMINISTIC=1 E2E_SEED=7 capture outside limited "$@"
    capture inside under 7 "$@"
    cmp -s <(sed -n 2p log/outside) <(sed -n 2p log/inside) || fail "test seeds differ in and outside of a job"
    cmp -s <(grep -E '^r [0-9]+ ' log/outside) <(grep -E '^r [0-9]+ ' log/inside) ||
        fail "iterations' seeds differ in and outside of a job"
}

check() {
    check_natively "$@"
    check_agrees "$@"
    check_in_job "$@"
}

# The tree as it is installed: pkg-config and find_package find it, and its programs run.
check_installed() {
    need cmake pkg-config g++
    cmake --install "${detrun%/bin/*}" --prefix "$work/prefix" >log/install 2>&1 || fail "$(tail -n 5 log/install)"
    local pc
    pc=$(find "$work/prefix" -name detrun.pc)
    export PKG_CONFIG_PATH=${pc%/*}
    lib=$(pkg-config --variable=libdir detrun)
    # shellcheck disable=SC2046 # words
    gcc -o by_pc "$programs/library.c" $(pkg-config --cflags --libs detrun) -Wl,-rpath,"$lib" ||
        fail "cannot build by pkg-config"
    mkdir -p project
    cp "$programs/library.c" project/
    printf '#include <detrun.h>\nint main() { return detrun_in_job(); }\n' >project/cxx.cc
    cat >project/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C CXX)
find_package(detrun 0.1 REQUIRED)
add_executable(by_shared library.c)
target_link_libraries(by_shared PRIVATE detrun::detrun)
add_executable(by_static library.c)
target_link_libraries(by_static PRIVATE detrun::static)
add_executable(by_cxx cxx.cc)
target_link_libraries(by_cxx PRIVATE detrun::detrun)
END
    { cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$work/prefix" &&
        cmake --build project/build; } >log/project 2>&1 || fail "$(tail -n 20 log/project)"
    limited ./project/build/by_cxx || fail "a C++ program"
    limited "$detrun" --seed 7 -- ./project/build/by_cxx
    [ $? = 1 ] || fail "a C++ program does not see its job"
    for program in ./by_pc ./project/build/by_shared ./project/build/by_static; do
        capture "${program##*/}" limited "$detrun" --seed 7 --test-name t -- "$program"
        ok "${program##*/}"
        same by_pc "${program##*/}" "programs of each kind"
    done
}

case $1 in
shared)
    build gcc -L"$lib" -ldetrun -Wl,-rpath,"$lib"
    check ./library
    ;;
static)
    build gcc -static "$lib/libdetrun.a" -lsodium -pthread
    check ./library
    ;;
musl)
    build_musl
    check ./library
    ;;
musl_static)
    build_musl -static
    check ./library
    ;;
python)
    need python3
    check python3 "$programs/library.py" "$lib/libdetrun.so.0"
    ;;
installed) check_installed ;;
*) fail "usage: library.sh shared|static|musl|musl_static|python|installed" ;;
esac
