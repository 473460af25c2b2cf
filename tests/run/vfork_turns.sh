#!/bin/bash
# SPDX-License-Identifier: MIT
# A vfork child runs on its parent's memory: the order of the parent's threads outlives it.
. "$(dirname "$0")/lib.sh"

compile vfork_turns -pthread -D_GNU_SOURCE
for round in $(seq "$rounds"); do
    capture "$round" under 7 ./vfork_turns
    ok "$round"
    cmp -s <(head -n 2 "log/$round") <(printf 'worker\nsleeper\n') || fail "$(cat "log/$round")"
done
exit 0
