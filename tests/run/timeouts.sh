#!/bin/bash
# SPDX-License-Identifier: MIT
# Timers and time-outs of a runtime's own end, as natively.
. "$(dirname "$0")/lib.sh"
need python3

capture native limited python3 "$programs/timeouts.py"
ok native
grep -qx EXIT-SUCCESS log/native || fail "natively: $(cat log/native)"
for i in $(seq "$rounds"); do
    capture "detrun.$i" under 7 python3 "$programs/timeouts.py"
    same native "detrun.$i" "natively and under detrun"
done
exit 0
