#!/bin/bash
# SPDX-License-Identifier: MIT
# nested.sh CASE: detrun inside a job of detrun has a job of its own, and is as it is outside.
. "$(dirname "$0")/lib.sh"

answers='date +%s%N; uuidgen; echo $$ $PPID; head -c 8 /dev/urandom | od -An -tx1; sleep 0.01; date +%s%N; env | sort'

# supervisor_of LAUNCHER: the child that is detrun, too, and has a session of its own
supervisor_of() {
    local pid
    for pid in $(pgrep -P "$1" -x detrun); do
        [ "$(ps -o sid= -p "$pid" | tr -d ' ')" != "$pid" ] || echo "$pid"
    done
}

# memories PID: how many job memories a process has
memories() {
    find "/proc/$1/fd" -lname '/memfd:detrun*' | wc -l
}

nested_answers() {
    need uuidgen
    capture outside under 5 sh -c "$answers"
    ok outside
    local seed
    for seed in 5 6 7; do
        capture "inside.$seed" under "$seed" "$detrun" --seed 5 -- sh -c "$answers"
        same outside "inside.$seed" "inside seed $seed"
    done
    capture other under 6 "$detrun" --seed 8 -- sh -c "$answers"
    cmp -s log/outside log/other && fail "the inner seed does not matter"
    capture deep under 6 "$detrun" --seed 7 "$detrun" --seed 8 "$detrun" --seed 5 -- sh -c "$answers"
    same outside deep "a job in a job in a job in a job"
    capture alone limited "$detrun" --seed 6 --no-supervisor -- "$detrun" --seed 5 -- sh -c "$answers"
    same outside alone "in a job without supervisor"
    # shellcheck disable=SC2016 # for the inner shell
    capture twice under 6 sh -c '"$0" --seed 5 -- sh -c "$1"; uuidgen >/dev/null; "$0" --seed 5 -- sh -c "$1"' "$detrun" "$answers"
    # shellcheck disable=SC2016
    capture once limited sh -c '"$0" --seed 5 -- sh -c "$1"; :' "$detrun" "$answers"
    ok once
    sed '$d' log/once >log/once.out
    cat log/once.out log/once.out >log/expected
    sed '$d' log/twice | diff log/expected - || fail "two jobs in one"
}

# Options are the inner command's, whatever the outer one was given.
nested_options() {
    local option
    for option in '--epoch 86400' '--step 250ms' '--mono-step 3ms' '--test-name other' '--real aslr' \
        '--clock-scope job' '--seed-encoding dec'; do
        # shellcheck disable=SC2086 # words of an option
        capture outside limited "$detrun" --seed 5 $option -- sh -c "$answers"
        ok outside
        # shellcheck disable=SC2086
        capture inside under 6 "$detrun" --seed 5 $option -- sh -c "$answers"
        same outside inside "$option"
    done
    capture outside under 5 sh -c "$answers"
    for option in '--epoch 86400' '--mono-step 3ms' '--test-name other' '--real pid,random,aslr' '--clock-scope job'; do
        # shellcheck disable=SC2086
        capture inside limited "$detrun" --seed 6 $option -- "$detrun" --seed 5 -- sh -c "$answers"
        same outside inside "outer $option"
    done
    [ "$(under 6 "$detrun" --seed 5 --real wall -- date +%Y)" = "$(date +%Y)" ] || fail "--real wall inside"
    # The step is in the environment, and so is for all.
    capture outside env E2E_TIME_STEP_MS=7 "$detrun" --seed 5 -- sh -c "$answers"
    capture inside env E2E_TIME_STEP_MS=7 "$detrun" --seed 6 -- "$detrun" --seed 5 -- sh -c "$answers"
    same outside inside "E2E_TIME_STEP_MS"
    capture inside under 5 "$detrun" -- sh -c "$answers"
    capture outside under 5 sh -c "$answers"
    same outside inside "without options"
}

nested_programs() {
    local program seed
    compile answers -lpthread
    gcc -O1 -static -o answers_static "$programs/answers.c" -lpthread || fail "cannot link statically"
    for program in ./answers ./answers_static; do
        capture outside under 5 "$program"
        ok outside
        for seed in 5 6; do
            capture inside under "$seed" "$detrun" --seed 5 -- "$program"
            same outside inside "$program in $seed"
        done
    done
    need python3
    local script='import os, random, subprocess, threading, time, uuid
def show(*a): print(*a, flush=True)
show(uuid.uuid4(), time.time_ns(), time.monotonic_ns(), os.getpid(), random.random())
for i in range(3): show(subprocess.run(["sh", "-c", "echo $$; date +%N; exec /bin/true"], capture_output=True).stdout)
t = threading.Thread(target=lambda: (time.sleep(0.02), show(threading.get_native_id(), time.time_ns()))); t.start(); t.join()
pid = os.fork()
if pid == 0: show(os.getpid(), os.getppid(), os.urandom(4)); os._exit(3)
show(pid, os.waitpid(pid, 0)); os.kill(os.getpid(), 0)'
    capture outside under 5 python3 -c "$script"
    ok outside
    capture inside under 6 "$detrun" --seed 5 -- python3 -c "$script"
    same outside inside python3
    command -v go >/dev/null || return 0
    env GOCACHE="$work/cache" GO111MODULE=off go build -o answers_go "$programs/answers.go" 2>log/go || fail "go: $(cat log/go)"
    capture outside under 5 ./answers_go
    capture inside under 6 "$detrun" --seed 5 -- ./answers_go
    same outside inside go
}

nested_status() {
    local status
    for status in 0 3 77 125 255; do
        under 6 "$detrun" --seed 5 -- sh -c "exit $status"
        [ $? = "$status" ] || fail "exit status $status is not passed on"
    done
    under 6 "$detrun" --seed 5 -- ./nonexistent 2>log/err
    [ $? = 127 ] || fail "not found: $(cat log/err)"
    ulimit -c 0
    # shellcheck disable=SC2016 # for the inner shells
    [ "$(under 6 bash -c '"$0" --seed 5 -- sh -c "kill -TERM \$\$"; echo $?' "$detrun" 2>/dev/null)" = 143 ] ||
        fail "death by a signal"
    # Signals to the inner launcher reach its command.
    # shellcheck disable=SC2016
    under 6 bash -c '"$0" --seed 5 -- bash -c "trap \"echo usr1; exit 9\" USR1; echo ready; while :; do sleep 0.05; done" >out &
        until grep -q ready out; do sleep 0.05; done
        kill -USR1 $!; wait $!; echo $?' "$detrun" >log/forward
    [ "$(cat log/forward)" = 9 ] || fail "a signal is not forwarded: $(cat log/forward out)"
    [ "$(tail -n 1 out)" = usr1 ] || fail "the command did not hear it: $(cat out)"
}

nested_refused() {
    refused() {
        limited "$detrun" "${outer[@]}" -- "$detrun" "$@" -- touch started >log/out 2>&1
        [ $? = 125 ] || fail "$*: $(cat log/out)"
        [ "$(wc -l <log/out)" = 1 ] || fail "$*: not one line: $(cat log/out)"
        [ ! -e started ] || fail "$*: the command was started"
    }
    outer=(--seed 6)
    refused --seed 5 --trap-open
    refused --seed 5 --no-supervisor
    refused --seed x
    limited "$detrun" --seed 6 --trap-open -- "$detrun" --seed 5 --trap-open -- true || fail "--trap-open in both"
    printf '#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>
int main(void) { unsigned n = 0; if (read(open("/dev/urandom", O_RDONLY), &n, 4) != 4) return 1; printf("%%u\\n", n); return 0; }\n' >device.c
    gcc -O1 -static -o device device.c || fail "cannot link statically"
    capture outside limited "$detrun" --seed 5 --trap-open -- ./device
    ok outside
    capture inside limited "$detrun" --seed 6 --trap-open -- "$detrun" --seed 5 --trap-open -- ./device
    same outside inside "a random device of a static program"
    # Without --trap-open it is the kernel's, as outside.
    for i in 1 2; do
        limited "$detrun" --seed 6 --trap-open -- "$detrun" --seed 5 -- ./device >"log/real.$i" || fail "device"
    done
    cmp -s log/real.1 log/real.2 && fail "answers a device that was left alone"
    return 0
}

nested_summary() {
    limited "$detrun" --seed 6 --summary outer.json -- "$detrun" --seed 5 --summary inner.json -v -- uuidgen >log/out 2>log/err ||
        fail "$(cat log/err)"
    grep -q '"seed": 5,' inner.json || fail "the inner summary: $(cat inner.json)"
    grep -q '"seed": 6,' outer.json || fail "the outer summary: $(cat outer.json)"
    grep -q 'seed 5 .*supervisor yes' log/err || fail "-v: $(cat log/err)"
    limited "$detrun" --seed 5 --summary outside.json -- uuidgen >log/out || fail "outside"
    cmp inner.json outside.json || fail "the same command was answered otherwise"
    under 6 "$detrun" --seed 5 --strict -- uuidgen >log/out 2>&1 || fail "--strict: $(cat log/out)"
}

# What an inner command slept has passed for those who wait for it.
nested_time() {
    # shellcheck disable=SC2016 # for the inner shell
    under 6 sh -c 'date +%s%N; "$0" --seed 5 -- sleep 1.5; date +%s%N' "$detrun" >log/time || fail "time"
    local passed
    passed=$(($(tail -n 1 log/time) - $(head -n 1 log/time)))
    [ $((passed / 100000000)) = 15 ] || fail "1.5 s of the inner job were $passed ns"
    # shellcheck disable=SC2016
    same_output 3 sh -c 'date +%s%N; "$0" --seed 5 -- sleep 0.1; date +%s%N; uuidgen; echo $$' "$detrun"
}

nested_timeout() {
    local start=$SECONDS
    under 6 "$detrun" --seed 5 --timeout 0.5 -- sh -c 'trap "" TERM; sleep infinity & sleep infinity; sleep infinity' 2>log/err
    [ $? = 125 ] || fail "--timeout inside: $(cat log/err)"
    [ $((SECONDS - start)) -lt 20 ] || fail "--timeout 0.5 inside took $((SECONDS - start)) s"
    grep -q -- --timeout log/err || fail "no line: $(cat log/err)"
    # The outer one's reaches what is inside, also what does not want to end.
    cat >stubborn <<'S'
#!/bin/sh
trap "" TERM
(sleep infinity; sleep infinity) &
sleep infinity
sleep infinity
S
    chmod +x stubborn
    limited "$detrun" --seed 6 --timeout 0.5 -- "$detrun" --seed 4 -- "$detrun" --seed 5 -- "$work/stubborn" 2>log/err
    [ $? = 125 ] || fail "--timeout outside: $(cat log/err)"
    sleep 0.2
    pgrep -f "$work/stubborn" >log/left && fail "--timeout leaves processes: $(cat log/left)"
    limited "$detrun" --seed 6 -- "$detrun" --seed 4 --timeout 0.5 -- "$detrun" --seed 5 -- "$work/stubborn" 2>log/err
    [ $? = 125 ] || fail "--timeout in between: $(cat log/err)"
    sleep 0.2
    pgrep -f "$work/stubborn" >log/left && fail "--timeout in between leaves processes: $(cat log/left)"
    return 0
}

# Memory goes with the job, however it ends; what is left in the background is answered on.
nested_release() {
    need pgrep
    cat >many <<'S'
#!/bin/bash
for i in $(seq 140); do "$1" --seed "$i" -- true; done
for i in $(seq 8); do
    for k in $(seq 8); do "$1" --seed "$k" -- sh -c 'sleep 0.1; uuidgen' >/dev/null & done
    wait
done
"$1" --seed 5 -- sh -c '(sleep 1; uuidgen >late; date +%s%N >>late) & exit 0'
"$1" --seed 5 -- sh -c 'echo started >running; exec sleep 31' &
until [ -s running ]; do sleep 0.02; done
kill -KILL $!
wait
echo done >ended
until [ -s late ] && [ -e go ]; do sleep 0.05; done
S
    "$detrun" --seed 6 -- bash ./many "$detrun" >log/many 2>&1 &
    local launcher=$! i left
    wait_for ended
    local supervisor
    supervisor=$(supervisor_of "$launcher")
    [ -n "$supervisor" ] || fail "no supervisor"
    wait_for late
    for i in $(seq 100); do
        left=$(memories "$supervisor")
        [ "$left" = 1 ] && break
        sleep 0.1
    done
    echo go >go
    wait "$launcher"
    [ "$left" = 1 ] || fail "$left job memories are left"
    under 5 sh -c '(sleep 1; uuidgen >late2; date +%s%N >>late2) & exit 0'
    wait_for late2
    until [ "$(wc -l <late2)" = 2 ]; do sleep 0.05; done
    cmp late late2 || fail "a background process was not answered on: $(cat late late2)"
}

# Another supervisor finds the jobs again.
nested_restart() {
    need pgrep
    cat >script <<'S'
#!/bin/sh
for i in $(seq 40); do
    env -i /bin/date +%N
    uuidgen
    sleep 0.02
    [ "$i" != 10 ] || echo 1 >ready
done
S
    chmod +x script
    capture outside under 5 ./script
    ok outside
    rm -f ready
    "$detrun" --seed 6 --summary outer.json -- "$detrun" --seed 5 -- ./script >log/inside 2>&1 &
    local launcher=$! supervisor
    wait_for ready
    supervisor=$(supervisor_of "$launcher")
    [ -n "$supervisor" ] || fail "no supervisor"
    kill -9 "$supervisor"
    wait "$launcher"
    echo "status $?" >>log/inside
    same outside inside "a supervisor that was killed"
    grep -q '"supervisor_restarts": {"source": "env", "count": 1}' outer.json || fail "none was killed"
}

# As tests that use detrun themselves are run: many at once, equal each time.
nested_parallel() {
    need make
    cat >Makefile <<M
all: \$(foreach i,1 2 3 4 5 6 7 8 9 10 11 12,out.\$i)
out.%:
	@$detrun --seed \$* -- sh -c 'uuidgen; date +%s%N; echo \$\$\$\$; sleep 0.0\$*; date +%s%N' >\$@
M
    local i
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        under "$i" sh -c 'uuidgen; date +%s%N; echo $$; sleep 0.0'"$i"'; date +%s%N' >"expected.$i"
    done
    under 6 make -j6 >log/make 2>&1 || fail "make: $(cat log/make)"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
        cmp "out.$i" "expected.$i" || fail "seed $i in make -j: $(cat "out.$i" "expected.$i")"
    done
}

"nested_$1"
exit 0
