#!/bin/bash
# SPDX-License-Identifier: MIT
# spin.sh NAME: a loop that spins for 10 s on any clock ends within a second or two.
. "$(dirname "$0")/lib.sh"

# ends_within MS COMMAND...
ends_within() {
    local most=$1
    shift
    milliseconds under 7 "$@"
    ok timed
    [ "$elapsed" -le "$most" ] || fail "$* took $elapsed ms, more than $most: $(cat log/timed)"
    echo "$elapsed ms: $*"
}

spin_c() {
    compile spin
    # 16 loops
    ends_within 4000 ./spin
    same_output 2 ./spin
}

spin_static_c() {
    gcc -O1 -static -o spin_static "$programs/spin.c" || fail "cannot link statically"
    # 16 loops, each read a notification
    ends_within 20000 ./spin_static
    same_output 2 ./spin_static
}

spin_python() {
    local clock
    for clock in time monotonic perf_counter process_time thread_time; do
        ends_within 2500 python3 -c "import time
start = time.$clock()
while time.$clock() - start < 10: pass"
    done
}

spin_shell() {
    # Each date is a process of its own that reads the clock once, 16 ms that its parent takes over:
    # some 600 processes.
    ends_within 15000 sh -c 'end=$(($(date +%s) + 10)); while [ "$(date +%s)" -lt "$end" ]; do :; done'
    ends_within 2500 bash -c 'end=$((SECONDS + 10)); while [ "$SECONDS" -lt "$end" ]; do :; done'
    ends_within 2500 bash -c 'end=$((EPOCHSECONDS + 10)); while [ "$EPOCHSECONDS" -lt "$end" ]; do :; done'
}

"spin_$1"
