#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_polls.sh [long]: how often a program looks for its child's end, with sleeps in between, does
# not hang on how fast the child computes. Long: again and again, beside two busy loops.
. "$(dirname "$0")/lib.sh"
runs=$rounds
if [ "${1:-}" = long ]; then
    runs=50 busy=()
    for i in 1 2; do
        sh -c 'while :; do :; done' &
        busy[i]=$!
    done
    trap 'kill "${busy[@]}"' EXIT
fi

compile waits_polls -D_GNU_SOURCE
capture native limited ./waits_polls
ok native
for way in wait4 any waitid ignored kill; do
    echo "$way: 1 5 1 5 1 5 1 5"
done >log/right
echo "blocked: 0 then 1 3" >>log/right
capture endless under 7 ./waits_polls endless
ok endless
for i in $(seq "$runs"); do
    capture "polls.$i" under 7 ./waits_polls
    ok "polls.$i"
    sed 's/ at .*//; /^status/d' "log/polls.$i" | diff log/right - || fail "run $i: not as often"
    same polls.1 "polls.$i" "run 1 and $i"
done
command -v python3 >/dev/null || exit 0
for i in $(seq "$runs"); do
    capture "python.$i" under 7 python3 "$programs/waits_polls.py"
    ok "python.$i"
    same python.1 "python.$i" "run 1 and $i of Python's"
done
exit 0
