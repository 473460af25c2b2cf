#!/bin/bash
# SPDX-License-Identifier: MIT
# crowd.sh WHAT [long]: very many processes, very little room. Nothing is lost, nothing hangs, and
# two runs with one seed give the same answers.
. "$(dirname "$0")/lib.sh"
limit=120
[ "${2:-}" = long ] && limit=600

# size SHORT LONG: how many
size() {
    n=$1
    [ "$limit" = 120 ] || n=$2
}

has_none() {
    local gap
    for gap; do
        grep -q "\"$gap\".*\"count\": 0}" summary || fail "the summary counts $gap"
    done
}

# crowd WHAT: twice the same, every one with a record of its own
crowd() {
    local run
    compile crowd -D_GNU_SOURCE -pthread
    capture native limited ./crowd "$1" "$n"
    ok native
    for run in a b; do
        capture "$run" limited "$detrun" --seed 7 --summary summary -- ./crowd "$1" "$n"
        ok "$run"
        has_none tasks_without_record tasks_unattributed
    done
    same a b "$n $1"
    capture c under 8 ./crowd "$1" "$n"
    seeds_differ a c
}

crowd_processes() {
    size 2000 10000
    crowd processes
}

crowd_threads() {
    size 2000 10000
    crowd threads
}

crowd_forks() {
    size 3000 100000
    crowd forks
}

crowd_orphans() {
    size 500 5000
    crowd orphans
}

crowd_unwaited() {
    size 2000 100000
    crowd unwaited
    # The 1497th and the 1803rd child draw one number; nobody has seen that the first is gone.
    capture drawn under 193 ./crowd unwaited 2000
    ok drawn
    grep -q 'ids used again 1' log/drawn || fail "two do not share a number: $(cat log/drawn)"
}

crowd_mixed() {
    size 400 20000
    crowd mixed
}

# One process, very many images: the next answers are its own again.
crowd_execs() {
    local run
    size 500 10000
    compile crowd -D_GNU_SOURCE -pthread
    for run in a b; do
        : >"images.$run"
        limited "$detrun" --seed 7 -- ./crowd execs "$n" 0 <>"images.$run" >"log/$run" 2>&1 ||
            fail "execs: $(cat "log/$run")"
    done
    same a b "$n images"
    # The images of a shorter chain are the first ones of a longer.
    : >images.c
    limited "$detrun" --seed 7 -- ./crowd execs 99 0 <>images.c >log/c 2>&1 || fail "execs: $(cat log/c)"
    cmp <(head -c 4000 images.a) images.c || fail "the length of the chain shows in its images"
}

# memory_of PID FIELD: in kB
memory_of() {
    sed -n "s/^$2:[[:space:]]*\([0-9]*\) kB/\1/p" "/proc/$1/status"
}

# What launcher and supervisor hold of the job memory does not grow with what has been.
crowd_memory() {
    local launcher part kb
    need pgrep
    size 3000 50000
    compile crowd -D_GNU_SOURCE -pthread
    mkfifo hold
    : >images
    "$detrun" --seed 7 -- sh -c "./crowd forks $n; ./crowd execs 300 0 <>images; read x || :" <hold >log/out &
    launcher=$!
    exec 7>hold
    for _ in $(seq 2000); do
        grep -q "images 301" log/out && [ "$(grep -c '^r ' log/out)" = 2 ] && break
        sleep 0.1
    done
    for part in "$launcher" $(pgrep -P "$launcher" -x detrun); do
        kb=$(memory_of "$part" VmRSS)
        [ "$kb" -lt 4096 ] || fail "a part of detrun holds $kb kB"
    done
    exec 7>&-
    wait "$launcher" || fail "the command failed"
}

# An ordinary user's processes are counted; the kernel refuses the next one.
crowd_bomb() {
    local user=(setpriv --reuid=65533 --regid=65533 --clear-groups) folder run
    as_root_only
    need setpriv cmake
    compile crowd -D_GNU_SOURCE -pthread
    folder=$(mktemp -d /tmp/detrun-crowd.XXXXXX) || fail "no temporary folder"
    trap 'rm -rf "$folder"' EXIT
    cmake --install "${detrun%/bin/*}" --prefix "$folder/prefix" >log/install 2>&1 || fail install
    cp crowd "$folder"
    chmod -R a+rX "$folder"
    for run in a b; do
        capture "$run" limited "${user[@]}" prlimit --nproc=200 \
            "$folder/prefix/bin/detrun" --seed 7 -- "$folder/crowd" bomb 1000
        ok "$run"
    done
    same a b "a fork bomb"
    for n in 1 2; do
        capture "$n" limited "${user[@]}" prlimit --nproc="$n" "$folder/prefix/bin/detrun" --seed 7 -- true
        grep -q '^detrun: cannot start' "log/$n" || fail "no room for a process: $(cat "log/$n")"
        grep -q 'status 125' "log/$n" || fail "no room for a process: $(cat "log/$n")"
    done
}

# Little address space, few descriptors: the same answers, or one clear line.
crowd_limits() {
    local kb what='uuidgen; date +%N; uuidgen'
    capture free under 7 sh -c "$what"
    ok free
    for kb in 100000 40000 20000; do
        capture "inside.$kb" under 7 sh -c "ulimit -v $kb; $what"
        same free "inside.$kb" "a command with $kb kB"
    done
    capture descriptors bash -c "ulimit -n 16 && exec timeout $limit '$detrun' --seed 7 -- sh -c '$what'"
    same free descriptors "16 descriptors"
}

# A file system without room, and one where nothing can be written.
crowd_disk() {
    as_root_only
    unshare -m true 2>/dev/null || skip "no mount namespaces here"
    mkdir full
    cat >disk.sh <<'E'
mount -t tmpfs -o size=8k none full && export TMPDIR=$PWD/full
dd if=/dev/zero of=full/fill bs=4k 2>/dev/null
mount -t tmpfs -o ro none /dev/shm
"$1" --seed 7 -- uuidgen || exit 1
"$1" --seed 7 --summary full/summary -- uuidgen
[ $? = 125 ] || exit 2
for what in --help --version; do
    "$1" $what >/dev/full
    [ $? = 125 ] || exit 3
done
E
    capture disk limited unshare -m bash disk.sh "$detrun"
    ok disk
    grep -q '^detrun: --summary: cannot write "full/summary": No space' log/disk ||
        fail "a full disk: $(cat log/disk)"
    [ "$(grep -c "^$(under 7 uuidgen)\$" log/disk)" = 2 ] || fail "a full disk: $(cat log/disk)"
}

# Closed standard descriptors, of the launcher and so of the command; and of the command alone.
crowd_closed() {
    local closed what='ls /proc/self/fd | wc -l >fds; uuidgen >uuid'
    under 7 sh -c "$what" </dev/null
    mv uuid open
    for closed in '0<&-' '1>&-' '2>&-' '0<&- 1>&-' '0<&- 2>&-' '1>&- 2>&-' '0<&- 1>&- 2>&-'; do
        eval "sh -c '$what' $closed" 2>/dev/null
        mv fds fds.native
        eval "limited '$detrun' --seed 7 -v --summary summary -- sh -c '$what' $closed" >log/closed 2>&1 ||
            fail "$closed: the command failed"
        cmp uuid open || fail "$closed: other answers"
        cmp fds fds.native || fail "$closed: other descriptors"
        grep -q seed summary || fail "$closed: no summary"
        under 7 sh -c "exec $closed; $what" </dev/null >log/closed 2>&1
        cmp uuid open || fail "$closed inside: other answers"
    done
}

# supervisor, launcher or command stops for a moment, whenever it may be.
crowd_stopped() {
    local launcher parts victim stops
    need pgrep
    size 4000 100000
    compile crowd -D_GNU_SOURCE -pthread
    capture free under 7 ./crowd forks "$n"
    ok free
    "$detrun" --seed 7 -- ./crowd forks "$n" >log/stopped 2>&1 &
    launcher=$!
    stops=0
    while kill -0 "$launcher" 2>/dev/null && [ "$(sed 's/.*) //; s/ .*//' "/proc/$launcher/stat")" != Z ]; do
        mapfile -t parts < <(echo "$launcher"; pgrep -P "$launcher")
        victim=${parts[RANDOM % ${#parts[@]}]}
        kill -STOP "$victim" 2>/dev/null
        sleep "0.0$((RANDOM % 9 + 1))"
        kill -CONT "$victim" 2>/dev/null && stops=$((stops + 1))
        sleep "0.0$((RANDOM % 9 + 1))"
    done
    wait "$launcher"
    echo "status $?" >>log/stopped
    [ "$stops" -gt 3 ] || fail "the command was too quick: $stops stops"
    same free stopped "a job whose parts were stopped $stops times"
}

# What the command leaves behind is answered when detrun has long returned.
crowd_left() {
    local run i
    size 20 300
    mkfifo go
    cat >leave.sh <<'E'
i=0
while [ $i -lt $1 ]; do
    i=$((i + 1))
    setsid sh -c "read x <go; (uuidgen; echo \$\$; date +%N) >new.$i; mv new.$i left.$i" >/dev/null 2>&1 </dev/null &
done
E
    for run in a b; do
        rm -f left.*
        limited "$detrun" --seed 7 -- sh leave.sh "$n" || fail "the command failed"
        for i in $(seq 600); do
            [ "$(find . -name 'left.*' | wc -l)" = "$n" ] && break
            timeout 0.2 bash -c ': >go'
        done
        (for i in $(seq "$n"); do cat "left.$i"; done; echo "status 0") >"log/$run" 2>&1
    done
    [ "$(wc -l <log/a)" = $((3 * n + 1)) ] || fail "of $n processes left behind some are missing"
    same a b "$n processes left behind"
    [ "$(sort log/a | uniq -d | grep -c -- -)" = 0 ] || fail "two of them have the same random bytes"
}

crowd_"$1"
exit 0
