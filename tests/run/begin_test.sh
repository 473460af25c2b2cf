#!/bin/bash
# SPDX-License-Identifier: MIT
# What a test of a program is answered follows from its key alone: alone, after others, in another
# job; with the shim, in a static program, with the shim alone.
# begin_test.sh shim|static|alone
. "$(dirname "$0")/lib.sh"
need gcc
mode=$1
options=()
static=()
case $mode in
static) static=(-static) ;;
alone) options=(--no-supervisor) ;;
esac
gcc -O1 "${static[@]}" -I "$source/include" -o begin "$programs/begin_test.c" || fail "cannot compile"

# part NAME FILE: what the test of that name printed; a static program knows the kernel's ids
part() { sed -n "/^$1 /,/^pid/p" "$2" | if [ "$mode" = static ]; then sed '/^pid/d'; else cat; fi; }

./begin a >native 2>&1 && fail "it begins without a job"
limited "$detrun" --seed 1 "${options[@]}" -- ./begin a >one || fail "alone: $(cat one)"
limited "$detrun" --seed 1 "${options[@]}" -- ./begin -n b -n a >two || fail "after another: $(cat two)"
limited "$detrun" --seed 2 "${options[@]}" --test-name other -- sh -c './begin -n; exec ./begin a b' >three ||
    fail "in another job: $(cat three)"
[ "$(wc -l <one)" = 4 ] || fail "it saw: $(cat one)"
for file in two three; do
    part a "$file" | diff <(part a one) - >log/diff || fail "$mode: a alone and in $file: $(cat log/diff)"
    part b "$file" | diff <(part a one) - >log/diff && fail "a and b see the same"
done
diff <(part b two) <(part b three) >log/diff || fail "$mode: b: $(cat log/diff)"
exit 0
