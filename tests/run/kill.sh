#!/bin/bash
# SPDX-License-Identifier: MIT
# kill.sh supervisor|launcher|both: SIGKILL in the middle of an exec storm. The storm goes on or
# ends; nothing hangs, nothing is left.
. "$(dirname "$0")/lib.sh"
need pgrep

export TMPDIR=$work/tmp
mkdir -p "$TMPDIR"
cat >storm <<'E'
#!/bin/sh
i=0
while [ $i -lt 150 ]; do
    uuidgen
    env -i /bin/true
    i=$((i + 1))
done
echo 1 >finished
E
chmod +x storm
storm=$work/storm

# gone PID WHAT: within 30 s
gone() {
    local i
    for i in $(seq 300); do
        [ -d "/proc/$1" ] || return 0
        [ "$(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null)" = Z ] && return 0
        sleep 0.1
    done
    fail "$2 $1 is still there: $(tr '\0' ' ' <"/proc/$1/cmdline") $(cat "/proc/$1/wchan" 2>/dev/null)"
}

# nobody_left: no process of the storm after 30 s
nobody_left() {
    local i left
    for i in $(seq 300); do
        left=$(pgrep -f "$storm") || return 0
        sleep 0.1
    done
    # shellcheck disable=SC2086 # a list of pids
    ps -o pid,ppid,stat,wchan:20,args -p "$(echo $left | tr ' ' ',')"
    # shellcheck disable=SC2086
    kill -9 $left
    fail "processes of the storm are left"
}

# Children of the launcher that are detrun too.
supervisor_of() {
    pgrep -P "$1" -x detrun
}

# start: the storm is under way, $launcher and $supervisor are known
start() {
    local i
    rm -f finished log/storm
    "$detrun" --seed 7 -- "$storm" >log/storm 2>log/errors </dev/null &
    launcher=$!
    for i in $(seq 200); do
        [ "$(wc -l <log/storm)" -ge 10 ] && break
        sleep 0.02
    done
    [ "$(wc -l <log/storm)" -ge 10 ] || fail "the storm did not start: $(cat log/errors)"
    supervisor=$(supervisor_of $launcher) || fail "the launcher has no supervisor"
}

shared_before=$(ls /dev/shm)
for round in $(seq "$rounds"); do
    start
    case $1 in
    supervisor)
        kill -9 "$supervisor"
        gone "$supervisor" supervisor
        gone $launcher launcher
        wait $launcher
        status=$?
        # The launcher starts another, and the job memory holds all that it needs.
        [ $status = 0 ] || fail "round $round: status $status, $(tail -n 3 log/errors)"
        [ -e finished ] || fail "round $round: the storm did not end"
        [ "$round" = 1 ] && cp log/storm log/first
        cmp log/storm log/first || fail "round $round: the storm saw something else"
        ;;
    launcher)
        kill -9 $launcher
        wait $launcher 2>/dev/null
        ;;
    both)
        kill -9 $launcher "$supervisor"
        wait $launcher 2>/dev/null
        ;;
    esac
    nobody_left
    gone "$supervisor" supervisor
done

[ -z "$(ls "$TMPDIR")" ] || fail "files are left: $(ls "$TMPDIR")"
left=$(comm -13 <(echo "$shared_before" | sort) <(find /dev/shm -mindepth 1 -name '*detrun*' -printf '%f\n' | sort))
[ -z "$left" ] || fail "files are left in /dev/shm: $left"
exit 0
