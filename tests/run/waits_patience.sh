#!/bin/bash
# SPDX-License-Identifier: MIT
# After seconds of computing time-outs run out without waiting for it; but whoever goes to sleep then
# still has its turn, where the others come to rest soon.
. "$(dirname "$0")/lib.sh"
compile waits_patience -D_GNU_SOURCE -pthread
printf '%s\n' 0 1 2 3 4 5 "status 0" >log/right
for i in $(seq "$rounds"); do
    capture "run.$i" limited "$detrun" --seed 7 --real cputime -- ./waits_patience
    same right "run.$i" "run $i"
done
exit 0
