#!/bin/bash
# SPDX-License-Identifier: MIT
# --format json: one object on standard output, as docs/answers.schema.json says; its status is the
# exit status; and nothing on standard output where there is no answer.
. "$(dirname "$0")/lib.sh"
need jq python3
python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is not here"

# answers STATUS VERDICT COMMAND WORDS...
answers() {
    local status=$1 verdict=$2
    shift 2
    limited "$detrun" "$1" --format json "${@:2}" >log/out 2>log/err
    local got=$?
    [ "$got" = "$status" ] || fail "$*: status $got: $(cat log/out log/err)"
    [ "$(wc -l <log/out)" = 1 ] || fail "$*: $(cat log/out)"
    [ "$(jq -r '"\(.schema_version) \(.command) \(.status) \(.verdict)"' log/out)" = "1 $1 $status $verdict" ] ||
        fail "$*: $(cat log/out)"
    python3 "$source/tests/run/valid_records.py" "$source/docs/answers.schema.json" log/out >log/valid 2>&1 ||
        fail "$*: not as the schema says: $(cat log/valid)"
}

# no_answer COMMAND WORDS...
no_answer() {
    limited "$detrun" "$1" --format json "${@:2}" >log/out 2>log/err
    [ $? = 2 ] || fail "$*: status"
    [ "$(wc -l <log/err).$(wc -c <log/out)" = 1.0 ] || fail "$*: $(cat log/out log/err)"
}

random=(--real random -- od -An -N8 -tx1 /dev/urandom)
answers 0 same verify -n 2 --seed 1 -- date
answers 0 same verify -n 2 --seed 1 --expect e.json --write -- date
jq -e '.as_expected and .divergence == null and .compared.stdout.differing == 0' log/out >/dev/null || fail "$(cat log/out)"
answers 1 same verify -n 2 --seed 2 --expect e.json -- od -An -N8 -tx1 /dev/urandom
jq -e '.as_expected == false' log/out >/dev/null || fail "$(cat log/out)"
answers 1 diverged verify -n 2 --seed 1 "${random[@]}"
jq -e '.divergence.stage == "stdout" and .divergence.index == 2' log/out >/dev/null || fail "$(cat log/out)"
answers 3 inconclusive verify -n 2 --seed 1 -- sh -c 'exit 77'
no_answer verify -n 0 true
no_answer verify --record /nowhere/x true
answers 0 same shadow --seed 1 -- echo a --vs echo a
answers 1 diverged shadow --seed 1 -- echo a --vs echo b
answers 0 same soak --runs 3 --seed 1 -- date
answers 1 diverged soak --runs 3 --seed 1 "${random[@]}"
answers 3 inconclusive soak --runs 1 --seed 1 -- date
answers 0 same repeat -n 2 --seed 1 -- date
answers 1 same repeat -n 2 --seed 1 -- sh -c 'echo "what it prints"; exit 3'
jq -e '.failed == 2 and .runs == 2' log/out >/dev/null || fail "$(cat log/out)"
no_answer repeat true
answers 0 same bisect-source --seed 1 -- od -An -N8 -tx1 /dev/urandom
jq -e '.sources | any(.source == "random" and .channel == "stdout")' log/out >/dev/null || fail "$(cat log/out)"
echo '{"a":1}' >one
echo '{"a":2}' >two
answers 0 same diff one one
answers 1 diverged diff one two
mkdir empty nothing
answers 3 inconclusive diff empty nothing
no_answer diff one nowhere
"$detrun" --seed 1 -q --record r.jsonl -- sh -c 'test -e mended || exit 3' 2>/dev/null
answers 0 reproduced replay r.jsonl
"$detrun" keep r.jsonl -o kept.jsonl
answers 1 failed check r.jsonl kept.jsonl
jq -e '[.files[].file] == ["r.jsonl", "kept.jsonl"]' log/out >/dev/null || fail "$(cat log/out)"
no_answer check kept.jsonl nowhere
touch mended
answers 1 'not reproduced' replay r.jsonl
answers 0 passed check kept.jsonl
limited "$detrun" failures --format json r.jsonl | jq -e '.failure == 1' >/dev/null || fail "failures --format json"
answers 0 same selftest
jq -e 'all(.checks[]; .result == "ok" or .result == "skipped") and (.checks | length) > 9' log/out >/dev/null || fail "$(cat log/out)"
no_answer selftest nothing
limited "$detrun" doctor --format json >log/out
jq -e --argjson status $? '.command == "doctor" and .status == $status and (.probes | length) > 9' log/out >/dev/null ||
    fail "doctor: $(cat log/out)"
# Nobody reads it: that is no success.
limited "$detrun" repeat -n 2 --format json --seed 1 -- true >/dev/full 2>log/err
[ $? = 2 ] || fail "a full disk: $(cat log/err)"
exit 0
