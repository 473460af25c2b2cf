#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_table.sh LINKED: every way to wait for a time ends as natively, with the clock at its
# deadline. LINKED: shared, static (an image without the shim, which has the kernel's time limits of
# sockets) or musl. Hours pass in no time, and with --wait=real as much virtual time as really.
. "$(dirname "$0")/lib.sh"
table=$programs/waits_table.c

# counted NAME ROWS CHECKS: all rows were checked, but for those that the kernel has not
counted() {
    local missing
    ok "$1"
    missing=$(grep -c '^missing: ' "log/$1")
    grep -qE "^rows $2 checks [0-9]+ failures 0\$" "log/$1" || fail "$1: $(cat "log/$1")"
    [ "$missing" -gt 0 ] || grep -q " checks $3 " "log/$1" || fail "$1: $(cat "log/$1"), not $3 checks"
}

silent=()

# table ROWS CHECKS LARGE [OPTION...]: LARGE is how many checks there are with times of an hour too
table() {
    local rows=$1 checks=$2 large=$3 wait
    shift 3
    capture native limited ./table native "${silent[@]}"
    counted native "$rows" "$checks"
    capture real limited "$detrun" --seed 7 --wait=real "$@" -- ./table exact "${silent[@]}"
    counted real "$rows" "$checks"
    for wait in warp again; do
        capture "$wait" limited "$detrun" --seed 7 --wait=warp "$@" -- ./table exact large "${silent[@]}"
        counted "$wait" "$rows" "$large"
    done
    same warp again "times of an hour"
}

case $1 in
shared)
    gcc -O1 -o table "$table" -D_GNU_SOURCE -pthread || fail "gcc"
    table 74 233 307
    ;;
static)
    gcc -O1 -static -o table "$table" -D_GNU_SOURCE -pthread 2>/dev/null || skip "no static libc here"
    silent=(silent)
    table 61 207 268
    ;;
musl)
    # Its timed waits read the clock themselves: a read takes no time here.
    need musl-gcc
    musl-gcc -O1 -o table "$table" -D_GNU_SOURCE -pthread || fail "musl-gcc"
    table 65 199 264 --step 0
    ;;
esac
exit 0
