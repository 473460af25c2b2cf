#!/bin/bash
# SPDX-License-Identifier: MIT
# property.sh shared|static: a property test of ten iterations in one process, whose seventh fails:
# recorded, listed and repeated, all of it and that iteration alone.
lib=${TEST_LIBRARY:?}
. "$(dirname "$0")/lib.sh"
need jq
case $1 in
shared) libraries=(-L"$lib" -ldetrun "-Wl,-rpath,$lib") ;;
static) libraries=(-static "$lib/libdetrun.a" -lsodium -pthread) ;;
*) fail "usage: property.sh shared|static" ;;
esac
gcc -O1 -o 'a test' "$programs/replication.c" -I"$source/include" "${libraries[@]}" || fail "cannot build"
seed=18 # of whose ten inputs the seventh is the one that fails

record() {
    local name=$1
    shift
    limited "$detrun" run --seed $seed --record "$name.jsonl" "$@" -- "./a test" >"$name.out" 2>"$name.err"
}

record all
[ $? = 1 ] || fail "it does not fail: $(cat all.out all.err)"
[ "$(grep -c . all.out)" = 10 ] || fail "not ten iterations: $(cat all.out)"
[ "$(grep -c lost all.out)" = 1 ] || fail "not one failure: $(cat all.out)"
valid all.jsonl
[ "$(jq -r 'select(.event == "iteration").iteration' all.jsonl | tr '\n' ' ')" = "1 2 3 4 5 6 7 8 9 10 " ] ||
    fail "iterations are not recorded in order"
jq 'select(.event == "failure" and .iteration == 7) |
    .test_name == "test_replication_invariant" and .input == {"nodes": "3", "partition": "2"} and
    .hosts == ["C"] and .calls[1].text == "Host C did not respond" and (.calls[1].ok | not) and
    .calls[0].ok and .job_seed == 18 and .reason == "a write was lost"' all.jsonl | grep -qx true ||
    fail "the failure: $(grep '"event":"failure"' all.jsonl)"
[ "$(jq -c 'select(.event == "failure" and .iteration != null)' all.jsonl | wc -l)" = 1 ] || fail "more failures"

# Another run's records are the same.
record again
diff <(jq -c 'del(.volatile)' all.jsonl) <(jq -c 'del(.volatile)' again.jsonl) >log/diff ||
    fail "two runs' records: $(cat log/diff)"

# Listed.
limited "$detrun" failures all.jsonl >listed
[ $? = 1 ] || fail "failures: status"
for text in 'test_replication_invariant, iteration 7: a write was lost' nodes=3 partition=2 \
    'C: Host C did not respond (failed)' --iteration=7; do
    grep -qF -- "$text" listed || fail "\"$text\" is not listed: $(cat listed)"
done

# That iteration alone, by the line as it stands.
jq -r 'select(.event == "failure" and .iteration == 7).reproduce' all.jsonl >line.sh
limited sh line.sh >alone.out 2>log/err
[ $? = 1 ] || fail "$(cat line.sh): $(cat log/err)"
diff <(grep '^7 ' all.out) alone.out >log/diff || fail "alone it is given other inputs: $(cat log/diff)"

limited "$detrun" replay all.jsonl --failure 1 >replayed.out 2>replayed.err ||
    fail "detrun replay: status $?: $(cat replayed.out replayed.err)"
grep -q '^detrun: reproduced' replayed.err || fail "detrun replay: $(cat replayed.err)"
diff alone.out replayed.out >log/diff || fail "detrun replay: $(cat log/diff)"

# Alone it is recorded as it was, but for its place in the order.
record one --iteration 7
iteration='select((.event == "iteration" or .event == "failure" or .event == "call") and .iteration == 7) |
    del(.volatile, .seq, .ts)'
diff <(jq -c "$iteration" all.jsonl) <(jq -c "$iteration" one.jsonl) >log/diff ||
    fail "alone it is recorded otherwise: $(cat log/diff)"
[ "$(jq -r 'select(.event == "iteration").iteration' one.jsonl)" = 7 ] || fail "others ran too"

# Natively, too; and what is no iteration is none that passes.
E2E_SEED=$seed DETRUN_ONLY_ITERATION=7:test_replication_invariant limited "./a test" >native.out
[ "$(cut -d' ' -f1 native.out)" = 7 ] || fail "natively: $(cat native.out)"
for word in x 0 7: 7x; do
    for how in native job; do
        : >none.out
        if [ "$how" = native ]; then
            DETRUN_ONLY_ITERATION=$word E2E_SEED=$seed limited "./a test" >none.out 2>none.err
        else
            DETRUN_ONLY_ITERATION=$word record none -q
        fi
        [ $? = 125 ] || fail "$how: DETRUN_ONLY_ITERATION=$word passes"
        [ "$(cat none.out none.err)" = "libdetrun: no iteration can be run: DETRUN_ONLY_ITERATION: \"$word\" is bad; give I or I:TEST, I from 1" ] ||
            fail "$how: DETRUN_ONLY_ITERATION=$word: $(cat none.out none.err)"
    done
done

# Fewer and more examples: the same inputs.
record few --max-examples 3 || fail "--max-examples 3: $(cat few.out few.err)"
[ "$(grep -c . few.out)" = 3 ] || fail "not three iterations: $(cat few.out)"
diff <(head -n 3 all.out) few.out >log/diff || fail "--max-examples changes inputs: $(cat log/diff)"
record many --max-examples 12
diff all.out <(head -n 10 many.out) >log/diff || fail "--max-examples changes inputs: $(cat log/diff)"
[ "$(grep -c . many.out)" = 12 ] || fail "--max-examples 12"
exit 0
