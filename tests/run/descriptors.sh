#!/bin/bash
# SPDX-License-Identifier: MIT
# A program finds the same descriptors as natively: none of ours is open, the lowest free is free.
. "$(dirname "$0")/lib.sh"

capture native ls /proc/self/fd
capture detrun under 7 ls /proc/self/fd
same native detrun "descriptors natively and under detrun"
capture native sh -c 'ls /proc/self/fd; exec 3</dev/null; ls /proc/self/fd'
capture detrun under 7 sh -c 'ls /proc/self/fd; exec 3</dev/null; ls /proc/self/fd'
same native detrun "descriptors of a child"
capture native python3 -c 'import os; print(os.open("/dev/null", 0), os.pipe(), os.open("/dev/urandom", 0))'
capture detrun under 7 python3 -c 'import os; print(os.open("/dev/null", 0), os.pipe(), os.open("/dev/urandom", 0))'
same native detrun "the lowest free descriptors"
# A daemon that closes everything goes on being answered.
same_output 2 python3 -c 'import os; os.closerange(3, 4096); print(os.urandom(8).hex(), os.getpid(), __import__("time").time())'
same_output 2 sh -c 'ulimit -n 16; head -c 8 </dev/urandom | od -An -tx1'
# Closed standard descriptors stay closed.
capture native sh -c 'ls -l /proc/self/fd <&- 2>&- | wc -l'
capture detrun under 7 sh -c 'ls -l /proc/self/fd <&- 2>&- | wc -l'
same native detrun "closed standard descriptors"
"$detrun" --seed 7 -- sh -c 'test -e /proc/self/fd/0' <&- && fail "a closed standard input was opened"
# Nothing is left to hand the job memory over by: the supervisor gives the same answers, and says so.
compile nothing_left
capture free under 7 ./nothing_left
ok free
for what in descriptor memory; do
    capture "$what" limited "$detrun" --seed 7 --summary summary -- ./nothing_left "$what"
    ok "$what"
    same free "$what" "no $what left"
    grep -q '"shims_without_job_memory".*"count": 1}' summary ||
        fail "the summary does not say that no $what was left"
done
exit 0
