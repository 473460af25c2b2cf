#!/bin/bash
# SPDX-License-Identifier: MIT
# The shim works without launcher, and is inert unless it is told to be on with a good seed.
. "$(dirname "$0")/lib.sh"

# with SETTING... -- COMMAND...: LD_PRELOAD only for the command itself
with() {
    local settings=()
    while [ "$1" != -- ]; do
        settings+=("$1")
        shift
    done
    shift
    limited env "${settings[@]}" LD_PRELOAD="$preload" "$@"
}

equal_alone() {
    capture a with E2E_DETERMINISTIC=1 E2E_SEED=1 -- "$@"
    ok a
    capture b with E2E_DETERMINISTIC=1 E2E_SEED=1 -- "$@"
    same a b "preload alone: $*"
    [ "${seeded:-yes}" = yes ] || return 0
    capture c with E2E_DETERMINISTIC=1 E2E_SEED=2 -- "$@"
    ok c
    seeds_differ a c
}

# inert SETTING...: two runs differ, and nothing is said
inert() {
    capture a with "$@" -- sh -c 'echo $$; uuidgen; head -c 8 /dev/urandom | od -An -tx1'
    ok a
    capture b with "$@" -- sh -c 'echo $$; uuidgen; head -c 8 /dev/urandom | od -An -tx1'
    ok b
    cmp -s log/a log/b && fail "not inert with $*"
    [ "$(wc -l <log/a)" = 4 ] || fail "with $* something is printed: $(cat log/a)"
}

equal_alone shuf -i 1-1000
equal_alone uuidgen
seeded=no equal_alone date +%s.%N
equal_alone sh -c 'echo "r $$"; for i in 1 2 3; do echo "r $(uuidgen)"; done'
equal_alone sh -c 'head -c 16 /dev/urandom | od -An -tx1'
equal_alone python3 -c 'import os, time, uuid; print("r", uuid.uuid4()); print("r", os.getpid()); print(time.time_ns())'
equal_alone env -i PATH=/usr/bin:/bin uuidgen
musl-gcc -O1 -o answer "$programs/answer.c" 2>/dev/null && equal_alone ./answer

inert NOTHING=1
inert E2E_SEED=1
inert E2E_DETERMINISTIC= E2E_SEED=1
for off in 0 false no off OFF; do
    inert E2E_DETERMINISTIC=$off E2E_SEED=1
done
for seed in -1 abc 0x 1_000 ' 1' 18446744073709551616; do
    inert E2E_DETERMINISTIC=1 "E2E_SEED=$seed"
done
inert E2E_DETERMINISTIC=perhaps E2E_SEED=1
for on in true YES On; do
    capture a with E2E_DETERMINISTIC=$on E2E_SEED=1 -- uuidgen
    capture b with E2E_DETERMINISTIC=1 E2E_SEED=0x1 -- uuidgen
    same a b "E2E_DETERMINISTIC=$on and 1"
done
exit 0
