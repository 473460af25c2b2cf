#!/bin/bash
# SPDX-License-Identifier: MIT
# --trace FILE and detrun trace: what each task was answered, the same in every run.
. "$(dirname "$0")/lib.sh"
need jq gcc

# traced FILE COMMAND...
traced() {
    local file=$1
    shift
    limited "$detrun" --seed 7 --trace "$file" "${options[@]}" -- "$@" >log/out 2>log/err </dev/null ||
        fail "$*: $(cat log/out log/err)"
}
options=()

# events FILE: what has to be the same, without what is timing
events() {
    limited "$detrun" trace --format json "$1" |
        jq -c 'select(.answer.timing | not) | [.task, .answer.kind, .answer.text]'
}

# says FILE PATTERN
says() {
    limited "$detrun" trace "$1" >log/text || fail "trace $1: $?"
    grep -qE "$2" log/text || fail "$1 does not say $2: $(head -n 40 log/text)"
}

contents() {
    compile answered -lpthread
    traced t ./answered
    says t '^task 1 \(answered\)$'
    says t ' program \./answered$'
    says t ' clock wall 2025-01-01T00:00:00\.016000000Z$'
    says t ' random: 16 bytes of getrandom, digest [0-9a-f]{16}$'
    says t ' random: 8 bytes of a random device, digest'
    says t ' pid: getpid = [0-9]+$'
    says t ' open /dev/urandom, flags 0'
    says t ' directory: [0-9]+ entries, digest'
    says t ' write to 1: 6 bytes, digest'
    says t ' open none: No such file or directory, flags 0'
    says t '^task 1\.1 \(answered\)$'
    says t ' exit: status 3$'
    says t ' exit: signal 9$'
    says t ' exit: status 0$'
    # Each event is of one task, numbered from 0.
    limited "$detrun" trace --format json --task 1 t | jq -s -e \
        '[.[].answer.event] == [range(length)] and all(.task == "1")' >/dev/null || fail "numbers"
    limited "$detrun" trace --task 9 t >log/out 2>log/err
    [ $? = 2 ] || fail "no such task: $(cat log/err)"
}

# A trace looks at what programs hand to the kernel, which may be anything.
bad_addresses() {
    compile answered -lpthread
    traced t ./answered bad
    [ "$(cat log/out)" = "100 103 1 1 0" ] || fail "$(cat log/out)"
    says t ' open : Bad address'
    says t ' write to 1: Bad address'
}

# Each guest ends as it does without a trace.
guests() {
    local guest status n=0
    for guest in "$(dirname "$detrun")"/../guests/guest_*; do
        limited "$detrun" -q --seed 3 -- "$guest" >log/without 2>&1 </dev/null
        status=$?
        limited "$detrun" -q --seed 3 --trace t -- "$guest" >log/with 2>&1 </dev/null
        [ $? = $status ] || fail "$guest: another status than $status: $(tail -n 3 log/with)"
        cmp log/without log/with || fail "$guest: $(diff log/without log/with | head -n 5)"
        limited "$detrun" trace t >log/text 2>log/err || fail "$guest: $(cat log/err)"
        n=$((n + 1))
    done
    [ $n -gt 100 ] || fail "there are $n guests"
}

# Threads, forks, vforks and execs at once, ten times, also beside two busy loops.
equal() {
    compile answered -lpthread
    local i seconds=8
    cat >job.sh <<'END'
for i in 1 2 3 4; do ./answered $i & done
wait
date | cat
ls / | sort >list
END
    for i in 1 2 3 4 5 6 7 8 9 10; do
        if [ "$i" = 6 ]; then
            timeout $seconds sh -c 'while :; do :; done' &
            timeout $seconds sh -c 'while :; do :; done' &
        fi
        traced "t$i" bash job.sh
        events "t$i" >"log/$i"
        [ "$(wc -l <"log/$i")" -gt 100 ] || fail "run $i: few events: $(wc -l <"log/$i")"
        cmp "log/1" "log/$i" || fail "run $i: $(diff log/1 "log/$i" | head -n 5)"
    done
    wait
    options=(--seed 8)
    traced t8 bash job.sh
    events t8 >log/8
    cmp -s log/1 log/8 && fail "the same trace with another seed"
    return 0
}

# What the program sees is the same with a trace and without one, addresses too.
unseen() {
    compile answered -lpthread
    options=()
    traced t ./answered addresses
    cp log/out log/with
    limited "$detrun" --seed 7 -- ./answered addresses >log/without 2>&1 || fail "without"
    cmp log/with log/without || fail "$(diff log/with log/without)"
}

# A process dies in the middle, then detrun itself: what was written is there.
killed() {
    compile answered -lpthread
    traced t sh -c './answered kill; date'
    says t ' exit: signal 9$'
    says t ' clock wall'
    "$detrun" --seed 7 --trace k -- ./answered wait >log/ready 2>&1 &
    local pid=$!
    wait_for log/ready
    kill -9 $pid
    wait $pid
    limited "$detrun" trace k >log/text 2>log/err
    [ $? = 3 ] || fail "status of a trace whose detrun was killed"
    grep -q 'detrun was killed' log/err || fail "$(cat log/err)"
    grep -q ' clock wall' log/text || fail "$(cat log/text)"
}

bad_file() {
    local status=$1 words=$2
    shift 2
    limited "$detrun" "$@" >log/out 2>log/err
    [ $? = "$status" ] || fail "$*: not $status: $(cat log/err)"
    [ "$(wc -l <log/err)" = 1 ] || fail "$*: not one line: $(cat log/err)"
    grep -qF "$words" log/err || fail "$*: $(cat log/err)"
}

bad_input() {
    compile answered -lpthread
    traced t ./answered
    echo text >foreign
    bad_file 2 'it is no trace' trace foreign
    bad_file 2 'No such file' trace none
    head -c 60 t >short
    bad_file 2 'cut off' trace short
    head -c 36000 t >part
    bad_file 3 'cut off' trace part
    grep -q ' clock wall' log/out || fail "what there is of it is not shown"
    cp t newer
    printf '\011' | dd of=newer bs=1 seek=16 conv=notrunc 2>/dev/null
    bad_file 2 'another version' trace newer
    bad_file 125 'is there already, and no trace' --seed 1 --trace foreign -- true
    [ "$(cat foreign)" = text ] || fail "a file that is no trace was overwritten"
    bad_file 125 'No such file' --seed 1 --trace none/t -- true
    bad_file 125 'needs the supervisor' --seed 1 --no-supervisor --trace u -- true
    # An older trace is replaced, and who has it open keeps it.
    exec 9<t
    traced t true
    [ "$(limited "$detrun" trace t | grep -c ^task)" = 1 ] || fail "not replaced"
    cmp -s - t <&9 && fail "the old one was written over"
    # Random bytes in it: an answer, whichever.
    local i
    for i in 1 2 3 4 5 6 7 8; do
        cp part damaged
        head -c 64 /dev/urandom | dd of=damaged bs=1 seek=$((32768 + i * 123)) conv=notrunc 2>/dev/null
        limited "$detrun" trace damaged >log/out 2>log/err
        case $? in 0 | 2 | 3) ;; *) fail "damaged: $?" ;; esac
    done
}

# parts_at PATTERN SOURCE-OR-CAUSE: what diff says of a and b
parts_at() {
    limited "$detrun" diff a b >log/diff 2>log/err
    [ $? = 1 ] || fail "no difference: $(cat log/diff log/err)"
    grep -qE "^first change: $1\$" log/diff || fail "not \"$1\": $(cat log/diff)"
    grep -qE "^likely cause: .*$2" log/diff || fail "not \"$2\": $(cat log/diff)"
    limited "$detrun" diff --format json a b >log/json
    jq -e '.verdict == "diverged" and (.first_change.before_a | length) <= 10' log/json >/dev/null ||
        fail "json: $(cat log/json)"
}

# Each source alone, left to the kernel in one of two runs or in both: found where it comes in.
differences() {
    compile answered -lpthread
    options=()
    traced a bash -c './answered; date'
    traced b bash -c './answered; date'
    limited "$detrun" diff a b >log/diff || fail "equal runs: $(cat log/diff)"
    grep -qE '^same: [0-9]+ events of [0-9]+ tasks$' log/diff || fail "$(cat log/diff)"
    options=(--real=wall)
    traced a date
    traced b date
    parts_at 'task 1 \(date\): other value, source wall' 'real \(--real=wall\)'
    options=(--real=random)
    traced a ./answered
    traced b ./answered
    parts_at 'task 1 \(answered\): other value, source random' 'real=random'
    options=(--real=pid)
    traced a sh -c 'echo $$'
    traced b sh -c 'echo $$'
    parts_at 'task 1 \(sh\): other value, source pid' 'real=pid'
    options=()
    mkdir -p d
    touch d/a d/b
    traced a sh -c 'ls d | cat'
    touch d/c
    traced b sh -c 'ls d | cat'
    parts_at 'task 1\.1 \((ls|sh)\): other value, source dirs' 'what is in the directory'
    # The program's own: an environment variable.
    A=1 traced a sh -c 'date; echo $A'
    A=2 traced b sh -c 'date; echo $A'
    parts_at 'task 1 \(sh\): other value' 'an environment variable'
    traced a sh -c 'date; date'
    traced b sh -c 'date'
    parts_at 'task 1.*' 'another way|in one of the runs only|another order'
    traced a date
    options=(--test-name other)
    traced b date
    parts_at '.*' 'different seeds'
}

# Images without the shim are told of by the supervisor.
without_shim() {
    compile answered -static -lpthread
    options=()
    traced a ./answered
    says a ' program \./answered$'
    says a ' clock wall 2025'
    says a ' random: 16 bytes of getrandom'
    traced b ./answered
    limited "$detrun" diff a b >log/diff || fail "equal runs: $(cat log/diff)"
    options=(--seed 8)
    traced b ./answered
    parts_at 'task 1 \(answered\): other value, source random' 'different seeds'
    # A job inside a job has a trace of its own.
    options=()
    traced outer "$detrun" --seed 3 --trace inner -- date
    says inner ' clock wall 2025'
    limited "$detrun" trace outer | grep -q 'clock wall' && fail "the inner job's events in the outer trace"
    return 0
}

# verify compares traces too: its verdict is by what the command leaves, the traces say where it parts.
verify() {
    options=()
    limited "$detrun" verify --seed 5 --record records --real random --keep kept -- \
        sh -c 'date; od -An -N4 -tx4 /dev/urandom' >log/out 2>log/err
    [ $? = 1 ] || fail "no divergence: $(cat log/out log/err)"
    grep -qE '^traces differ in: random \(1 tasks\)' log/out || fail "$(cat log/out)"
    grep -qE '^first change: task 1(\.[0-9])? \((od|sh)\): other value, source random' log/out || fail "$(cat log/out)"
    grep -q '^likely cause: random: the kernel answered, it was left real' log/out || fail "$(cat log/out)"
    jq -e 'select(.event == "verdict") | .traces | .compared == 3 and .differing == 3 and
           .channels.random == 1 and .first_change.source == "random"' records >/dev/null ||
        fail "$(tail -n 1 records)"
    jq -s -e 'any(.event == "divergence" and (.likely_cause | startswith("random")))' records >/dev/null ||
        fail "$(grep divergence records)"
    valid records
    limited "$detrun" diff kept/1.trace kept/2.trace >log/diff
    grep -q 'source random' log/diff || fail "$(cat log/diff)"
    limited "$detrun" verify --seed 5 --record same -- date >log/out || fail "$(cat log/out)"
    jq -e 'select(.event == "verdict") | .traces == {"compared": 3, "differing": 0}' same >/dev/null ||
        fail "$(tail -n 1 same)"
    limited "$detrun" verify --seed 5 --no-supervisor -- date >log/out 2>log/err || fail "$(cat log/out log/err)"
    bad_file 2 'each run would write the same file' verify --trace t -- date
}

# Ten million events: in ten seconds, and 200 MB.
large() {
    compile answered -lpthread
    options=()
    traced a ./answered many 10000000
    traced b ./answered many 10000003
    command -v /usr/bin/time >/dev/null || skip "time is not here"
    /usr/bin/time -o log/time -f '%e %M' "$detrun" diff a b >log/diff 2>log/err
    [ $? = 1 ] || fail "$(cat log/diff log/err)"
    read -r seconds memory < <(tail -n 1 log/time)
    [ "${seconds%.*}" -lt 10 ] || fail "$seconds s"
    [ "$memory" -lt 200000 ] || fail "$memory KiB"
    grep -q '^[-+] *10000[0-9]*  ' log/diff || fail "$(cat log/diff)"
}

# No room left: the program goes on, one line says so, and what there is can be read.
full() {
    as_root_only
    compile answered -lpthread
    mkdir -p disk
    mount -t tmpfs -o size=2200k tmpfs disk 2>/dev/null || skip "cannot mount a file system"
    limited "$detrun" --seed 7 --trace disk/t -- ./answered many 300000 >log/out 2>log/err
    local status=$?
    limited "$detrun" trace disk/t >log/text 2>log/text.err
    local read=$?
    umount disk
    [ $status = 0 ] || fail "the command's status is $status"
    grep -q '^many 300000$' log/out || fail "the program's output: $(cat log/out)"
    [ "$(wc -l <log/err)" = 1 ] || fail "not one line: $(cat log/err)"
    grep -q 'not whole, [0-9]* events are missing: No space left' log/err || fail "$(cat log/err)"
    [ $read = 3 ] || fail "reading it: $read"
    [ "$(wc -l <log/text)" -gt 50000 ] || fail "few events: $(wc -l <log/text)"
}

"$1"
