#!/bin/bash
# SPDX-License-Identifier: MIT
# detrun soak: many runs, each compared with the first of its seed; goes on after it was killed.
# soak.sh RUNS
. "$(dirname "$0")/lib.sh"
need jq od
runs=${1:-200}
limit=250

soak() { limited "$detrun" soak "$@" >log/out 2>log/err; }

# memory PID: of a process, in kB
memory() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status" 2>/dev/null; }

# Its memory is the same after a fifth of the runs and at the last look, soon before the end.
"$detrun" soak --seed 1 --runs "$runs" --jobs 2 --record s.jsonl -- sh -c 'date; od -An -N4 -tx1 /dev/urandom' >log/out 2>log/err &
pid=$! early='' late=''
while kill -0 "$pid" 2>/dev/null; do
    now=$(memory "$pid")
    [ "$(wc -l <s.jsonl 2>/dev/null || echo 0)" -gt $((runs / 5)) ] && early=${early:-$now}
    late=${now:-$late}
    sleep 0.1
done
wait "$pid" || fail "$(cat log/out log/err)"
[ -n "$early" ] || fail "it was too fast to look at"
[ $((late - early)) -le 128 ] || fail "memory: $early kB, then $late kB"
! grep -q $'\x1b' log/out log/err || fail "escapes, and no terminal: $(cat -v log/err)"
grep -q "^same: $runs runs, $((runs - 1)) compared" log/out || fail "$(cat log/out)"
diff <(seq "$runs") <(jq 'select(.event == "iteration") | .iteration' s.jsonl) >log/diff || fail "records: $(head log/diff)"
valid s.jsonl
soak --seeds 5..14 --record seeds.jsonl -- uuidgen || fail "$(cat log/out log/err)"
grep -q '^same: 20 runs, 10 compared' log/out || fail "$(cat log/out)"
[ "$(jq -r 'select(.event == "iteration") | .stdout_xxh3' seeds.jsonl | sort -u | wc -l)" = 10 ] || fail "ten seeds"

# Progress on a terminal: numbers that rise, of all.
if command -v script >/dev/null; then
    limited script -qec "$detrun soak --seed 1 --runs 60 --jobs 2 -- sleep 0.01" /dev/null >log/terminal 2>&1 </dev/null ||
        fail "on a terminal: $(cat -v log/terminal)"
    tr '\r' '\n' <log/terminal | sed -nE 's|^([0-9]+)/60 runs, 0 failed, .*|\1|p' >log/progress
    [ "$(wc -l <log/progress)" -ge 2 ] || fail "no progress: $(cat -v log/terminal)"
    sort -nuC log/progress || fail "progress: $(cat log/progress)"
    [ "$(tail -n 1 log/progress)" -le 60 ] || fail "progress: $(cat log/progress)"
fi

# The first divergence stops it, or all are counted.
soak --seed 1 --runs 50 --real random --record d.jsonl -- sh -c 'od -An -N8 -tx1 /dev/urandom'
[ $? = 1 ] || fail "diverged: $(cat log/out log/err)"
grep -q '^diverged: run 2 .*in stdout$' log/out || fail "$(cat log/out)"
[ "$(jq -c 'select(.event == "iteration")' d.jsonl | wc -l)" = 2 ] || fail "it goes on"
valid d.jsonl
soak --seed 1 --runs 5 --keep-going --real random -- sh -c 'od -An -N8 -tx1 /dev/urandom'
grep -q '^diverged: 5 runs, 4 compared .* 4 diverged' log/out || fail "$(cat log/out)"
# A run that is skipped where others are not is one.
soak --seed 1 --runs 4 -- sh -c 'test -e seen && exit 77; touch seen'
[ $? = 1 ] || fail "one skipped: $(cat log/out)"
grep -q 'in skipped' log/out || fail "$(cat log/out)"
soak --seed 1 --runs 1 -- true
[ $? = 3 ] || fail "one run: $(cat log/out)"
soak --seed 1 --for 1s -- true || fail "--for: $(cat log/out log/err)"

# Killed, it goes on behind the last run that was recorded, and finds a difference to the first.
"$detrun" soak --seed 1 --runs 100000 --jobs 2 --record k.jsonl -- sh -c 'cat code 2>/dev/null; date' >/dev/null 2>&1 &
pid=$!
for ((i = 0; i < 200; i++)); do
    [ "$(wc -l <k.jsonl 2>/dev/null || echo 0)" -gt 10 ] && break
    sleep 0.05
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
sleep 0.3
done=$(jq 'select(.event == "iteration") | .iteration' k.jsonl | tail -n 1)
soak --seed 1 --runs $((done + 5)) --record k.jsonl --resume -- sh -c 'cat code 2>/dev/null; date' || fail "resumed: $(cat log/out log/err)"
grep -q '^same: 5 runs, 5 compared' log/out || fail "resumed after $done: $(cat log/out)"
diff <(seq $((done + 5))) <(jq 'select(.event == "iteration") | .iteration' k.jsonl) >log/diff || fail "numbers: $(head log/diff)"
echo other >code
soak --seed 1 --runs $((done + 9)) --record k.jsonl --resume -- sh -c 'cat code 2>/dev/null; date'
[ $? = 1 ] || fail "resumed, a difference: $(cat log/out)"
# Another command, another seed, a file that is none.
soak --seed 2 --runs 99999 --record k.jsonl --resume -- sh -c 'cat code 2>/dev/null; date'
[ $? = 2 ] || fail "another seed: $(cat log/out log/err)"
soak --seed 1 --runs 99999 --record k.jsonl --resume -- true
[ $? = 2 ] || fail "another command: $(cat log/out log/err)"
head -c 1000 /dev/urandom >random.jsonl
soak --seed 1 --runs 2 --record random.jsonl --resume -- true
[ $? = 2 ] || fail "no file of records: $(cat log/out log/err)"
for words in "" "--runs 0 true" "--seeds 5 true" "--seeds 5..1 true" "--for x true" "--runs 2" "--runs 3 --resume true" \
    "--runs 3 --resume --record /nowhere true" "--runs 3 --resume --record k.jsonl true"; do
    # shellcheck disable=SC2086
    soak $words
    [ $? = 2 ] || fail "soak $words: $(cat log/out log/err)"
    [ "$(wc -l <log/err)" = 1 ] || fail "soak $words: $(cat log/err)"
done
exit 0
