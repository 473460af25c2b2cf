#!/bin/bash
# SPDX-License-Identifier: MIT
# A wait for a time that has come, and the second look after a time-out, take a nanosecond, in which
# all others come to rest: the same in every run.
. "$(dirname "$0")/lib.sh"
compile waits_overdue -D_GNU_SOURCE -pthread
capture native limited ./waits_overdue
ok native
{
    printf '%s: 2 rounds, 1 late\n' condition sleep
    printf '%s: 3 rounds, 1 late\n' ppoll poll select epoll
} >log/right
printf '%s\n' "stamps: 0 of the future, 100 taken" "status 0" >>log/right
for i in $(seq "$rounds"); do
    capture "run.$i" under 7 ./waits_overdue
    same right "run.$i" "run $i"
done
capture flag under 7 ./waits_overdue flag
ok flag
exit 0
