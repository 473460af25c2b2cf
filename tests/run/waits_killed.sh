#!/bin/bash
# SPDX-License-Identifier: MIT
# A sleeper that a program without the shim has killed is about to die: its time is not waited for.
. "$(dirname "$0")/lib.sh"
need taskset chrt
taskset -c 0 true 2>/dev/null || skip "the first processor is not ours"
gcc -O1 -static -o waits_killed "$programs/waits_killed.c" -D_GNU_SOURCE 2>/dev/null || skip "no static libc here"
taskset -c 0 bash -c 'while :; do :; done' &
busy=$!
trap 'kill "$busy"' EXIT
printf '%s\n' "1000 ms" "status 0" >log/right
for i in $(seq "$rounds"); do
    capture "run.$i" under 7 ./waits_killed
    same right "run.$i" "run $i"
done
exit 0
