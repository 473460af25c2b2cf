#!/bin/bash
# SPDX-License-Identifier: MIT
# detrun verify: is a command deterministic, and where do two runs part? Expected results.
. "$(dirname "$0")/lib.sh"
need jq

# verify STATUS WORDS OPTIONS...
verify() {
    local status=$1 words=$2
    shift 2
    rm -f v.jsonl
    limited "$detrun" verify --seed 5 --record v.jsonl "$@" >log/out 2>log/err
    local got=$?
    [ "$got" = "$status" ] || fail "$*: status $got, not $status: $(cat log/out log/err)"
    grep -q "$words" log/out || fail "$*: $(cat log/out)"
    valid v.jsonl
}

verdicts() {
    verify 0 '^same: 4 runs' -- sh -c 'date; cat /proc/sys/kernel/random/uuid; echo $$ >&2; exit 3'
    verify 0 '^same: 3 runs .*files' -n 3 --artifact a --artifact b -- sh -c 'date >a; mktemp -u >b'
    verify 1 '^run 1 and run 2 part in stdout at byte [0-9]*, line 2 (values' --real random -- sh -c 'echo first; od -An -N9 -tx1 /dev/urandom'
    [ "$(jq -r 'select(.event == "divergence") | "\(.stage) \(.index) \(.line)"' v.jsonl)" = "stdout 2 2" ] || fail "$(cat v.jsonl)"
    verify 1 '^run 1 and run 2 part in stderr' --real random -- sh -c 'od -An -N9 -tx1 /dev/urandom >&2'
    verify 1 '^run 1 and run 2 part in a at' --real random --artifact a -- sh -c 'od -An -N9 -tx1 /dev/urandom >a'
    verify 1 'part in exit' -n 12 --real random -- sh -c 'exit $(($(od -An -N1 -tu1 /dev/urandom) / 8))'
    verify 1 'part in gone at' --artifact gone -- sh -c 'test -e gone && rm gone || touch gone'
    verify 3 '^inconclusive' -n 1 -- true
    # Nothing was compared where nothing was run, or what was to be compared never was there.
    verify 3 '^inconclusive: the command was skipped, or could not' -- ./nonexistent
    verify 3 '^inconclusive: the command was skipped, or could not' -- sh -c 'exit 77'
    verify 3 '^inconclusive: there never was a "never"' --artifact never -- true
    limited "$detrun" soak --runs 2 --seed 1 -- ./nonexistent >log/out 2>&1
    [ $? = 3 ] || fail "soak of nothing: $(cat log/out)"
    limited "$detrun" shadow --seed 1 -- ./nonexistent --vs ./nonexistent >log/out 2>&1
    [ $? = 3 ] || fail "shadow of nothing: $(cat log/out)"
    # Inside a job, and beside other preloaded libraries.
    limited "$detrun" --seed 1 -- "$detrun" verify -n 2 --seed 5 -- uuidgen >log/out 2>log/err || fail "inside a job: $(cat log/err)"
    LD_PRELOAD=libm.so.6 limited "$detrun" repeat -n 2 --seed 5 -- uuidgen >log/out 2>log/err || fail "LD_PRELOAD: $(cat log/err)"
    # The conditions do vary: natively the program sees them.
    verify 1 'part in stdout' --real pid -- sh -c 'echo $$'
}

# What a program recorded of its stages is compared, though it prints none of it.
stages() {
    local write='od -An -N9 -tx1 /dev/urandom >f'
    PATH=$(dirname "$detrun"):$PATH
    verify 0 '^same: 4 runs .*: stages, stdout' -- sh -c "$write; detrun note stage drawn f"
    verify 1 '^run 1 and run 2 part in stages at byte [0-9]*, line 2 (values' --real random -- \
        sh -c "echo a >g; detrun note stage first g; $write; detrun note stage drawn f"
    grep -q '^  - drawn: 28 bytes, [0-9a-f]*$' log/out || fail "$(cat log/out)"
    [ "$(jq -r 'select(.event == "divergence") | .stage' v.jsonl)" = stages ] || fail "$(cat v.jsonl)"
}

expected() {
    verify 0 '^written' --expect e.json --write -- date
    verify 0 '^as expected' --expect e.json -- date
    verify 1 '^not as expected: stdout' --expect e.json --epoch 86400 -- date
    verify 0 '^updated' --expect e.json --update --reason 'another day' --epoch 86400 -- date
    verify 0 '^as expected' --expect e.json --epoch 86400 -- date
    [ "$(jq -r '.history[0].reason' e.json)" = 'another day' ] || fail "$(cat e.json)"
    jq '.stream_version = 99' e.json >other.json
    limited "$detrun" verify --seed 5 --expect other.json -- date >log/out 2>log/err
    [ $? = 2 ] || fail "another stream_version: $(cat log/out log/err)"
    grep -q 'stream_version 99' log/err || fail "$(cat log/err)"
}

levels() {
    local lines='for n in 1 2 3; do echo $n $(od -An -N1 -tu1 /dev/urandom); done | sort -k2'
    verify 1 'part in stdout .*order of lines' --real random -n 6 -- sh -c "$lines | cut -d' ' -f1"
    verify 0 '^same: .*at level values' --level values --real random -n 6 -- sh -c "$lines | cut -d' ' -f1"
    verify 1 'part in o.json .*key order' -n 2 --artifact o.json -- sh -c 'test -e seen && echo "{\"b\":1,\"a\":2}" >o.json || echo "{\"a\":2,\"b\":1}" >o.json; touch seen'
    rm seen
    verify 0 '^same' -n 2 --level values --artifact o.json -- sh -c 'test -e seen && echo "{\"b\":1,\"a\":2}" >o.json || echo "{\"a\":2,\"b\":1}" >o.json; touch seen'
}

shadows() {
    local shadow=(limited "$detrun" shadow --seed 5)
    "${shadow[@]}" --record s.jsonl -- od -An -N8 -tx1 /dev/urandom --vs od -A n -N 8 -t x1 /dev/urandom >log/out 2>log/err || fail "od: $(cat log/out log/err)"
    grep -q '^same: baseline and candidate' log/out || fail "$(cat log/out)"
    valid s.jsonl
    "${shadow[@]}" -- date +%s --vs date -u +%N >log/out 2>log/err
    [ $? = 1 ] || fail "date: $(cat log/out log/err)"
    grep -q 'part in stdout' log/out || fail "$(cat log/out)"
    "${shadow[@]}" -- printf 'a\nb\n' --vs printf 'a\n' >log/out 2>log/err
    [ $? = 1 ] || fail "fewer outputs: $(cat log/out)"
    "${shadow[@]}" --level values -- printf 'a\nb\n' --vs printf 'b\na\n' >log/out 2>log/err || fail "--level values: $(cat log/out)"
    local words
    for words in "" "true" "true --vs" "--vs true" "--level x true --vs true"; do
        # shellcheck disable=SC2086
        limited "$detrun" shadow $words >log/out 2>log/err
        [ $? = 2 ] || fail "shadow $words: $(cat log/out log/err)"
        [ "$(wc -l <log/err)" = 1 ] || fail "shadow $words: $(cat log/err)"
    done
}

# Colours on a terminal that has them, and only for those who want them.
colours() {
    need script
    local words
    # on_terminal PATTERN VARIABLES...: log/out matches it
    on_terminal() {
        local pattern=$1
        shift
        limited env "$@" script -qec "$detrun verify --seed 1 -n 2 -- true" /dev/null >log/out 2>&1 </dev/null
        grep -q "$pattern" log/out || fail "$*: $(cat -v log/out)"
    }
    on_terminal $'\x1b\\[1;32msame\x1b\\[0m: 2 runs' TERM=xterm
    on_terminal $'\x1b\\[1;32msame\x1b\\[0m: 2 runs' TERM=xterm NO_COLOR=
    for words in "TERM=xterm NO_COLOR=1" "TERM=dumb" "-u TERM"; do
        # shellcheck disable=SC2086
        on_terminal 'same: 2 runs' $words
        ! grep -q $'\x1b\\[[0-9;]*m' log/out || fail "$words: $(cat -v log/out)"
    done
    # What is no terminal gets none, whatever it says of it.
    for words in "verify --seed 1 -n 2" "soak --seed 1 --runs 2" "repeat --seed 1 -n 2"; do
        # shellcheck disable=SC2086
        TERM=xterm-256color COLORTERM=truecolor limited "$detrun" $words -- true >log/out 2>&1
        ! grep -q $'\x1b' log/out || fail "$words: $(cat -v log/out)"
    done
}

bad_input() {
    local words
    echo '{' >bad.json
    echo '{}' >foreign.json
    for words in "" "-n 0 true" "--unknown true" "--write true" "--expect e --update true" "--artifact= true" \
        "--jobs 2 --artifact a true" "--artifact . true" "--artifact /dev/zero true" "--seed x true"; do
        # shellcheck disable=SC2086
        limited "$detrun" verify $words >log/out 2>log/err
        [ $? = 2 ] || fail "verify $words: status, $(cat log/err)"
        [ "$(wc -l <log/err)" = 1 ] || fail "verify $words: $(cat log/err)"
    done
    for words in bad.json foreign.json /nowhere/e.json; do
        limited "$detrun" verify --seed 1 --expect "$words" --write -- true >log/out 2>log/err
        [ $? = 2 ] || fail "--expect $words: $(cat log/out)"
        [ "$(wc -l <log/err)" = 1 ] || fail "--expect $words: $(cat log/err)"
    done
}

"$1"
exit 0
