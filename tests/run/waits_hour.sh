#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_hour.sh PROGRAM [RUNS [SECONDS]]: programs that wait an hour have it behind them at once, with the
# right result and the same output in every run. How long that took is told, and not judged.
. "$(dirname "$0")/lib.sh"
program=$1 runs=${2:-$rounds}
hour=${3:-3600}

# right LINE...: what each run prints, but for the clock
right() {
    printf '%s\n' "$@" "status 0" >log/right
}

hour_python3() {
    need python3
    command=(python3 "$programs/waits_hour.py" "$hour")
    right "sleep None 20" "gather None 30" "timer True 10" "empty empty 10" "event False 10" \
        "select ([], [], []) 20" "all 100"
}

hour_node() {
    need node
    command=(node "$programs/waits_hour.js" "$hour")
    right "timeout over 30" "interval 4 20" "race 2 20" "atomics timed-out 10" \
        "abort AbortError 20" "all 100"
}

hour_java() {
    need java javac
    javac -d . "$programs/WaitsHour.java" || fail "javac"
    command=(java -cp . WaitsHour "$hour")
    right "sleep over 30" "park over 20" "scheduled soon,late 20" "poll null 10" "wait over 10" \
        "future timeout 10" "all 100"
}

hour_ruby() {
    need ruby
    command=(ruby "$programs/waits_hour.rb" "$hour")
    right "sleep over 30" "threads 3,1,2 30" "timeout timeout 20" "condition over 10" \
        "select nil 10" "all 100"
}

hour_perl() {
    need perl
    command=(perl "$programs/waits_hour.pl" "$hour")
    right "sleep over 40" "select over 30" "alarm alarm 10" "child 3 20" "all 100"
}

hour_bash() {
    command=(bash "$programs/waits_hour.sh" "$hour")
    right "sleep 1" "wait 0 1" "timeout 124" "read 1" "all 1"
}

hour_go() {
    need go
    CGO_ENABLED=0 GO111MODULE=off go build -o hour "$programs/waits_hour.go" || fail "go build"
    command=(./hour "$hour")
    right "sleep over 30" "ticker 4 20" "context context deadline exceeded 20" "sorted 123 30" \
        "all 100"
}

hour_c() {
    compile waits_hour -D_GNU_SOURCE -pthread -lm
    command=(./waits_hour "$hour")
    right "ping_pong 8 40" "lonely 1 10" "semaphore 1 10" "numbers 1 40" "all 100"
}

# Without the shim: what Go does, where there is no Go.
hour_static() {
    hour_c
    gcc -O1 -static -o waits_hour "$programs/waits_hour.c" -D_GNU_SOURCE -pthread -lm 2>/dev/null ||
        skip "no static libc here"
}

hour_server() {
    need python3
    command=(bash "$programs/waits_server.sh" "$(python3 -c "print($hour / 3600)")")
    right "up after 3" served "ended 0"
}

# one NAME SEED: its output is right
one() {
    milliseconds limited "$detrun" --seed "$2" --wait=warp -- "${command[@]}"
    mv log/timed "log/$1"
    took+=" $elapsed"
    grep -v '^clock ' "log/$1" | cmp -s - log/right && return
    diff log/right "log/$1"
    fail "$program, seed $2: not the right result"
}

took=
"hour_$program"
for i in $(seq "$runs"); do
    one "$i" 7
    same 1 "$i" "run 1 and $i of $program"
done
one other 8
echo "$program: ms$took"
exit 0
