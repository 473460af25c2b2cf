#!/bin/bash
# SPDX-License-Identifier: MIT
# Unit tests and launcher pass with AddressSanitizer and UBSan (preset asan; not inside guests).
. "$(dirname "$0")/lib.sh"
need cmake ninja

log=${BUILD:?}/tests/asan.log
{
    cmake --preset asan && cmake --build "$SOURCE/build/asan" -j 2
} >"$log" 2>&1 || {
    grep -E 'error|FAILED|Error' -A 3 "$log" | head -n 60
    fail "the build with sanitizers"
}
export ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
ctest --test-dir "$SOURCE/build/asan" -L unit --output-on-failure >"$log" 2>&1 || {
    tail -n 60 "$log"
    fail "unit tests with sanitizers"
}
for arguments in '--help' '--version' '--seed 7 -- true' '--seed 7 -v -- sh -c :' '--seed x -- true' \
    '--nonsense' '--seed 7 -- /nonexistent'; do
    # shellcheck disable=SC2086 # words
    "$SOURCE/build/asan/bin/detrun" $arguments >"$log" 2>&1
    if grep -qE 'Sanitizer|runtime error' "$log"; then
        cat "$log"
        fail "the launcher with sanitizers: detrun $arguments"
    fi
done
exit 0
