#!/bin/bash
# SPDX-License-Identifier: MIT
# No time passes while Go's scheduler naps before it finds who is to run: a goroutine's child sleeps on.
. "$(dirname "$0")/lib.sh"
need go
CGO_ENABLED=0 GO111MODULE=off GOCACHE=$work/cache go build -o waits_naps "$programs/waits_naps.go" ||
    fail "go build"
{
    printf '0s\n%.0s' 1 2 3 4 5 6 7 8 9 10
    printf '%s\n' 1m40s "status 0"
} >log/right
for i in $(seq "$rounds"); do
    capture "run.$i" under 7 ./waits_naps
    same right "run.$i" "run $i"
done
exit 0
