#!/bin/sh
# SPDX-License-Identifier: MIT
# run-guest.sh DETRUN GUEST SOURCE WORK: one guest natively; under detrun twice with one seed (equal)
# and once with another (different, unless the source says "seed: same"); and twice without
# supervisor (equal).
set -u
detrun=$1 guest=$2 source=$3 work=$4
mkdir -p "$work" && cd "$work" || exit 1

fail() {
    echo "FAIL: $*"
    exit 1
}

# run NAME COMMAND...: output to NAME.out, the environment a fixed one.
run() {
    name=$1
    shift
    env -i PATH="$PATH" LC_ALL=C "$@" <"/dev/null" >"$name.out" 2>"$name.err"
    status=$?
    if [ $status -ne 0 ] || [ "$(tail -n 1 "$name.out")" != EXIT-SUCCESS ]; then
        tail -n 5 "$name.out"
        head -n 20 "$name.err"
        fail "$name: status $status"
    fi
}

same() {
    cmp -s "$1.out" "$2.out" && return
    diff "$1.out" "$2.out" | head -n 20
    fail "$1 and $2 differ"
}

run native timeout 60 "$guest"
for name in first second; do
    run $name GUEST_DETRUN=1 timeout 60 "$detrun" --seed 7 -q -- "$guest"
done
same first second
run other GUEST_DETRUN=1 timeout 60 "$detrun" --seed 8 -q -- "$guest"
if grep -q 'seed: same' "$source"; then
    same first other
elif cmp -s first.out other.out; then
    fail "two seeds gave one output"
fi
for name in alone_first alone_second; do
    run $name GUEST_DETRUN=1 GUEST_ALONE=1 \
        timeout 60 "$detrun" --seed 7 -q --no-supervisor -- "$guest"
done
same alone_first alone_second
