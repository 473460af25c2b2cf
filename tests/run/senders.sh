#!/bin/bash
# SPDX-License-Identifier: MIT
# senders.sh NAME: who sent a signal is told by its virtual pid, and the signals that libc sends
# between threads go on working.
. "$(dirname "$0")/lib.sh"

senders_python3() {
    need python3
    deterministic /usr/bin/python3 "$programs/senders.py"
}

senders_perl() {
    need perl
    deterministic perl "$programs/senders.pl"
}

senders_threads() {
    compile between_threads -pthread
    deterministic ./between_threads
}

# libc compares the sender with its pid, which here is the supervisor's to say.
senders_static_threads() {
    compile between_threads -static -pthread
    deterministic ./between_threads
}

senders_static() {
    compile senders
    compile sender -static
    deterministic ./senders ./sender ./sender
    capture counted limited "$detrun" -v --seed 7 -- ./senders ./sender
    ok counted
    if grep -q pids_outside_the_job log/counted; then
        fail "a sender from outside: $(cat log/counted)"
    fi
}

"senders_$1"
