#!/bin/bash
# SPDX-License-Identifier: MIT
# Who wakes another thread and goes to sleep while the keeper looks holds time still: the woken one has
# not run yet, and is where its waker was.
. "$(dirname "$0")/lib.sh"
need taskset
taskset -c 0 true 2>/dev/null || skip "the first processor is not ours"
compile waits_between -D_GNU_SOURCE -pthread
taskset -c 0 bash -c 'while :; do :; done' &
busy=$!
trap 'kill "$busy"' EXIT
capture native limited ./waits_between
ok native
printf '%s\n' "0 of 60 later than they were told" "status 0" >log/right
for i in $(seq "$rounds"); do
    capture "run.$i" under 7 ./waits_between
    same right "run.$i" "run $i"
done
exit 0
