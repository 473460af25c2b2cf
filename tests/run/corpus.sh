#!/bin/bash
# SPDX-License-Identifier: MIT
# corpus.sh [busy]: the cases that must be SAME are, in every round, also with two busy loops beside;
# no case turns ERROR that is none natively, and every random case follows the seed.
corpus=${DETRUN_CORPUS:-}
. "$(dirname "$0")/lib.sh"
[ -n "$corpus" ] || corpus=$source/../shared/corpus
[ -x "$corpus/check.sh" ] || skip "no corpus: DETRUN_CORPUS names none, and there is none at $corpus"

must='001 002 004 011 012 015 016 017 020 022 023 025 027 028 030 031 032 034 036 039 040 041 043 047 050 068 070 071 073 105 108'
export BASE=$work/base

loops=()
stop_loops() {
    local loop
    for loop in "${loops[@]}"; do
        kill "$loop" 2>/dev/null
    done
}
trap stop_loops EXIT
if [ "${1:-}" = busy ]; then
    for _ in 1 2; do
        bash -c 'while :; do :; done' &
        loops+=($!)
    done
fi

cases=
for number in $must; do
    cases="$cases ${number}-*"
done
status=0
for round in $(seq "$rounds"); do
    CASES=$cases "$corpus/check.sh" "$detrun" --seed 7 -- >log/check 2>&1
    if grep -v '^TOTAL' log/check | grep -E ' (DIFF|ERROR) '; then
        echo "in round $round"
        status=1
    fi
done
[ $status = 0 ] || fail "cases that must be SAME are not"

if [ "${1:-}" != busy ]; then
    "$corpus/check.sh" >log/native 2>&1
    "$corpus/check.sh" "$detrun" --seed 7 -- >log/all 2>&1
    worse=$(comm -13 <(awk '$3 == "ERROR" { print $1 }' log/native | sort) \
        <(awk '$3 == "ERROR" { print $1 }' log/all | sort))
    [ -z "$worse" ] || fail "ERROR under detrun and not natively: $worse"
    tail -n 1 log/all
    "$corpus/seeds.sh" "$detrun" >log/seeds 2>&1 || fail "$(grep STUCK log/seeds)"
fi
exit 0
