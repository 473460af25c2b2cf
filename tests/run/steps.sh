#!/bin/bash
# SPDX-License-Identifier: MIT
# k reads by one thread are exactly k steps, through every door, on wall and monotonic clocks.
. "$(dirname "$0")/lib.sh"

compile steps
gcc -O1 -static -o steps_static "$programs/steps.c" || fail "cannot link statically"

# expect PROGRAM K WALL_MS MONO_MS LABEL: log/steps holds what it printed
expect() {
    local name moved step
    while read -r name moved; do
        case $name in
        wall*) step=$3 ;;
        mono*) step=$4 ;;
        *) continue ;;
        esac
        [ "$moved" = $((step * $2 * 1000000)) ] ||
            fail "$1, $5: $2 reads of $name moved it by $moved ns, not $2 steps of $step ms"
    done <log/steps
    [ "$(grep -c ' ' log/steps)" -ge 6 ] || fail "$1 printed: $(cat log/steps)"
}

for program in ./steps ./steps_static; do
    for k in 1 100; do
        for ms in 0 1 16 250; do
            E2E_TIME_STEP_MS=$ms capture steps under 7 "$program" "$k"
            expect "$program" "$k" "$ms" "$ms" "E2E_TIME_STEP_MS=$ms"
        done
        capture steps under 7 "$program" "$k"
        expect "$program" "$k" 16 0 "no step set"
        capture steps limited "$detrun" --seed 7 --step 5ms --mono-step 0 -- "$program" "$k"
        expect "$program" "$k" 5 0 "--step 5ms --mono-step 0"
        capture steps limited "$detrun" --seed 7 --mono-step 2ms -- "$program" "$k"
        expect "$program" "$k" 16 2 "--mono-step 2ms"
    done
done

# A detector with a limit of 200 ms trips at 250, not at 16.
detector='import time; a = time.time(); b = time.time(); print("slow" if b - a > 0.2 else "fine")'
[ "$(E2E_TIME_STEP_MS=250 under 7 python3 -c "$detector")" = slow ] || fail "250 ms does not trip"
[ "$(E2E_TIME_STEP_MS=16 under 7 python3 -c "$detector")" = fine ] || fail "16 ms trips"

# Virtual time starts at the epoch.
[ "$(under 7 date -u +%Y-%m-%d)" = 2025-01-01 ] || fail "the default epoch is not 2025-01-01"
[ "$(SOURCE_DATE_EPOCH=86400 under 7 date -u +%F)" = 1970-01-02 ] || fail "SOURCE_DATE_EPOCH"
[ "$(limited "$detrun" --seed 7 --epoch 2031-05-06T07:08:09Z -- date -u +%FT%H:%M)" = 2031-05-06T07:08 ] ||
    fail "--epoch"
exit 0
