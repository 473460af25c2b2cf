#!/bin/bash
# SPDX-License-Identifier: MIT
# no_follow.sh: programs that --no-follow names get real answers, random addresses and no variable
# of ours, whoever starts them in whichever way, and so do their children; all others do not.
. "$(dirname "$0")/lib.sh"
need gcc

compile left_alone
gcc -O1 -static -o static_left_alone "$programs/left_alone.c" || skip "no static libc"
cp left_alone sut
cp static_left_alone static_sut
printf '#!/bin/sh\nset -e\n./left_alone\n' >sut.sh
chmod +x sut.sh

real="told: nothing
time: real
pid: real
addresses: random"

# left ADVICE COMMAND...: the report is a program's that is not followed
left() {
    local what=$1
    shift
    limited "$detrun" --seed 7 --export EXPORTED='x{seed}' --subst "$@" >log/left 2>&1 </dev/null ||
        fail "$what: $(cat log/left)"
    [ "$(grep -v '^random' log/left)" = "$real" ] || fail "$what: $(cat log/left)"
    grep '^random' log/left | tr ' ' '\n' | grep -v : >>log/random
}

[ "$(limited "$detrun" --seed 7 ./left_alone | grep -c -e "job's" -e fixed)" = 3 ] ||
    fail "without the option: $(limited "$detrun" --seed 7 ./left_alone)"

for program in ./sut ./static_sut ./sut.sh; do
    for how in execve execvp raw empty fexecve execveat spawn spawnp vfork system popen; do
        for by in ./left_alone ./static_left_alone; do
            left "$how of $program by $by" --no-follow 'nothing' --no-follow '*sut*' -- \
                "$by" "$how" "$program"
        done
    done
done
left "a path" --no-follow "$work/su?" -- ./left_alone spawn ./sut
left "the command itself" --no-follow sut -- ./sut
left "several in one text" --no-follow "a:sut:b" -- ./sut
DETRUN_NO_FOLLOW=sut left "by the environment" -- ./sut
left "a child" --no-follow sut -- ./sut spawn ./left_alone
left "a grandchild of a static one" --no-follow static_sut -- \
    ./static_sut vfork ./left_alone system ./static_left_alone
left "an orphan in a session of its own" --no-follow sut -- ./sut orphan ./left_alone
left "an orphan of a static one" --no-follow static_sut -- ./static_sut orphan ./static_left_alone
left "in a job inside" --no-follow sut -- "$detrun" --seed 8 -- ./sut
left "by a job inside" -- "$detrun" --seed 8 --no-follow sut -- ./left_alone spawn ./sut

[ "$(sort log/random | uniq -d)" = "" ] || fail "random bytes came twice: $(sort log/random | uniq -d)"

for pattern in '/elsewhere/*' 'SUT' 'su'; do
    limited "$detrun" --seed 7 --no-follow "$pattern" -- ./sut | grep -q "pid: job's" ||
        fail "$pattern named it"
done

# What others set stays.
ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=libm.so.6 limited "$detrun" --seed 7 --no-follow env -- \
    env >log/kept 2>&1
grep -qx ASAN_OPTIONS=detect_leaks=0 log/kept || fail "ASAN_OPTIONS: $(grep ASAN log/kept)"
grep -qx LD_PRELOAD=libm.so.6 log/kept || fail "LD_PRELOAD: $(grep LD_ log/kept)"
limited "$detrun" --seed 7 --no-follow env env -0 | tr '\0' '\n' >log/ours
! grep -q -e PRELOAD -e ASAN log/ours || fail "an empty one is left: $(cat log/ours)"

# The others' answers do not depend on them.
for round in 1 2 3; do
    capture "round.$round" under 7 sh -c './left_alone; ./left_alone'
    capture "apart.$round" limited "$detrun" --seed 7 --no-follow sut -- \
        sh -c './left_alone; ./sut >/dev/null; ./left_alone'
    ok "apart.$round"
    same apart.1 "apart.$round" "with a program that is not followed"
done
[ "$(grep -c "pid: job's" log/apart.1)" = 2 ] || fail "the others: $(cat log/apart.1)"

# It is waited for in real time: by its parent, and through a pipe.
printf '#!/bin/sh\nsleep 1\necho slept\n' >slow.sh
chmod +x slow.sh
for how in './slow.sh & sleep 30 & wait $!; kill %1 2>/dev/null; wait %1' \
    './slow.sh | { read -t 20 word || word=late; [ $word = slept ] || exit 3; }'; do
    milliseconds limited "$detrun" --seed 7 --no-follow slow.sh -- bash -c "$how"
    case $how in *word*) ok timed ;; esac
    [ "$elapsed" -ge 900 ] || fail "$how: after $elapsed ms"
done

# Named and recorded.
limited "$detrun" -v --record records --seed 7 --strict --no-follow 'su[st]' -- \
    sh -c './sut; ./sut' >log/named 2>&1 || fail "a note is no gap: $(cat log/named)"
grep -q "note programs_not_followed: 2" log/named || fail "not named: $(cat log/named)"
grep -q '"programs_not_followed":2' records || fail "not recorded: $(cat records)"
grep -q '"no-follow":"su\[st\]"' records || fail "the option is not recorded"
valid records

# A tracer that is there already keeps it.
if command -v strace >/dev/null; then
    limited "$detrun" -v --seed 7 --no-follow sut -- strace -f -o log/strace ./sut >log/traced 2>&1
    grep -q "not controlled programs_followed_against_no_follow: 1" log/traced ||
        fail "under strace: $(cat log/traced)"
fi

# Bad ones.
for bad in "" "$(printf '%0600d' 1)"; do
    limited "$detrun" --no-follow "$bad" true >log/bad 2>&1
    [ "$? $(wc -l <log/bad)" = "125 1" ] || fail "\"$bad\": $(cat log/bad)"
done
limited "$detrun" --no-supervisor --no-follow sut true >log/bad 2>&1
[ $? = 125 ] || fail "without supervisor: $(cat log/bad)"
