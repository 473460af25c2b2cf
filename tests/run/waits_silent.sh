#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_silent.sh static|static_musl|go [RUNS]: what programs without the shim wait for takes as long as it
# should, whatever the machine does besides: two others compute all the time.
. "$(dirname "$0")/lib.sh"
runs=${2:-$rounds}

right_c() {
    printf '%s\n' "left 5" "alarm 5000000000" "-1, left 55.000000000" "nanosleep 5000000000" \
        "short sleeps 100000000" "threads 4000000000" "stopped 2000000000" \
        "stopped sleeper 8000000000" "child 3000000000" "pipe 2000000000" "status 0" >log/right
}

case $1 in
static)
    gcc -O1 -static -o waits "$programs/waits_silent.c" -pthread 2>log/gcc || skip "no static libc here"
    right_c
    ;;
static_musl)
    need musl-gcc
    musl-gcc -O1 -static -o waits "$programs/waits_silent.c" -pthread || fail "musl-gcc"
    right_c
    ;;
go)
    need go
    CGO_ENABLED=0 GOCACHE=$work/cache go build -o waits "$programs/waits_silent.go" || fail "go build"
    printf '%s\n' "short 15ms" "goroutines 815ms" "tick 1.065s" "tick 1.315s" "tick 1.565s" \
        "tick 1.815s" "command signal: killed 2.815s" "deadline context deadline exceeded 4.815s" \
        "sh 1735689605 5.815s" "after 30m5.815s" "func 30m6.815s" "end 30m7.315s" \
        "status 0" >log/right
    ;;
esac

busy=()
for _ in 1 2; do
    while :; do :; done &
    busy+=($!)
done
trap 'kill "${busy[@]}"' EXIT
for i in $(seq "$runs"); do
    capture "run.$i" under 7 ./waits
    cmp log/right "log/run.$i" || fail "run $i: $(cat "log/run.$i")"
done
exit 0
