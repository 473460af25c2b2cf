#!/bin/bash
# SPDX-License-Identifier: MIT
# faults.sh FAULT: a program with one fault. verify says that it diverges, and in which of its stages
# first; diff says so of two runs, and what kind of difference it is. With the source of the fault
# controlled it is the same, where detrun can control it.
. "$(dirname "$0")/lib.sh"
compile faults -pthread
fault=$1
stages=(--artifact input --artifact work --artifact result)

# verify STATUS OPTIONS... -- COMMAND
verify() {
    local status=$1 got
    shift
    limited "$detrun" verify --seed 5 "${stages[@]}" "$@" >log/out 2>log/err
    got=$?
    [ "$got" = "$status" ] || fail "verify $*: status $got, not $status: $(cat log/out log/err)"
}

# parts KIND WHERE OPTIONS... -- COMMAND: KIND and WHERE (an extended regular expression) are what
# verify and diff say of the stage "work"
parts() {
    local kind=$1 where=$2 side
    shift 2
    verify 1 "$@"
    grep -qE "^run 1 and run [234] part in work at byte [0-9]+, line [0-9]+ \($kind" log/out || fail "verify: $(cat log/out)"
    grep -qE '^work: differs in [1-3] of 3 runs$' log/out || fail "verify, the stage: $(cat log/out)"
    ! grep -q '^input: differs' log/out || fail "verify, the input: $(cat log/out)"
    for side in a b; do
        limited "$detrun" -q --seed 5 "$@" >/dev/null 2>log/err || fail "run $side: $(cat log/err)"
        mkdir -p "$side"
        mv input work result "$side"
    done
    limited "$detrun" diff --stage input=input --stage work=work --stage result=result a b >log/out
    grep -qx 'input: same' log/out || fail "diff: $(cat log/out)"
    grep -qx "first change: work: $kind" log/out || fail "diff, the kind: $(cat log/out)"
    grep -qE "at $where; bytes part" log/out || fail "diff, the place: $(cat log/out)"
    grep -qx 'input is the same: it is not to blame' log/out || fail "diff, the blame: $(cat log/out)"
}

case $fault in
clock)
    parts values 'line 2' --no-supervisor -- ./faults clock
    verify 0 -- ./faults clock
    ;;
race) parts values 'line 1' -- ./faults race ;;
pointers)
    parts 'order of lines' 'line [0-9]+' --real aslr -- ./faults pointers
    verify 0 -- ./faults pointers
    ;;
directory)
    folder=$(mktemp -d -p /dev/shm 2>/dev/null) || skip "there is no /dev/shm"
    trap 'rm -rf "$folder"' EXIT
    [ "$(stat -f -c %T "$folder")" = tmpfs ] || skip "/dev/shm is no tmpfs, which lists names as they came"
    touch "$folder"/{one,two,three,four,five}
    parts 'order of lines' 'line 1' --real dirs -- ./faults directory "$folder"
    verify 0 -- ./faults directory "$folder"
    ;;
random)
    parts values 'line 1' --real random -- ./faults random
    verify 0 -- ./faults random
    ;;
sum) parts values 'line 1' -- ./faults sum ;;
environment)
    # shellcheck disable=SC2016
    parts values 'line 1' --real pid -- sh -c 'BUILD_NUMBER=$$ exec ./faults environment'
    # shellcheck disable=SC2016
    verify 0 -- sh -c 'BUILD_NUMBER=$$ exec ./faults environment'
    ;;
external)
    echo 1 >price
    verify 0 -- ./faults external price
    (while sleep 0.01; do date +%N >price.new && mv price.new price; done) &
    writer=$!
    trap 'kill "$writer"' EXIT
    # In real time, so that another price is there when the next one runs.
    parts values 'line 1' --wait real -- sh -c './faults external price; sleep 0.1'
    ;;
mtime)
    parts values 'line 1' --real mtimes -- ./faults mtime
    verify 0 -- ./faults mtime
    ;;
json)
    parts 'key order' '[$]' --real aslr -- ./faults json
    verify 0 -- ./faults json
    ;;
esac
