#!/bin/bash
# SPDX-License-Identifier: MIT
# Records of single runs (--record): what is in them, that they are equal, that every line is whole.
. "$(dirname "$0")/lib.sh"
need jq

# stable FILE: what a comparer looks at
stable() { jq -cS 'del(.volatile)' "$1"; }

# holds FILE EVENT CONDITION: it does for one record of that kind
holds() { jq -es "any(.[]; .event == \"$2\" and ($3))" "$1" >/dev/null; }

contents() {
    printf 'input\n' >in.txt
    limited "$detrun" --seed 0xFF --test-name 'a "name"' --step 1ms --label who=me --input in.txt \
        --record r.jsonl -- sh -c 'date; exit 3' 'two
lines' "it's" >log/out 2>log/err
    [ $? = 3 ] || fail "the status: $?"
    [ "$(jq -r .event r.jsonl | tr '\n' ' ')" = "start env coverage failure end " ] || fail "events: $(cat r.jsonl)"
    [ "$(jq -r .seq r.jsonl | tr '\n' ' ')" = "0 1 2 3 4 " ] || fail "seq"
    holds r.jsonl start '.job_seed_hex == "0xff" and .test_name == "a \"name\"" and
        .step_ns == 1000000 and .command[3] == "two\nlines" and .labels.who == "me" and
        .inputs[0].size == 6 and .options.step == "1ms"' || fail "start: $(head -1 r.jsonl)"
    holds r.jsonl end '.exit == 3 and .result == "FAILED" and .clock_reads >= 1' || fail "end: $(tail -1 r.jsonl)"
    # The shell line repeats the run as it stands.
    jq -r 'select(.event == "failure") | .reproduce' r.jsonl >again.sh
    limited sh again.sh >log/again 2>/dev/null
    [ $? = 3 ] || fail "the line that repeats it: $(cat again.sh)"
    cmp -s log/out log/again || fail "it saw another time: $(cat log/out log/again)"
    valid r.jsonl
    grep -q "to repeat: " log/err || fail "a failure does not say how to repeat it: $(cat log/err)"
}

equal() {
    local names=()
    need unshare taskset
    unshare -u true 2>/dev/null && names=(unshare -u sh -c 'hostname elsewhere; exec "$@"' sh)
    mkdir -p one two/deeper
    (cd one && limited "$detrun" --seed 3 --record r.jsonl -- sh -c 'date; uuidgen; echo $$; exit 1') >log/one 2>&1
    (cd two/deeper && limited "${names[@]}" taskset -c 0 "$detrun" --seed 3 --record r.jsonl \
        -- sh -c 'date; uuidgen; echo $$; exit 1') >log/two 2>&1
    diff <(stable one/r.jsonl) <(stable two/deeper/r.jsonl) >log/diff || fail "$(cat log/diff)"
    diff one/r.jsonl two/deeper/r.jsonl >/dev/null && fail "nothing in them is volatile"
    limited "$detrun" --seed 4 --record other.jsonl -- sh -c 'date; uuidgen; echo $$; exit 1' >log/three 2>&1
    diff <(stable one/r.jsonl) <(stable other.jsonl) >/dev/null && fail "another seed is not to be seen"
    local digests
    digests=$(jq -r 'select(.event == "end") | .input_digest' one/r.jsonl two/deeper/r.jsonl | sort -u | wc -l)
    [ "$digests" = 1 ] || fail "input digests differ"
    limited "$detrun" --seed 3 --record more.jsonl -- sh -c 'date; date; uuidgen' >/dev/null
    jq -r 'select(.event == "end") | .input_digest' one/r.jsonl more.jsonl | uniq -d | grep -q . &&
        fail "one more clock read does not show in the input digest"
    return 0
}

shared() {
    local i
    for i in 1 2 3 4 5 6; do
        (for _ in 1 2 3 4 5; do "$detrun" --seed "$i" --record all.jsonl -- true; done) &
    done
    wait
    [ "$(jq -c . all.jsonl | wc -l)" = 120 ] || fail "$(wc -l <all.jsonl) lines, some not whole"
    valid all.jsonl
    # A line that a crash cut off does not swallow the next.
    printf '{"half' >cut.jsonl
    limited "$detrun" --seed 1 --record cut.jsonl -- true
    [ "$(tail -n +2 cut.jsonl | jq -r .event | tr '\n' ' ')" = "start env coverage end " ] || fail "$(cat cut.jsonl)"
}

# On a disk that is full after some records each line is there whole or not at all.
full_disk() {
    mkdir -p small
    unshare -m sh -c 'mount -t tmpfs -o size=4k none small' 2>/dev/null || return
    limited unshare -m sh -c 'mount -t tmpfs -o size=4k none small || exit
        for i in 1 2 3 4 5; do "$1" --seed $i --record small/r.jsonl -- sh -c "exit 6"; echo $?; done >log/status 2>log/err
        cp small/r.jsonl full.jsonl' sh "$detrun"
    [ "$(sort -u log/status)" = 6 ] || fail "statuses on a full disk: $(cat log/status)"
    grep -q 'No space left' log/err || fail "4 KiB hold it all: $(cat log/err)"
    [ "$(jq -c . full.jsonl | wc -l)" -gt 1 ] || fail "not all lines are whole: $(cat full.jsonl)"
}

trouble() {
    limited "$detrun" --seed 1 --record /dev/full -- sh -c 'exit 5' >log/out 2>log/err
    [ $? = 5 ] || fail "a full disk changes the command's status"
    [ "$(grep -c 'No space left' log/err)" = 1 ] || fail "a full disk: $(cat log/err)"
    full_disk
    limited "$detrun" --seed 1 --record limited.jsonl --record-limit 1500 -- true || fail "--record-limit"
    [ "$(tail -1 limited.jsonl | jq -r .event)" = truncated ] || fail "--record-limit: $(cat limited.jsonl)"
    valid limited.jsonl
    limited "$detrun" --seed 1 --record redacted.jsonl --redact 'hunter[0-9]' -- sh -c 'echo hunter2; exit 1' >/dev/null 2>&1
    grep -q hunter2 redacted.jsonl && fail "--redact: $(cat redacted.jsonl)"
    [ "$(jq -c . redacted.jsonl | wc -l)" = 5 ] || fail "--redact breaks lines"
    [ "$(echo hunter3 | limited "$detrun" --seed 1 --record - -- cat | grep -c hunter3)" = 1 ] ||
        fail "what a program prints is in its records"
    limited "$detrun" --seed 1 --record fd:7 -- sh -c 'test ! -e /proc/self/fd/7' 7>seven.jsonl || fail "fd:7 is inherited"
    [ "$(wc -l <seven.jsonl)" = 4 ] || fail "fd:7"
    local words
    for words in "--record /nowhere/r" "--record fd:99" "--record fd:x" "--record=" "--record-limit 0" \
        "--label x" "--input /nowhere" "--input /" "--redact (" "--skip-status 0" "--iteration 0"; do
        # shellcheck disable=SC2086
        limited "$detrun" --seed 1 --record ok.jsonl $words -- touch started >log/out 2>log/err
        [ $? = 125 ] || fail "$words: status $?"
        [ "$(wc -l <log/err)" = 1 ] || fail "$words: $(cat log/err)"
        [ ! -e started ] || fail "$words: the command was started"
    done
}

# --redact takes from what the command and its programs say, and from nothing else.
redacted() {
    local secret=$'p"a\'s\ts' word run=(sh -c '"$1" note call "$2" "$2" failed; "$1" note event e "$2"; exit 3')
    for word in 'p"a' "a's" $'\ts' 's' 'x*s' '.*' '[0-9a-f]+' 's$' 'e|a|t'; do
        rm -f s.jsonl
        limited "$detrun" --seed 7 -q --record s.jsonl --redact "$word" --label "l=$secret" --set "S=$secret" \
            --export "T=$secret" --unset "U$secret" --test-name "n$secret" -- "${run[@]}" sh "$detrun" "$secret" >/dev/null 2>&1
        valid s.jsonl
        [ "$(jq -r .event s.jsonl | tr '\n' ' ')" = "start env call event coverage failure end " ] || fail "$word: $(cat s.jsonl)"
        jq -r '..|strings' s.jsonl | grep -qF "$secret" && fail "$word: it is still there: $(cat s.jsonl)"
        jq -es 'all(.[] | select(.event == "start" or .event == "failure"); .redacted)' s.jsonl >/dev/null ||
            fail "$word: redacted: $(cat s.jsonl)"
    done
    # The quotes of the shell line hide nothing.
    holds s.jsonl failure '.reproduce | contains("[redacted]")' || fail "reproduce: $(cat s.jsonl)"
    limited "$detrun" replay s.jsonl >log/out 2>log/err
    [ $? = 2 ] || fail "replayed without what was taken from it: $(cat log/err)"
    grep -q -e '--redact took' log/err || fail "replayed: $(cat log/err)"
    rm -f s.jsonl
    limited "$detrun" --seed 7 -q --record s.jsonl --redact nothing -- sh -c 'exit 3'
    grep -q '"redacted":' s.jsonl && fail "nothing was found"
    limited "$detrun" replay s.jsonl 2>/dev/null || fail "it is not replayed"
}

# Words that are no UTF-8 are recorded, and replayed, byte by byte.
bytes() {
    local name=$'n\xfe'
    printf x >$'in\xff'
    cat >script <<'END'
printf '%s|' "$@" "$A" "$B"
exit 3
END
    limited "$detrun" --seed 5 --test-name "$name" --input $'in\xff' --label $'l=\xff' --set $'A=\xc3' --export $'B={seed}\xa9' \
        --record b.jsonl -- sh script $'\xff' $'a\xffb\x01"\\' ok é >log/first 2>log/err
    grep -qaF $'\xff' log/first || fail "the program has another text"
    valid b.jsonl
    holds b.jsonl start '.command[2] == {"text":"\ufffd","hex":"ff"} and .command[4:6] == ["ok","é"]' || fail "$(head -1 b.jsonl)"
    limited "$detrun" replay --strict b.jsonl >log/again 2>log/err || fail "replay: $(cat log/err)"
    cmp log/first log/again || fail "replayed with other words: $(cat -A log/again)"
    grep -q differs log/err && fail "the state: $(cat log/err)"
    jq -r 'select(.event == "failure").reproduce' b.jsonl >again.sh
    limited bash again.sh >log/again 2>/dev/null
    cmp log/first log/again || fail "the shell line: $(cat again.sh)"
    limited "$detrun" keep b.jsonl --minimize -o kept.jsonl >log/out 2>log/err || fail "keep: $(cat log/err)"
    valid kept.jsonl
    limited "$detrun" failures b.jsonl >log/out
    grep -qF '\xff' log/out || fail "failures: $(cat log/out)"
    rm b.jsonl
    limited "$detrun" --seed 5 --record b.jsonl --redact $'\xff.*' -- sh script $'a\xffsecret' >/dev/null 2>&1
    valid b.jsonl
    grep -q -e secret -e "$(printf secret | od -An -tx1 | tr -d ' \n')" b.jsonl && fail "redacted: $(cat b.jsonl)"
    return 0
}

outcomes() {
    local row
    for row in "PASSED true" "FAILED exit_1" "SKIPPED exit_77" "ERRORED exit_125" "ERRORED signal"; do
        case ${row#* } in
        true) set -- true ;;
        signal) set -- sh -c 'kill -9 $$' ;;
        *) set -- sh -c "exit ${row##*_}" ;;
        esac
        rm -f o.jsonl
        limited "$detrun" --seed 1 --record o.jsonl -- "$@" >/dev/null 2>&1
        [ "$(jq -r 'select(.event == "end") | .result' o.jsonl)" = "${row% *}" ] || fail "$row: $(tail -1 o.jsonl)"
    done
    rm -f o.jsonl
    limited "$detrun" --seed 1 --timeout 0.2 --wait real --record o.jsonl --on-failure 'echo the state' -- sleep 30 >/dev/null 2>&1
    holds o.jsonl failure '.state | length == 32' || fail "--on-failure: $(cat o.jsonl)"
    cp o.jsonl p.jsonl
    holds o.jsonl end '.timed_out and .result == "ERRORED"' || fail "--timeout: $(cat o.jsonl)"
    # Who is left in the background, by the command or by what looks at its state, is not waited for.
    rm -f o.jsonl
    local start=$SECONDS digest
    digest=$(jq -r 'select(.event == "failure").state' p.jsonl)
    local background='(while [ ! -e stop ] && [ "$((i += 1))" -lt 450 ]; do sleep 0.1; done) &'
    rm -f stop
    limited "$detrun" --seed 1 --wait real --record o.jsonl --on-failure "$background echo the state" -- \
        sh -c "$background exit 1" >/dev/null 2>&1
    [ $((SECONDS - start)) -lt 40 ] || fail "--on-failure waits for the background"
    touch stop
    holds o.jsonl failure ".state == \"$digest\"" || fail "--on-failure: $(cat o.jsonl)"
    rm -f o.jsonl
    limited "$detrun" --seed 1 --record o.jsonl -- /nowhere/program >/dev/null 2>&1
    [ $? = 127 ] || fail "not found"
    holds o.jsonl end '.result == "ERRORED"' || fail "not found: $(cat o.jsonl)"
}

seeds_of_others() {
    limited "$detrun" --seed 5 --subst --export 'OTHER={seed32}' --record s.jsonl -- \
        sh -c 'echo {seed} {seed32} $OTHER {test_seed} {iteration} {none}; exit 1' >log/out 2>/dev/null
    read -r seed seed32 other test_seed iteration none <log/out
    [ "$seed $iteration $none" = "5 1 {none}" ] || fail "$(cat log/out)"
    [ "$seed32 $seed32" = "$other $((test_seed >> 32))" ] || fail "$(cat log/out)"
    jq -r 'select(.event == "failure") | .reproduce' s.jsonl >again.sh
    limited sh again.sh >log/again 2>/dev/null
    cmp log/out log/again || fail "repeated: $(cat again.sh)"
}

listing() {
    limited "$detrun" --seed 5 --record ok.jsonl -- true || fail "true"
    limited "$detrun" failures ok.jsonl >log/out || fail "status without failures: $?"
    limited "$detrun" --seed 6 --record one.jsonl -- sh -c 'exit 3' 2>/dev/null
    limited "$detrun" --seed 7 --record two.jsonl -- sh -c 'kill -9 $$' 2>/dev/null
    limited "$detrun" failures ok.jsonl one.jsonl two.jsonl >log/out
    [ $? = 1 ] || fail "status with failures"
    [ "$(grep -c -e '^1. sh: exit status 3$' -e '^2. sh: signal 9$' log/out)" = 2 ] || fail "$(cat log/out)"
    [ "$(limited "$detrun" failures --json one.jsonl two.jsonl | jq -r .record.job_seed_hex | tr '\n' ' ')" = "0x6 0x7 " ] ||
        fail "--json"
    printf '\x1e{"schema_version":1,\n"event":"failure","test_name":"x","reason":"r"}\n' >other.jsonl
    limited "$detrun" failures other.jsonl >log/out 2>/dev/null
    grep -q '1. x: r' log/out || fail "records behind separators: $(cat log/out)"
    # What stands behind a bad line is listed all the same; a run without an end is named.
    (head -c 100 ok.jsonl && echo && cat one.jsonl) >torn.jsonl
    limited "$detrun" failures torn.jsonl >log/out 2>log/err
    [ $? = 2 ] || fail "torn: $(cat log/out log/err)"
    grep -q '^1. sh: exit status 3$' log/out || fail "behind a torn line: $(cat log/out)"
    head -n 2 ok.jsonl >killed.jsonl
    : >empty.jsonl
    "$detrun" --seed 1 -q --record cut.jsonl --record-limit 1500 -- false
    local name
    for name in killed empty cut; do
        limited "$detrun" failures "$name.jsonl" >log/out 2>log/err
        [ $? = 2 ] || fail "$name: $(cat log/out log/err)"
        [ "$(wc -l <log/err)" = 1 ] || fail "$name: $(cat log/err)"
    done
    limited "$detrun" --seed 1 -q --record name.jsonl --test-name $'a\e[2J\nb' -- false
    limited "$detrun" failures name.jsonl >log/out
    grep -q $'\e' log/out && fail "escape sequences reach the terminal"
    # A file that cannot be read is named with its line, after what was found before.
    head -c 100 ok.jsonl >>one.jsonl
    echo '{"schema_version":1,"event":"end"}' >foreign.jsonl
    echo '{"events":[]}' >>foreign.jsonl
    echo '{"schema_version":99,"event":"end"}' >future.jsonl
    local file
    for file in one.jsonl:6 foreign.jsonl:2 future.jsonl:1 /bin/sh:1 /nowhere: /:; do
        limited "$detrun" failures "${file%:*}" >log/out 2>log/err
        [ $? = 2 ] || fail "$file: status"
        [ "$(grep -cF "${file%:}" log/err).$(wc -l <log/err)" = 1.1 ] || fail "$file: $(cat log/err)"
    done
    head -c 100000000 /dev/zero | tr '\0' a >large
    (ulimit -v 200000; limited "$detrun" failures large) 2>log/err
    [ $? = 2 ] || fail "one line of 100 MB: $(cat log/err)"
}

"$1"
exit 0
