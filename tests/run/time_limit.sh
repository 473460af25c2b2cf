#!/bin/bash
# SPDX-License-Identifier: MIT
# --timeout ends a job, whatever it is at, and says so.
. "$(dirname "$0")/lib.sh"
limit=30

# ended NAME COMMAND...: by its time limit, with the summary written
ended() {
    local name=$1
    shift
    rm -f summary.json
    capture "$name" limited "$detrun" --seed 1 --timeout 0.5 --summary summary.json -- "$@"
    grep -qx "status 125" "log/$name" || fail "$name: $(cat "log/$name")"
    grep -q -- 'ended after its --timeout of 0.5 s' "log/$name" || fail "$name says nothing: $(cat "log/$name")"
    grep -q '^{' summary.json || fail "$name: no summary"
    tail -n 1 summary.json | grep -q '}' || fail "$name: half a summary"
}

ended sleeping sleep infinity
ended with_children sh -c 'sleep infinity; true'
ended stopped sh -c 'kill -STOP $$'
ended stopped_child sh -c 'sleep infinity & kill -STOP $!; wait'
ended deaf sh -c 'trap "" TERM; while :; do :; done'

capture no_limit limited "$detrun" --seed 1 --timeout 0 -- sh -c 'exit 3'
grep -qx "status 3" log/no_limit || fail "$(cat log/no_limit)"

capture not_there limited "$detrun" --seed 1 --summary summary.json -- ./not-there
grep -qx "status 127" log/not_there || fail "$(cat log/not_there)"
exit 0
