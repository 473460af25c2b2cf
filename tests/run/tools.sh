#!/bin/bash
# SPDX-License-Identifier: MIT
# tools.sh strace|gdb: they work in front of detrun, and change nothing; and inside a job.
. "$(dirname "$0")/lib.sh"
need "$1"
limit=30

seeded() {
    capture "$1" "${@:2}"
    ok "$1"
}

compile answer
compile traced -g -O0 -pthread -D_GNU_SOURCE
seeded alone under 7 ./answer

# What programs/traced.c says of itself, whoever looks on.
said() {
    grep -E '^(first|thread-[12]|forked|reaped|spawned) ' "log/$1" >"log/$1.said"
    [ "$(wc -l <"log/$1.said")" = 7 ] || fail "$1: $(cat "log/$1")"
}

# Every process and thread that says its id has lines under that id in the trace.
traced_ids() {
    local id
    while read -r _ id _; do
        grep -q "^$id " trace || fail "no line of $id in the trace: $(cut -d' ' -f1 trace | sort | uniq -c)"
    done <log/inside.said
    [ "$(cut -d' ' -f1 trace | sort -u | wc -l)" = 5 ] || fail "ids that nobody has: $(cut -d' ' -f1 trace | sort | uniq -c)"
}

tools_strace() {
    local n
    seeded outside limited strace -f -o trace "$detrun" --seed 7 -- ./answer
    grep -q 'execve' trace || fail "strace saw nothing"
    same alone outside "strace outside"
    seeded plain under 7 ./traced
    said plain
    for n in $(seq "$rounds"); do
        seeded inside under 7 strace -f -o trace ./traced
        said inside
        traced_ids
        [ "$n" = 1 ] || cmp -s log/inside.said log/first.said || fail "two runs differ"
        cp log/inside.said log/first.said
    done
    seeded attached under 7 sh -c 'sleep 5 & strace -q -o trace -p $! & sleep 0.5; kill $!; wait $!; kill %1 2>/dev/null; echo seen'
    grep -q seen log/attached || fail "strace -p of a virtual id"
}

# A debugger serves libthread_db, which reads the kernel's thread ids in the tracee's memory: it keeps
# those, the program sees its own.
tools_gdb() {
    local script=(-q -batch -nx -ex 'set debuginfod enabled off')
    seeded outside limited gdb "${script[@]}" -ex run -ex 'info inferiors' --args "$detrun" --seed 7 -- ./answer
    grep -q '^r [0-9a-f]\{16\}$' log/outside || fail "the program did not run: $(cat log/outside)"
    grep -q 'exited normally' log/outside || fail "the program did not end well: $(cat log/outside)"
    seeded inside under 7 gdb "${script[@]}" -ex 'break work' -ex run -ex 'info threads' -ex continue \
        -ex delete -ex continue ./traced
    [ "$(grep -c 'hit Breakpoint 1, work' log/inside)" = 2 ] || fail "breakpoints: $(cat log/inside)"
    grep -q '^\* 2  *Thread 0x' log/inside || fail "no list of threads: $(cat log/inside)"
    grep -q 'exited normally' log/inside || fail "the program did not end well: $(cat log/inside)"
    said inside
    seeded again under 7 gdb "${script[@]}" -ex run ./traced
    said again
    cmp -s log/inside.said log/again.said || fail "the program's ids differ from run to run"
    limited "$detrun" --seed 7 --summary summary.json -q -- gdb "${script[@]}" -ex run ./traced >/dev/null 2>&1
    grep -q '"debuggers_with_the_kernels_pids": {"source": "pid", "count": [1-9]' summary.json ||
        fail "not counted: $(cat summary.json)"
}

"tools_$1"
