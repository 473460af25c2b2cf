#!/bin/bash
# SPDX-License-Identifier: MIT
# The tree builds with clang, warnings being errors, and what it makes works.
. "$(dirname "$0")/lib.sh"
need clang cmake ninja

folder=$SOURCE/build/clang
{
    cmake -S "$SOURCE" -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
        -DCMAKE_C_COMPILER=clang -DDETRUN_WERROR=ON && cmake --build "$folder" -j 2
} >"${BUILD:?}/tests/clang.log" 2>&1 || {
    grep -E 'error|FAILED|Error' -A 3 "$BUILD/tests/clang.log" | head -n 60
    fail "the build with clang"
}
a=$("$folder/bin/detrun" --seed 7 -- shuf -i 1-99) b=$("$folder/bin/detrun" --seed 7 -- shuf -i 1-99)
if [ -z "$a" ] || [ "$a" != "$b" ]; then
    fail "built with clang, two runs differ"
fi
exit 0
