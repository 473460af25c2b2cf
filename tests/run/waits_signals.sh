#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_signals.sh LINKED [long]: signals, cancellation, stops and timers end a wait as natively, after
# exactly the time that passed for who sent them. LINKED: shared or static.
# Long: natively and in real time as well.
. "$(dirname "$0")/lib.sh"
checks=318
flags=()
silent=()
[ "$1" = shared ] || { flags=(-static) silent=(silent) checks=305; }
gcc -O1 "${flags[@]}" -o signals "$programs/waits_signals.c" -D_GNU_SOURCE -pthread 2>log/gcc ||
    { [ "$1" = static ] && skip "no static libc here"; fail "gcc: $(cat log/gcc)"; }

# passed NAME
passed() {
    [ "$(tail -n 2 "log/$1")" = "checks $checks failures 0
status 0" ] || fail "$1: $(cat "log/$1")"
}

natively() {
    local attempt
    # A busy machine delays the signal beyond the end of the wait.
    for attempt in 1 2 3 4 5; do
        capture native limited ./signals native "${silent[@]}"
        grep -q 'failures 0' log/native && break
        echo "attempt $attempt: $(cat log/native)"
    done
    passed native
}

# passes NAME WAIT
passes() {
    capture "$1" limited "$detrun" --seed 7 "--wait=$2" -- ./signals exact "${silent[@]}"
    passed "$1"
}

if [ "${2:-}" = long ]; then
    natively
    passes real real
fi
for i in $(seq "$rounds"); do
    passes "warp.$i" warp
done
exit 0
