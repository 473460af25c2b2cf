#!/bin/bash
# SPDX-License-Identifier: MIT
# tools.sh strace|gdb: they work inside a job, and outside in front of detrun, and change nothing.
. "$(dirname "$0")/lib.sh"
need "$1"
limit=30

seeded() {
    capture "$1" "${@:2}"
    ok "$1"
}

compile answer
seeded alone under 7 ./answer

tools_strace() {
    seeded inside under 7 strace -f -o trace ./answer
    seeded again under 7 strace -f -o trace ./answer
    same inside again "strace inside"
    grep -q 'execve' trace || fail "strace saw nothing"
    seeded outside limited strace -f -o trace "$detrun" --seed 7 -- ./answer
    same alone outside "strace outside"
}

tools_gdb() {
    local script=(-q -batch -nx -ex 'set debuginfod enabled off' -ex run -ex 'info inferiors')
    seeded inside under 7 gdb "${script[@]}" ./answer
    grep -q '^r [0-9a-f]\{16\}$' log/inside || fail "the program did not run under gdb: $(cat log/inside)"
    grep -q 'exited normally' log/inside || fail "the program did not end well: $(cat log/inside)"
}

"tools_$1"
