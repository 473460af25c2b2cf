#!/bin/bash
# SPDX-License-Identifier: MIT
# A job that waits for ever is left alone: detrun looks after it more and more seldom.
. "$(dirname "$0")/lib.sh"
need pgrep

# switches PID...: how often these have gone on after a wait
switches() {
    local pid sum=0 n
    for pid; do
        n=$(sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$pid/status")
        sum=$((sum + n))
    done
    echo "$sum"
}

mkfifo never
"$detrun" --seed 7 -- sh -c 'echo here >here; read x <never' &
job=$!
trap 'kill "$job"' EXIT
wait_for here
sleep 4
ours=("$job")
read -r -a more < <(pgrep -P "$job" -x detrun | tr '\n' ' ')
ours+=("${more[@]}")
[ "${#ours[@]}" -ge 2 ] || fail "no supervisor: ${ours[*]}"
before=$(switches "${ours[@]}")
sleep 6
after=$(switches "${ours[@]}")
[ $((after - before)) -le 3 ] || fail "$((after - before)) wake-ups in 6 s"
exit 0
