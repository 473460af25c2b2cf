#!/bin/bash
# SPDX-License-Identifier: MIT
# A sleeper that is stopped when its time would come, and continued later, goes on then.
. "$(dirname "$0")/lib.sh"
limit=20
stop='sleep 3600 & sleep 1; kill -STOP $!; sleep 4000; kill -CONT $!; wait $!; echo status $?; date +%s'
for i in 1 2 3 4 5; do
    capture "stopped.$i" under 7 bash -c "$stop"
    grep -qx 'status 0' "log/stopped.$i" || fail "run $i: $(cat "log/stopped.$i")"
    same stopped.1 "stopped.$i" "run $i"
done
exit 0
