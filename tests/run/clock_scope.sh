#!/bin/bash
# SPDX-License-Identifier: MIT
# --clock-scope=job: one strictly monotone clock for the whole job, through every door.
. "$(dirname "$0")/lib.sh"
need python3

compile turns
gcc -O1 -static -o turns_static "$programs/turns.c" || fail "cannot link statically"

strictly() {
    awk 'NR > 1 && $1 <= last { exit 1 } { last = $1 } END { exit NR != '"$2"' }' "$1"
}

for program in ./turns ./turns_static; do
    limited "$detrun" --seed 7 --clock-scope=job -- $program 20 >log/job || fail "$program ends badly"
    strictly log/job 40 || fail "$program with one clock: $(cat log/job)"
    under 7 $program 20 >log/task || fail "$program ends badly"
    [ "$(wc -l <log/task)" = 40 ] || fail "$program printed $(wc -l <log/task) lines"
    strictly log/task 40 && fail "$program increases strictly without the option, too"
    DETRUN_CLOCK_SCOPE=job limited "$detrun" --seed 7 -- $program 20 >log/again
    cmp -s log/job log/again || fail "$program: who takes turns sees the same in every run"
done

# A static process and one with the library share the clock.
both="date +%s%N; ./turns_static 1; date +%s%N; ./turns 1; date +%s%N"
limited "$detrun" --seed 7 --clock-scope=job -- sh -c "$both" >log/both || fail "mixed"
strictly log/both 7 || fail "static and dynamic programs: $(cat log/both)"

# A program of one thread: two runs are equal, sleeps are exact, and so is the monotonic clock.
script='import time
a = time.time_ns(), time.monotonic_ns()
time.sleep(0.25)
b = time.time_ns(), time.monotonic_ns()
print(a, b, b[0] - a[0], b[1] - a[1])'
for i in 1 2 3; do
    limited "$detrun" --seed 7 --clock-scope=job -- python3 -c "$script" >"log/single.$i" ||
        fail "python3"
    same single.1 "single.$i" "one thread"
done
grep -q ' 266000000 250000000$' log/single.1 || fail "a sleep of 250 ms: $(cat log/single.1)"

# Threads: no two reads are equal.
threads='import threading, time
seen = [[] for _ in range(8)]
def read(values):
    for _ in range(2000): values.append(time.time_ns())
threads = [threading.Thread(target=read, args=(values,)) for values in seen]
for t in threads: t.start()
for t in threads: t.join()
flat = sum(seen, [])
print(len(set(flat)) == len(flat) and all(v == sorted(v) for v in seen))'
[ "$(limited "$detrun" --seed 7 --clock-scope=job -- python3 -c "$threads")" = True ] ||
    fail "threads: two reads are equal, or one is earlier"

limited "$detrun" --seed 7 --clock-scope=job --summary s.json -- true || fail "--summary"
grep -q '"clock_scope": "job"' s.json || fail "the summary does not say it: $(cat s.json)"
limited "$detrun" --seed 7 --summary s.json -- true
grep -q '"clock_scope": "task"' s.json || fail "the summary does not say task: $(cat s.json)"

# Where there is no supervisor it cannot be had, and says so before anything has run.
limited "$detrun" --seed 7 --clock-scope=job --no-supervisor -- touch started 2>log/err
[ $? = 125 ] || fail "--no-supervisor is taken"
compile deny
limited ./deny seccomp "$detrun" --seed 7 --clock-scope=job -- touch started 2>>log/err
[ $? = 125 ] || fail "runs without seccomp"
[ "$(wc -l <log/err)" = 2 ] || fail "not one line each: $(cat log/err)"
[ ! -e started ] || fail "the command was started"
exit 0
