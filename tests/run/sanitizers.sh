#!/bin/bash
# SPDX-License-Identifier: MIT
# sanitizers.sh address|leak|thread|undefined|memory: what a sanitizer finds natively it finds in a
# job, it finds nothing else, nothing hangs, and answers are the seed's.
. "$(dirname "$0")/lib.sh"
need gcc
limit=60

# Where a sanitizer finds nothing natively (no ptrace, no room for its shadow) there is nothing to
# compare; its exit status and the first line of what it found are the finding.
finding() {
    {
        grep -oE 'SUMMARY: [A-Za-z]+: ([0-9]+ byte|[a-z -]+)|runtime error: [a-z ]+' "log/$1" | head -n 1
        tail -n 1 "log/$1"
    } >"log/$1.finding"
}

check_fault() {
    local program=$1 fault=$2
    capture native limited "./$program" "$fault"
    capture inside under 7 "./$program" "$fault"
    capture alone limited "$detrun" --seed 7 --no-supervisor -- "./$program" "$fault"
    finding native
    finding inside
    finding alone
    same native.finding inside.finding "$program $fault"
    same native.finding alone.finding "$program $fault, the shim alone"
}

# check NAME FAULT COMPILER...
check() {
    local name=$1 fault=$2
    shift 2
    command -v "$1" >/dev/null || return 0
    "$@" -g -O1 "$programs/busy.c" -o "$name" -pthread 2>/dev/null || return 0
    limited "./$name" >log/plain 2>&1 </dev/null || return 0
    check_fault "$name" ""
    check_fault "$name" "$fault"
    deterministic "./$name"
    limited "$detrun" --seed 7 --strict -- "./$name" >log/strict 2>&1 </dev/null ||
        fail "$name: not all is controlled: $(tail -n 1 log/strict)"
    checked=$((checked + 1))
}

rounds=1 checked=0 kind=$1
case $kind in
address) fault=overflow ;;
leak) fault=leak ;;
thread) fault=race ;;
undefined) fault=undefined ;;
memory) fault="" ;;
esac
if [ "$kind" != memory ]; then
    check shared "$fault" gcc -fsanitize="$kind"
    declare -A library=([address]=asan [leak]=lsan [thread]=tsan [undefined]=ubsan)
    check static "$fault" gcc -fsanitize="$kind" "-static-lib${library[$kind]}"
fi
[ "$kind" != address ] || check leaking leak gcc -fsanitize=address
check clang "$fault" clang -fsanitize="$kind"
[ "$checked" -gt 0 ] || skip "no $kind sanitizer works here"
exit 0
