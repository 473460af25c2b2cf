#!/bin/bash
# SPDX-License-Identifier: MIT
# detrun repeat and detrun replay: verdicts, records in order, and a failure again.
. "$(dirname "$0")/lib.sh"
need jq od

repeat() { limited "$detrun" repeat "$@"; }

# verdict STATUS WORDS OPTIONS...: of a repeat
verdict() {
    local status=$1 words=$2
    shift 2
    rm -f v.jsonl
    repeat --record v.jsonl "$@" >log/out 2>log/err
    local got=$?
    [ "$got" = "$status" ] || fail "$*: status $got, not $status: $(cat log/out log/err)"
    grep -qE "$words" log/out || fail "$*: $(cat log/out)"
    [ "$(tail -n 1 v.jsonl | jq -r .event)" = verdict ] || fail "$*: no verdict in the records"
    valid v.jsonl
}

verdicts() {
    local random='test $(od -An -N1 -tu1 /dev/urandom) -gt 128'
    verdict 0 '^same: passed$' -n 3 --seed 1 -- sh -c 'date; exit 0'
    verdict 1 '^same: failed again with the same inputs: a real bug' -n 3 --seed 1 -- sh -c 'exit 4'
    verdict 1 '^same: error in every run' -n 2 --seed 1 -- sh -c 'kill -9 $$'
    verdict 3 '^inconclusive: all were skipped' -n 2 --seed 1 -- sh -c 'exit 77'
    verdict 0 '^diverged: passed; but what run' -n 20 --seed 1 --real random -- sh -c 'od -An -N8 -tx1 /dev/urandom'
    verdict 1 '^flaky: inputs equal, outcome not .*flake that the seed does not cause' -n 30 --seed 1 --real random -- sh -c "$random"
    verdict 1 '^diverged: failed again with the same inputs: a real bug, which [0-9]+ of the seeds show' -n 12 --vary-seed --seed 1 -- sh -c "$random"
    verdict 1 '^flaky: [0-9]+ of [0-9]+ failures were not there again' -n 40 --vary-seed --seed 1 --real random -- sh -c "$random"
    verdict 0 '^same: passed with each seed' -n 3 --vary-seed --seed 1 -- true
    # One run is compared with nothing.
    verdict 0 '^inconclusive: one run passed: there is nothing to compare it with$' -n 1 --seed 1 -- true
    verdict 1 '^inconclusive: one run failed: there is nothing to compare it with$' -n 1 --seed 1 -- false
    verdict 1 '^inconclusive: one run ended in an error: there is nothing' -n 1 --seed 1 -- sh -c 'kill -9 $$'
    verdict 1 '^1 runs: 0 passed' --until-failure --seed 1 -- false
    # The seeds of iterations are the contract's.
    verdict 0 passed -n 2 --vary-seed --seed 0xDEADBEEF12345678 -- sh -c 'echo $E2E_SEED'
    [ "$(jq -r 'select(.event == "iteration") | .job_seed_hex' v.jsonl | sort -u | wc -l)" = 2 ] || fail "the seeds: $(cat v.jsonl)"
}

junit() {
    need python3
    local random='test $(od -An -N1 -tu1 /dev/urandom) -gt 128' row
    for row in "passed true" "failure false" "error kill" "skipped skip" "flakyFailure random"; do
        case ${row#* } in
        kill) set -- sh -c 'kill -9 $$' ;;
        skip) set -- sh -c 'exit 77' ;;
        random) set -- sh -c "$random" ;;
        *) set -- "${row#* }" ;;
        esac
        repeat -n 20 --seed 1 --real random --test-name 'a <b> "c"' --junit j.xml -- "$@" >/dev/null 2>&1
        python3 - j.xml "${row% *}" <<'E' || fail "$row: $(cat j.xml)"
import sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1]).getroot()
case = suite.find("testcase")
assert case.get("name") == 'a <b> "c"', case.attrib
assert [child.tag for child in case] == ([] if sys.argv[2] == "passed" else [sys.argv[2]])
E
    done
    repeat -n 1 --seed 1 --test-name $'a"<&>\e\xff' --junit j.xml -- true >/dev/null 2>&1
    python3 -c 'import xml.etree.ElementTree as t; t.parse("j.xml")' || fail "a strange name: $(cat j.xml)"
    repeat -n 1 --seed 1 --junit /nowhere/j.xml -- true >log/out 2>log/err
    [ $? = 2 ] || fail "--junit /nowhere: status"
    [ "$(wc -l <log/err)" = 1 ] || fail "--junit /nowhere: $(cat log/err)"
}

order() {
    repeat -n 1000 --jobs 2 --seed 1 --record o.jsonl -- true >log/out 2>log/err || fail "$(cat log/out log/err)"
    [ ! -s log/err ] || fail "progress in a file: $(head -c 200 log/err)"
    diff <(seq 1000) <(jq 'select(.event == "iteration") | .iteration' o.jsonl) >log/diff || fail "not in order: $(head log/diff)"
    valid o.jsonl
    repeat -n 30 --jobs 3 --seed 1 --record one.jsonl -- sh -c 'date; exit 1' >/dev/null 2>&1
    repeat -n 30 --seed 1 --record two.jsonl -- sh -c 'date; exit 1' >/dev/null 2>&1
    diff <(jq -c 'del(.volatile)' one.jsonl) <(jq -c 'del(.volatile)' two.jsonl) >log/diff ||
        fail "records with and without --jobs: $(head log/diff)"
}

# What is killed has recorded all runs but those under way.
killed() {
    local i lines
    "$detrun" repeat -n 100000 --jobs 2 --seed 1 --record k.jsonl -- true >/dev/null 2>&1 &
    local pid=$!
    for ((i = 0; i < 200; i++)); do
        lines=$(wc -l <k.jsonl 2>/dev/null || echo 0)
        [ "$lines" -gt 20 ] && break
        sleep 0.05
    done
    kill -9 "$pid"
    wait "$pid" 2>/dev/null
    sleep 0.5
    lines=$(jq -c . k.jsonl | wc -l)
    [ "$lines" -gt 20 ] || fail "only $lines"
    [ "$lines" = "$(wc -l <k.jsonl)" ] || fail "$lines whole lines of $(wc -l <k.jsonl)"
    diff <(seq $((lines - 2))) <(jq 'select(.event == "iteration") | .iteration' k.jsonl) >log/diff || fail "$(head log/diff)"
    # Interrupted, it says what there is, and dies of the signal.
    "$detrun" repeat -n 100000 --seed 1 --record i.jsonl -- sleep 0.01 >log/out 2>&1 &
    pid=$!
    for ((i = 0; i < 200; i++)); do
        [ "$(wc -l <i.jsonl 2>/dev/null || echo 0)" -gt 5 ] && break
        sleep 0.05
    done
    kill -TERM "$pid"
    wait "$pid" 2>/dev/null
    [ $? = 143 ] || fail "SIGTERM"
    grep -q ' runs: ' log/out || fail "interrupted: $(cat log/out)"
}

# there PATTERN NUMBER: so many processes have that in their command line, in the end
there() {
    local i
    for ((i = 0; i < 200; i++)); do
        [ "$(pgrep -fc -- "$1")" = "$2" ] && return
        sleep 0.05
    done
    fail "$(pgrep -fa -- "$1")"
}

# An interrupted repeat ends at once, and so do its runs, their children and who does not listen to TERM.
interrupted() {
    need pgrep
    local signal number how pid mark=6021.$$
    local stubborn='trap "" TERM; sleep '$mark' & sleep '$mark'; exit 1'
    for how in "repeat -n 9 --jobs 3" "repeat -n 9" "soak --runs 9 --jobs 3" "verify -n 3"; do
        case $how in *jobs*) number=6 ;; *) number=2 ;; esac
        for signal in TERM INT KILL; do
            [ "$how.$signal" = "$how.TERM" ] || [ "$how" = "repeat -n 9 --jobs 3" ] || continue
            rm -f i.jsonl
            # shellcheck disable=SC2086
            env --default-signal=INT "$detrun" $how --seed 1 --wait real --record i.jsonl -- sh -c "$stubborn" \
                >log/interrupted 2>&1 </dev/null &
            pid=$!
            there "^sleep $mark" "$number"
            milliseconds sh -c 'kill -s "$1" "$2" && while kill -0 "$2" 2>/dev/null; do sleep 0.02; done' sh "$signal" "$pid"
            wait "$pid" 2>/dev/null
            [ $? = $((128 + $(kill -l "$signal"))) ] || fail "$how, $signal: it does not die of it"
            [ "$elapsed" -lt 5000 ] || fail "$how, $signal: it took $elapsed ms"
            there "$mark" 0
            jq -e . i.jsonl >/dev/null || fail "$how, $signal: not whole: $(cat i.jsonl)"
            case $how.$signal in verify* | *KILL) continue ;; esac
            [ "$(tail -n 1 i.jsonl | jq -r .event)" = verdict ] || fail "$how, $signal: $(cat i.jsonl)"
        done
    done
    valid i.jsonl
    # A run has the dispositions of whoever called.
    verdict 0 '^same: passed$' -n 2 --seed 1 -- sh -c 'test $(grep -cE "^Sig(Ign|Blk):.0*$" /proc/self/status) = 2'
}

replayed() {
    local status words
    for words in 'exit 3' 'kill -11 $$' "echo 'a b' \"c
d\"; exit 5"; do
        rm -f p.jsonl
        limited "$detrun" --seed 9 --step 7ms --record p.jsonl -- sh -c "date; $words" "it's" '"x"' 'two
lines' >log/first 2>/dev/null
        limited "$detrun" replay p.jsonl >log/again 2>log/err || fail "$words: $(cat log/err)"
        grep -q '^detrun: reproduced: .*inputs equal' log/err || fail "$words: $(cat log/err)"
        cmp log/first log/again || fail "$words: another output"
    done
    rm -f p.jsonl state
    limited "$detrun" --seed 9 --record p.jsonl -- sh -c 'test -e state && exit 0; exit 3' 2>/dev/null
    touch state
    limited "$detrun" replay p.jsonl 2>log/err
    status=$?
    grep -q '^detrun: not reproduced: a flake that the seed does not cause' log/err || fail "$(cat log/err)"
    [ "$status" = 1 ] || fail "not reproduced: status $status"
    rm -f p.jsonl code
    echo 3 >code
    limited "$detrun" --seed 9 --input code --record p.jsonl -- sh -c 'exit $(cat code)' 2>/dev/null
    echo 4 >code
    limited "$detrun" replay p.jsonl 2>log/err
    status=$?
    grep -q '^detrun: failed otherwise: exit status 4, recorded: exit status 3' log/err || fail "$(cat log/err)"
    grep -q '^detrun: differs: code ' log/err || fail "the changed input is not named: $(cat log/err)"
    [ "$status" = 1 ] || fail "failed otherwise: status $status"
    limited "$detrun" replay --strict p.jsonl 2>log/err
    [ $? = 2 ] || fail "--strict runs it"
    repeat -n 12 --vary-seed --seed 1 --record v.jsonl -- sh -c 'test $(od -An -N1 -tu1 /dev/urandom) -gt 128' >/dev/null 2>&1
    limited "$detrun" replay v.jsonl --failure 2 2>log/err || fail "of a repeat: $(cat log/err)"
}

kept() {
    rm -f p.jsonl kept.jsonl bug
    touch bug
    limited "$detrun" --seed 9 --record p.jsonl -- env -u NONE sh -c 'test -e bug && exit 3; exit 0' one two three 2>/dev/null
    limited "$detrun" keep p.jsonl -o kept.jsonl || fail "keep"
    valid kept.jsonl
    limited "$detrun" check kept.jsonl >log/out 2>log/err
    [ $? = 1 ] || fail "check: $(cat log/out log/err)"
    grep -q '^kept.jsonl: is back: reproduced: exit status 3' log/out || fail "check: $(cat log/out)"
    USELESS=1 limited "$detrun" keep p.jsonl --minimize -o small.jsonl >log/out 2>log/err || fail "--minimize: $(cat log/out log/err)"
    [ "$(jq -c 'select(.event == "start") | .command' small.jsonl)" = '["env","sh","-c","test -e bug && exit 3; exit 0"]' ] ||
        fail "--minimize: $(head -1 small.jsonl)"
    jq -es 'any(.[]; (.unset // []) | index("USELESS") != null)' small.jsonl >/dev/null || fail "USELESS: $(head -1 small.jsonl)"
    rm bug
    limited "$detrun" check kept.jsonl small.jsonl >log/out || fail "mended: $(cat log/out)"
    limited "$detrun" keep p.jsonl -o kept.jsonl 2>log/err
    [ $? = 2 ] || fail "it overwrites"
    printf '%s\n' '{"schema_version":1,"event":"start","run_id":"a"}' \
        '{"schema_version":1,"event":"failure","run_id":"a","reason":"r"}' >lacking.jsonl
    local words
    for words in "keep" "keep lacking.jsonl -o x" "keep p.jsonl" "keep /nowhere -o x" "keep p.jsonl --failure 9 -o x" "keep p.jsonl -o /nowhere/x" \
        "keep p.jsonl --minimize -o x" "check" "check /nowhere" "check --x"; do
        # shellcheck disable=SC2086
        limited "$detrun" $words >log/out 2>log/err
        [ $? = 2 ] || fail "$words: $(cat log/out log/err)"
        [ "$(wc -l <log/err)" = 1 ] || fail "$words: $(cat log/err)"
    done
}

# A disk that is full of outputs is no failure of the program, and no difference.
full_disk() {
    local how size status
    mkdir -p small
    unshare -m sh -c 'mount -t tmpfs -o size=4k none small' 2>/dev/null || skip "no mount namespaces here"
    echo 'head -c 400000 /dev/zero || exit 3' >script
    for how in "repeat -n 3" "repeat -n 3 --jobs 2" "repeat -n 2 --keep small" "repeat -n 2 --vary-seed" "verify -n 3" \
        "soak --runs 3" "bisect-source" "shadow sh script --vs"; do
        for size in 4k 256k 8m; do
            # shellcheck disable=SC2016,SC2086 # for the shell there; words
            limited unshare -m sh -c 'mount -t tmpfs -o size="$1" none small && shift && TMPDIR=$PWD/small "$@"' \
                sh "$size" "$detrun" ${how%% *} --seed 1 -q ${how#"${how%% *}"} sh script >log/out 2>log/err
            status=$?
            if [ "$size" = 8m ]; then
                [ "$status" = 0 ] || fail "$size, $how: status $status: $(cat log/out log/err)"
                continue
            fi
            [ "$status" = 2 ] || fail "$size, $how: status $status: $(cat log/out log/err)"
            [ "$(wc -l <log/err)" = 1 ] || fail "$size, $how: $(cat log/err)"
            grep -q -e 'small, which is full; make room, or give another folder with' -e 'No space left' log/err ||
                fail "$size, $how: $(cat log/err)"
            grep -qE '^(same|diverged|flaky)' log/out && fail "$size, $how: a verdict: $(cat log/out)"
        done
    done
    return 0
}

bad_input() {
    local words
    limited "$detrun" --seed 1 --record ok.jsonl -- true
    echo 'null' >foreign
    for words in "repeat" "repeat -n" "repeat -n 0 true" "repeat -n 1" "repeat -n 1 --jobs 0 true" "repeat -n x true" \
        "repeat -n 1 --unknown true" "repeat -n 1 --seed -1 true" "repeat -n 1 --record /nowhere/x true" \
        "repeat -n 1 --keep /proc/x true" "replay" "replay /nowhere" "replay ok.jsonl" "replay foreign" \
        "replay ok.jsonl --failure" "replay ok.jsonl --failure 0" "replay ok.jsonl --unknown" "replay ok.jsonl ok.jsonl"; do
        # shellcheck disable=SC2086
        limited "$detrun" $words >log/out 2>log/err
        [ $? = 2 ] || fail "$words: status"
        [ "$(wc -l <log/err)" = 1 ] || fail "$words: $(cat log/err)"
    done
    E2E_DETERMINISTIC=0 repeat -n 1 true >log/out 2>log/err
    [ $? = 2 ] || fail "off: $(cat log/out log/err)"
}

"$1"
exit 0
