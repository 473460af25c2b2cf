#!/bin/bash
# SPDX-License-Identifier: MIT
# signals.sh NAME: detrun is as its command to whoever started it.
. "$(dirname "$0")/lib.sh"

# state PID: the letter of /proc/PID/stat
state() {
    sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null
}

# wait_for_state PID LETTERS
wait_for_state() {
    local i
    for i in $(seq 200); do
        case $(state "$1") in
        ["$2"]) return ;;
        esac
        sleep 0.05
    done
    fail "process $1 is in state $(state "$1"), not $2"
}

signals_status() {
    local status
    for status in 0 1 2 77 124 125 126 127 128 200 255; do
        under 7 sh -c "exit $status"
        [ $? = "$status" ] || fail "exit status $status is not passed on"
    done
}

# Death by a signal is death by the same signal, not an exit status.
signals_death() {
    local signal
    need python3
    for signal in TERM KILL INT HUP SEGV ABRT USR1 PIPE RTMIN RTMAX; do
        ulimit -c 0
        /usr/bin/python3 -c "
import signal, subprocess, sys
died = subprocess.run(sys.argv[1:]).returncode
sys.exit(0 if died == -signal.SIG$signal else 'returned %d' % died)
" "$detrun" --seed 7 -- sh -c "kill -$signal \$\$; sleep 5" 2>log/err ||
            fail "death by SIG$signal: $(cat log/err)"
    done
}

signals_forward() {
    local signal pid
    for signal in TERM INT HUP USR1 QUIT RTMIN RTMAX; do
        rm -f ready got
        # A background job of a script ignores SIGINT and SIGQUIT: python sets them back.
        /usr/bin/python3 -c '
import os, signal, sys
for name in (signal.SIGINT, signal.SIGQUIT):
    signal.signal(name, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$detrun" --seed 7 -- \
            sh -c "trap 'echo $signal >got; exit 9' $signal; echo 1 >ready; while :; do sleep 0.05; done" &
        pid=$!
        wait_for ready
        kill "-$signal" $pid
        wait $pid
        [ $? = 9 ] || fail "SIG$signal to detrun did not end the command with its status"
        [ "$(cat got)" = "$signal" ] || fail "SIG$signal did not reach the command"
    done
}

signals_stop() {
    local pid command i count
    # The kernel stops nobody with SIGTSTP in an orphaned process group, which ours may be: give the
    # job a group of its own, whose parent is in another one of the same session.
    perl -e 'setpgrp; exec @ARGV' "$detrun" --seed 7 -- sh -c 'i=0; while :; do i=$((i + 1)); echo $i >count; sleep 0.02; done' &
    pid=$!
    wait_for count
    command=$(pgrep -P $pid -x sh) || fail "the command is not a child of detrun"
    kill -TSTP $pid
    wait_for_state $pid T
    wait_for_state "$command" T
    count=$(cat count)
    sleep 0.3
    [ "$(cat count)" = "$count" ] || fail "the command went on while detrun was stopped"
    kill -CONT $pid
    wait_for_state $pid SR
    for i in $(seq 100); do
        [ "$(cat count)" != "$count" ] && break
        sleep 0.05
    done
    [ "$(cat count)" != "$count" ] || fail "the command did not continue"
    kill -TERM $pid
    wait $pid
    [ $? = 143 ] || fail "SIGTERM after a stop"
}

# Whoever stopped the command alone, itself perhaps, continues or kills it alone: detrun goes along.
signals_continued() {
    local end
    for stop in STOP TSTP; do
        capture "$stop" under 7 bash -c "(sleep 0.2; kill -CONT \$\$) & kill -$stop \$\$; echo went on; exit 3"
        [ "$(cat "log/$stop")" = "$(printf 'went on\nstatus 3')" ] || fail "SIG$stop: $(cat "log/$stop")"
    done
    capture killed under 7 bash -c '(sleep 0.2; kill -KILL $$) & kill -STOP $$'
    end=$(tail -n 1 log/killed)
    [ "$end" = 'status 137' ] || fail "killed while it was stopped: $end"
}

# The command's mask is its caller's.
signals_blocked() {
    local mask
    need python3
    for mask in '' 10 34 10,34,64; do
        capture "native$mask" /usr/bin/python3 -c "
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [$mask])
os.execvp(sys.argv[1], sys.argv[1:])" grep ^SigBlk /proc/self/status
        capture "inside$mask" /usr/bin/python3 -c "
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [$mask])
os.execvp(sys.argv[1], sys.argv[1:])" "$detrun" -q --seed 7 -- grep ^SigBlk /proc/self/status
        same "native$mask" "inside$mask" "the mask with signals $mask blocked"
    done
}

# nohup: SIGHUP is ignored, and stays so in the command.
signals_nohup() {
    local pid
    nohup "$detrun" --seed 7 -- sh -c 'echo 1 >ready; sleep 1; echo 1 >went_on' >log/nohup 2>&1 &
    pid=$!
    wait_for ready
    kill -HUP $pid
    wait $pid || fail "SIGHUP ended a command under nohup"
    [ -s went_on ] || fail "the command did not go on"
}

# A background process does not hold detrun, and is answered until it ends.
signals_background() {
    local start end
    start=$(date +%s%N)
    under 7 sh -c '(sleep 2; head -c 8 /dev/urandom | od -An -tx1 >later; uuidgen >>later) >/dev/null 2>&1 </dev/null & echo started' >log/out ||
        fail "the command failed"
    end=$(date +%s%N)
    [ $(((end - start) / 1000000)) -lt 1500 ] || fail "detrun waited for a background process"
    sleep 3
    wait_for later
    mv later later.1
    under 7 sh -c '(sleep 2; head -c 8 /dev/urandom | od -An -tx1 >later; uuidgen >>later) >/dev/null 2>&1 </dev/null & echo started' >log/out
    sleep 3
    wait_for later
    cmp later later.1 || fail "the background process was not answered"
    # A daemon: double fork, session of its own, descriptors closed.
    under 7 setsid -f sh -c 'exec >/dev/null 2>&1 </dev/null; sleep 1; uuidgen >daemon' || fail "setsid"
    sleep 2
    wait_for daemon
    mv daemon daemon.1
    under 7 setsid -f sh -c 'exec >/dev/null 2>&1 </dev/null; sleep 1; uuidgen >daemon'
    sleep 2
    wait_for daemon
    cmp daemon daemon.1 || fail "the daemon was not answered"
}

"signals_$1"
