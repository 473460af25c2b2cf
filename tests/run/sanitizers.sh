#!/bin/bash
# SPDX-License-Identifier: MIT
# sanitizers.sh: a leak that AddressSanitizer finds natively it finds in a job, and nothing hangs.
. "$(dirname "$0")/lib.sh"
need gcc
limit=30

cat >leak.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    char *lost = malloc(3);
    lost[0] = 1;
    lost = NULL;
    printf("%ld %d\n", (long)time(NULL), (int)getpid());
    return 0;
}
C

check() {
    local name=$1
    shift
    "$@" -g -fsanitize=address leak.c -o "$name" 2>/dev/null || return 0
    limited "./$name" >log/native 2>&1
    grep -q 'SUMMARY: AddressSanitizer: 3 byte' log/native || return 0
    under 7 "./$name" >log/inside 2>&1
    grep -q 'SUMMARY: AddressSanitizer: 3 byte' log/inside || fail "$name: $(tail -n 3 log/inside)"
    checked=$((checked + 1))
}

checked=0
check shared gcc
check static gcc -static-libasan
command -v clang >/dev/null && check clang clang
[ "$checked" -gt 0 ] || skip "no sanitizer finds a leak here"
