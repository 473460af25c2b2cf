#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_stress.sh [SECONDS]: 200 threads in random timed waits and wakes, again and again for so many
# seconds: nothing is lost, nothing hangs, nothing returns before its time.
. "$(dirname "$0")/lib.sh"
end=$(($(date +%s) + ${1:-5}))
limit=300

compile waits_stress -D_GNU_SOURCE -pthread
gcc -O1 -static -o waits_stress_static "$programs/waits_stress.c" -D_GNU_SOURCE -pthread 2>/dev/null ||
    cp waits_stress waits_stress_static
capture native limited ./waits_stress 1
ok native

# stress NAME COMMAND...
stress() {
    local name=$1
    shift
    capture "$name" limited "$@"
    [ "$(tail -n 1 "log/$name")" = "status 0" ] || fail "$*: $(cat "log/$name")"
    grep -q '^sent 6400$' "log/$name" || fail "$*: $(cat "log/$name")"
}

round=0
while [ "$round" = 0 ] || [ "$(date +%s)" -lt "$end" ]; do
    round=$((round + 1))
    stress warp "$detrun" --seed "$round" --wait=warp -- ./waits_stress "$round"
    stress real "$detrun" --seed "$round" --wait=real -- ./waits_stress "$round"
    stress static "$detrun" --seed "$round" --wait=warp -- ./waits_stress_static "$round"
done
echo "$round rounds; the last: $(grep -h received log/warp log/real log/static | tr '\n' ';')"
exit 0
