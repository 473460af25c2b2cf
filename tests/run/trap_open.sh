#!/bin/bash
# SPDX-License-Identifier: MIT
# --trap-open: random devices that static programs open, by either system call; what cannot be told to be
# one, or to be read alone, is counted.
. "$(dirname "$0")/lib.sh"

cat >device.c <<'C'
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The path begins at the end of a page. */
int main(int argc, char **argv)
{
    unsigned char bytes[16];
    char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *path = argc > 3 ? strcpy(pages + 4096 - 5, argv[1]) : NULL;
    long flags = argc > 3 ? atol(argv[3]) : 0;
    long fd = argc > 3 && strcmp(argv[2], "open") == 0 ? syscall(SYS_open, path, flags)
                                                        : syscall(SYS_openat, AT_FDCWD, path, flags);
    if (fd < 0 || read((int)fd, bytes, sizeof bytes) != sizeof bytes)
        return 1;
    printf("r ");
    for (unsigned i = 0; i < sizeof bytes; i++)
        printf("%02x", bytes[i]);
    printf("\n");
    return 0;
}
C
gcc -static -O1 -o device device.c || fail "cannot link statically"

trapping() {
    local seed=$1
    shift
    limited "$detrun" --trap-open --seed "$seed" --summary summary.json -- "$@"
}

# seen N: times that a random device may have been opened
seen() {
    grep -q "\"images_that_may_open_random_devices\": {.*\"count\": $1}" summary.json ||
        fail "not $1: $(grep may_open summary.json)"
}

answered() {
    capture a trapping 7 "$@"
    ok a
    seen 0
    capture b trapping 7 "$@"
    same a b "$*"
    capture c trapping 8 "$@"
    seeds_differ a c
}

for call in open openat; do
    for path in /dev/urandom /dev/random; do
        answered ./device $path $call 0
        answered ./device $path $call $((02000000))
    done
    for other in '/dev/../dev/urandom 0' '//dev/random 0' '/dev/urandom 2'; do
        # shellcheck disable=SC2086 # two words
        set -- $other
        trapping 7 ./device "$1" $call "$2" >/dev/null || fail "$other"
        seen 1
    done
    printf 0123456789abcdef >random
    trapping 7 ./device random $call 0 >/dev/null || fail "a file"
    seen 1
    printf 0123456789abcdef >notrandom
    trapping 7 ./device ./notrandom $call 0 >/dev/null || fail "a file"
    seen 0
done

command -v musl-gcc >/dev/null || skip "musl-gcc is not here"
cat >musl.c <<'C'
#include <stdio.h>
int main(void)
{
    FILE *f = fopen("/dev/urandom", "r");
    int c = f ? fgetc(f) : -1, d = f ? fgetc(f) : -1, e = f ? fgetc(f) : -1;
    return printf("r %02x%02x%02x\n", c, d, e) != 9;
}
C
musl-gcc -static -O1 -o musl musl.c || fail "cannot link with musl"
answered ./musl
exit 0
