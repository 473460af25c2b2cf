#!/bin/bash
# SPDX-License-Identifier: MIT
# A Check suite whose tests begin by detrun_test_begin(): each is given the same alone, in any order,
# in processes of their own and in one.
lib=${TEST_LIBRARY:?}
. "$(dirname "$0")/lib.sh"
need pkg-config
pkg-config --exists check || skip "check is not here"
read -ra flags < <(pkg-config --cflags --libs check)
gcc -O1 -o suite "$programs/suite.c" -I"$source/include" "${flags[@]}" -L"$lib" -ldetrun -Wl,-rpath,"$lib" ||
    fail "cannot build"

# suite NAME SEED [TEST...]: prints its tests by name
suite() {
    local name=$1 seed=$2
    shift 2
    limited "$detrun" --seed "$seed" --record "$name.jsonl" -- ./suite "$@" >"$name.out" 2>log/err ||
        fail "$name: status $?: $(cat log/err "$name.out")"
    sort "$name.out"
}

# All three natively: it passes, and nothing is equal.
limited ./suite one two three | sort >native || fail "natively"
[ "$(grep -c '^test_' native)" = 3 ] || fail "not three tests: $(cat native)"
suite first 5 one two three >all
[ "$(grep -c '^test_' all)" = 3 ] || fail "not three tests: $(cat all)"
for order in "three two one" "two three one" "three one two"; do
    for fork in yes no; do
        # shellcheck disable=SC2086 # words
        CK_FORK=$fork suite again 5 $order | diff all - >log/diff ||
            fail "$order, CK_FORK=$fork: $(cat log/diff)"
    done
done
for test in one two three; do
    suite alone 5 $test | diff <(grep "^test_$test " all) - >log/diff || fail "$test alone: $(cat log/diff)"
    CK_RUN_CASE=$test CK_FORK=no suite alone 5 one two three | diff <(grep "^test_$test " all) - >log/diff ||
        fail "$test by CK_RUN_CASE: $(cat log/diff)"
done
# The shim alone does the same, without records.
limited "$detrun" --seed 5 --no-supervisor -- ./suite three one two 2>log/err | sort | diff all - >log/diff ||
    fail "without a supervisor: $(cat log/diff log/err)"
suite other 6 one two three | comm -12 all - | grep . && fail "another seed gives the same"
[ "$(cut -d' ' -f2- all | sort -u | wc -l)" = 3 ] || fail "two tests are given the same"
valid first.jsonl
[ "$(jq -r 'select(.event == "stage").index' first.jsonl | sort -u)" = 0 ] || fail "stages do not count by test"
exit 0
