#!/bin/bash
# SPDX-License-Identifier: MIT
# What a program finds in its environment: the seed in decimal, and the same text in every run.
. "$(dirname "$0")/lib.sh"

seed_seen() {
    [ "$(under "$1" sh -c 'echo $E2E_SEED')" = "$2" ] || fail "--seed $1 does not show as $2"
}

seed_seen 0xFF 255
seed_seen 0 0
seed_seen 0XdeadBEEF 3735928559
seed_seen 18446744073709551615 18446744073709551615

same_output 3 sh -c 'printenv | sort'
grep -qx 'E2E_DETERMINISTIC=1' log/same.1 || fail "E2E_DETERMINISTIC is not exported"
grep -qx 'E2E_TIME_STEP_MS=16' log/same.1 || fail "E2E_TIME_STEP_MS is not exported"
same_output 3 env

# The size of the environment moves the stack: it is the same in every run, and with every seed
# of the same length.
same_output 3 python3 -c 'print(sum(map(len, open("/proc/self/environ").read())))'

[ "$(E2E_SEED=9 "$detrun" sh -c 'echo $E2E_SEED')" = 9 ] || fail "E2E_SEED is not taken"
[ "$(E2E_SEED=9 "$detrun" --seed 8 sh -c 'echo $E2E_SEED')" = 8 ] || fail "--seed does not win"
a=$(E2E_SEED=9 "$detrun" shuf -i 1-99) b=$("$detrun" --seed 9 shuf -i 1-99)
[ "$a" = "$b" ] || fail "E2E_SEED=9 and --seed 9 differ"

# Set in the environment but without a seed: seed 0, one line that names E2E_SEED.
a=$(E2E_DETERMINISTIC=1 "$detrun" shuf -i 1-99 2>log/notice) b=$("$detrun" --seed 0 shuf -i 1-99)
[ "$a" = "$b" ] || fail "E2E_DETERMINISTIC=1 alone is not seed 0"
if [ "$(wc -l <log/notice)" != 1 ] || ! grep -q E2E_SEED log/notice; then
    fail "no line that names E2E_SEED: $(cat log/notice)"
fi

# No seed at all: a fresh one, and the printed command repeats the run.
a=$("$detrun" -- shuf -i 1-99 2>log/fresh)
[ -n "$a" ] || fail "no output with a fresh seed"
seed=$(grep -oE -- '--seed[ =](0x[0-9a-f]+|[0-9]+)' log/fresh | head -n 1 | sed 's/--seed.//')
[ -n "$seed" ] || fail "the fresh seed is not printed: $(cat log/fresh)"
b=$("$detrun" --seed "$seed" -- shuf -i 1-99)
[ "$a" = "$b" ] || fail "the printed seed $seed does not repeat the run"
c=$("$detrun" -- shuf -i 1-99 2>/dev/null)
[ "$a" != "$c" ] || fail "two fresh seeds gave the same"

# An explicit off: the command runs untouched.
[ -z "$(E2E_DETERMINISTIC=0 "$detrun" printenv LD_PRELOAD 2>/dev/null)" ] || fail "off is not off"
a=$(E2E_DETERMINISTIC=off "$detrun" --seed 1 shuf -i 1-999) b=$(E2E_DETERMINISTIC=off "$detrun" --seed 1 shuf -i 1-999)
[ "$a" != "$b" ] || fail "E2E_DETERMINISTIC=off still answers"
exit 0
