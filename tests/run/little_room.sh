#!/bin/bash
# SPDX-License-Identifier: MIT
# little_room.sh WHO: limits set in front of detrun are its command's and not its own; where they cannot
# be raised for detrun, one line says what to do.
. "$(dirname "$0")/lib.sh"
limit=30
as_root_only
need setpriv prlimit
# Descriptors of ctest's own would take the room.
exec 3>&-

folder=$(mktemp -d /tmp/detrun-room.XXXXXX) || fail "no temporary folder"
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cmake --install "${detrun%/bin/*}" --prefix "$folder/prefix" >log/install 2>&1 || fail "install"
detrun=$folder/prefix/bin/detrun
for name in answer answer_static; do
    # shellcheck disable=SC2046 # no option or one
    gcc $([ $name = answer ] || echo -static) -O1 -o "$folder/$name" "$programs/answer.c" || fail "compile"
done

# A user whom no process belongs to.
as_user=(setpriv --reuid=64321 --regid=64321 --clear-groups)

# captured NAME COMMAND...: as capture, but that the command writes to no file
captured() {
    local name=$1
    shift
    "$@" 2>&1 </dev/null | cat >"log/$name"
    echo "status ${PIPESTATUS[0]}" >>"log/$name"
}

# same_with LIMIT [COMMAND...]: by that command the programs have this limit, and answer as without it
same_with() {
    local limit_given=$1 program
    shift
    captured natively limited "$@" prlimit "--$limit_given" cat /proc/self/limits
    captured inside limited "$@" prlimit "--$limit_given" "$detrun" --seed 7 -- cat /proc/self/limits
    ok natively
    same natively inside "$limit_given: the command's own limits"
    for program in "$folder/answer" "$folder/answer_static"; do
        captured free limited "$@" "$detrun" --seed 7 -- "$program"
        captured inside limited "$@" prlimit "--$limit_given" "$detrun" --seed 7 -- "$program"
        ok inside
        same free inside "with $limit_given and without: $program"
    done
}

# advice LIMIT FLAG: what a user is told who may not raise it; nothing runs
advice() {
    captured told limited "${as_user[@]}" prlimit "--$1" "$detrun" --seed 7 -- touch "$folder/started"
    [ "$(tail -n 1 log/told)" = "status 125" ] || fail "$1: $(cat log/told)"
    [ "$(wc -l <log/told)" = 2 ] || fail "$1: not one line: $(cat log/told)"
    grep -q "ulimit -$2) .* behind detrun" log/told || fail "$1: no advice: $(cat log/told)"
    [ ! -e "$folder/started" ] || fail "$1: it was started"
}

# As the advice says.
behind() {
    captured inside limited "${as_user[@]}" "$detrun" --seed 7 -- bash -c "ulimit -$1 && exec $folder/answer"
    captured free limited "${as_user[@]}" "$detrun" --seed 7 -- bash -c "ulimit -c 0 && exec $folder/answer"
    ok inside
    same free inside "ulimit -$1 behind detrun"
}

# Little for detrun, and enough for the command.
room=(as=40000000 fsize=0 nofile=4 stack=16384)

# may_raise LIMIT: beyond the hard limit
may_raise() {
    limited prlimit "--$1" prlimit "--${1%%=*}=1000000" true 2>/dev/null
}

who_root() {
    local one
    for one in "${room[@]}"; do
        same_with "$one:"
        ! may_raise "$one" || same_with "$one"
    done
    captured inside limited prlimit --fsize=100: "$detrun" --seed 7 --summary - -- true
    ok inside
    grep -q '"not_controlled"' log/inside || fail "the summary: $(cat log/inside)"
}

who_user() {
    local one
    for one in "${room[@]}"; do
        same_with "$one:" "${as_user[@]}"
    done
    advice as=40000000 v
    advice fsize=0 f
    advice fsize=40000000 f
    advice nofile=4 n
    advice nofile=5 n
    advice stack=16384 s
    advice nproc=1 u
    advice nproc=2 u
    behind 'v 40000'
    behind 'f 0'
    behind 'n 4'
    behind 's 16'
    behind 'u 2'
}

"who_$1"
exit 0
