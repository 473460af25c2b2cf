#!/bin/bash
# SPDX-License-Identifier: MIT
# --trap-getdents: directories are sorted for static programs and Go as well, whole, however large, and on
# every file system; rewinding and seeking work.
. "$(dirname "$0")/lib.sh"
need gcc jq

cat >list.c <<'C'
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* list FOLDER [seek]: its names; with seek how its parts fit together */
int main(int argc, char **argv)
{
    DIR *dir = opendir(argv[1]);
    struct dirent *entry;
    if (!dir)
        return 1;
    for (errno = 0; (entry = readdir(dir)) != NULL;)
        if (argc < 3)
            puts(entry->d_name);
    if (errno != 0)
        return 2;
    rewinddir(dir);
    for (int i = 0; i < 5; i++)
        if (!readdir(dir))
            return 3;
    long there = telldir(dir);
    char sixth[256];
    entry = readdir(dir);
    if (!entry || !strcpy(sixth, entry->d_name) || !readdir(dir))
        return 4;
    seekdir(dir, there);
    entry = readdir(dir);
    return entry && strcmp(entry->d_name, sixth) == 0 ? 0 : 5;
}
C
gcc -O1 -static -o list list.c || fail "cannot link statically"
gcc -O1 -o list_shim list.c || fail "cannot compile"
mkdir folder
for i in $(seq 300 -1 1); do : >"folder/name-$((i * 7919 % 1009))-$i"; done

trapping() {
    limited "$detrun" --trap-getdents --seed 7 --summary s.json -- "$@"
}

# sorted NAME: as the shim sorts
sorted() {
    { printf '.\n..\n' && grep -vx -e '[.]' -e '[.][.]' "log/$1" | LC_ALL=C sort; } | cmp - "log/$1" || fail "$1: not sorted"
}
trapping ./list folder >log/static || fail "static: $?"
sorted static
[ "$(wc -l <log/static)" = 302 ] || fail "$(wc -l <log/static) of 302 entries"
trapping ./list_shim folder | cmp - log/static || fail "not as the shim has it"
trapping ./list folder seek || fail "seek: $?"
grep -q '"dirs": {.*"notify": 0}' s.json && fail "nobody was asked"
limited "$detrun" --seed 7 -- ./list folder >log/plain || fail "without: $?"
sort log/plain | cmp - <(sort log/static) || fail "other entries without"

# Another file system gives another order.
if [ "$(stat -fc %T /dev/shm 2>/dev/null)" = tmpfs ]; then
    other=$(mktemp -d /dev/shm/listed.XXXXXX) && trap 'rm -rf "$other"' EXIT
    cp -r folder "$other/"
    trapping ./list "$other/folder" | cmp - log/static || fail "on another file system"
fi
if command -v musl-gcc >/dev/null; then
    musl-gcc -O1 -static -o list_musl list.c && trapping ./list_musl folder >log/musl
    cmp log/musl log/static || fail "musl"
fi
if command -v go >/dev/null; then
    printf 'package main\nimport ("fmt"; "os")\nfunc main() { f, _ := os.Open(os.Args[1]); names, _ := f.Readdirnames(-1); for _, n := range names { fmt.Println(n) } }\n' >l.go
    if GOCACHE=$work/cache go build -o list_go l.go 2>log/go; then
        trapping ./list_go folder | cmp - <(tail -n +3 log/static) || fail "Go"
    fi
fi

# More than one window's worth, once and in parts, while somebody else lists something else.
mkdir many
(cd many && seq -f 'a-name-that-is-long-enough-to-fill-it-%06.0f' 80000 | xargs touch)
trapping sh -c './list many >many.out & ./list folder >folder.out; wait' || fail "a large one: $?"
cp many.out log/many
sorted many
[ "$(wc -l <log/many)" = 80002 ] || fail "$(wc -l <log/many) of 80002 entries"
cmp folder.out log/static || fail "the other one"

# /proc has an order of its own, which is not counted; what is no directory is the kernel's to refuse.
trapping ./list /proc/self/fd >log/proc || fail "/proc: $?"
[ "$(jq .not_controlled.directories_left_to_the_kernel.count s.json)" = 0 ] || fail "counted: $(cat s.json)"
limited "$detrun" --seed 7 --trap-getdents --real dirs -- ./list folder | sort | cmp - <(sort log/static) || fail "--real dirs"
limited "$detrun" --seed 7 -- "$detrun" --seed 7 --trap-getdents ./list folder >log/out 2>log/err
[ $? = 125 ] || fail "an outer job without it"
grep -q -- '--trap-getdents: this runs inside another detrun' log/err || fail "$(cat log/err)"
exit 0
