#!/bin/bash
# SPDX-License-Identifier: MIT
# detrun audit: what a program used, and what of it was not controlled; bisect-source: on what its
# outcome depends.
. "$(dirname "$0")/lib.sh"
need jq gcc od

limited "$detrun" audit --seed 1 -- sh -c 'date >/dev/null; uuidgen' >log/out 2>log/err || fail "all controlled: $(cat log/err)"
[ "$(wc -l <log/out)" = 1 ] || fail "it writes beside the command: $(cat log/out)"
for source in wall random pid; do
    grep -q "^detrun: $source *controlled: " log/err || fail "$source: $(cat log/err)"
done
limited "$detrun" audit --seed 1 --real wall -- date >log/out 2>log/err
[ $? = 1 ] || fail "--real: $(cat log/err)"
printf 'int main(void) { return 0; }\n' >s.c
gcc -static -o s s.c || fail "cannot link statically"
limited "$detrun" audit --format json --seed 1 -- ./s >log/out 2>log/err
[ $? = 1 ] || fail "a static program: $(cat log/err)"
jq -es 'any(.[0].gaps[]; .gap == "images_that_may_open_random_devices" and (.advice | contains("--trap-open")))' log/err >/dev/null ||
    fail "--format json: $(cat log/err)"

bisect() { limited "$detrun" bisect-source --seed 1 -- "$@" >log/out 2>log/err; }
bisect sh -c 'date; od -An -N8 -tx1 /dev/urandom; echo $$ >&2' || fail "$(cat log/out log/err)"
[ "$(sort log/out | tr '\n' ' ')" = "pid: stderr depends on it random: stdout depends on it wall: stdout depends on it " ] ||
    fail "depends on: $(cat log/out)"
bisect echo || fail "echo: $(cat log/out log/err)"
grep -q '^no source' log/out || fail "echo: $(cat log/out)"
bisect sh -c 'echo x >>grows; cat grows'
[ $? = 1 ] || fail "not deterministic: $(cat log/out)"
for words in audit bisect-source; do
    limited "$detrun" $words --seed 1 -- ./nonexistent >log/out 2>log/err
    [ $? = 3 ] || fail "$words of nothing: $(cat log/out log/err)"
done
for words in "audit" "audit --format x true" "audit --unknown true" "bisect-source" "bisect-source --real wall true"; do
    # shellcheck disable=SC2086
    limited "$detrun" $words >log/out 2>log/err
    [ $? = 2 ] || fail "$words: status"
    [ "$(wc -l <log/err)" = 1 ] || fail "$words: $(cat log/err)"
done
exit 0
