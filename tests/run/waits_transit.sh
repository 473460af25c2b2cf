#!/bin/bash
# SPDX-License-Identifier: MIT
# Both ends of a connection wait while TCP holds a segment back: that is no reason for time to pass.
. "$(dirname "$0")/lib.sh"
need python3

/usr/bin/python3 "$programs/transit.py" real >native || fail "natively"
grep -q 'longest [2-9][0-9] ms' native || skip "this kernel holds nothing back: $(cat native)"
for ((round = 1; round <= rounds; round++)); do
    limited "$detrun" --seed 3 -- /usr/bin/python3 "$programs/transit.py" >"log/$round" 2>&1 || fail "$(cat "log/$round")"
    [ "$(cat "log/$round")" = "30 bytes
after 0.000 s" ] || fail "round $round: $(cat "log/$round")"
done
exit 0
