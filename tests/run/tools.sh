#!/bin/bash
# SPDX-License-Identifier: MIT
# tools.sh strace|gdb: they work in front of detrun, and change nothing. (Inside a job: docs/limits.md.)
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
    seeded outside limited strace -f -o trace "$detrun" --seed 7 -- ./answer
    grep -q 'execve' trace || fail "strace saw nothing"
    same alone outside "strace outside"
}

tools_gdb() {
    local script=(-q -batch -nx -ex 'set debuginfod enabled off' -ex run -ex 'info inferiors')
    seeded outside limited gdb "${script[@]}" --args "$detrun" --seed 7 -- ./answer
    grep -q '^r [0-9a-f]\{16\}$' log/outside || fail "the program did not run: $(cat log/outside)"
    grep -q 'exited normally' log/outside || fail "the program did not end well: $(cat log/outside)"
}

"tools_$1"
