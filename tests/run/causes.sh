#!/bin/bash
# SPDX-License-Identifier: MIT
# causes.sh CAUSE: one of the reasons why builds are not reproducible, as the Reproducible Builds project
# names and varies them. Two native builds differ; with --profile ci they do not.
. "$(dirname "$0")/lib.sh"
cause=$1

# Each cause: what is built, printed to standard output, by a shell in a folder of its own; and what
# is in front of the second build, natively and under detrun alike.
build=
vary=(env)
prepare() { :; }

case $cause in
timestamps)
    need gcc
    build='printf "const char built[] = __DATE__ __TIME__;\n" >a.c; date +%s.%N; sleep 1; gcc -c a.c && sha256sum a.o'
    ;;
archives)
    need tar gzip zip ar
    build='echo text >file; tar -cf a.tar file; zip -q a.zip file; gzip -k file; ar rcU a.a file; sleep 2
        sha256sum a.tar a.zip file.gz a.a'
    ;;
order)
    need python3 perl find
    # The newest comes first in a folder of tmpfs.
    [ "$(stat -f -c %T /dev/shm)" = tmpfs ] || skip "/dev/shm is no tmpfs"
    folder=/dev/shm/detrun-order-$$
    trap 'rm -rf "$folder"' EXIT
    prepare() {
        rm -rf "$folder"
        mkdir "$folder"
        local names=(a b c d e f g h) name
        [ "$1" = 1 ] || names=(h c a f b g e d)
        for name in "${names[@]}"; do : >"$folder/$name"; done
    }
    build="cd $folder; ls -U; find .; python3 -c 'import os; print(os.listdir())'; perl -e 'print glob(\"*\"), <*>'; tar -c . | tar -t"
    ;;
hash-order)
    need python3 perl
    build='python3 -c "print({\"a\", \"b\", \"c\", \"d\", \"e\"})"; perl -e "my %h = map { \$_ => 1 } a .. h; print keys %h"'
    ;;
locale)
    build='locale; printf "b\nA\na\nB\n" | sort'
    vary=(env LANG=C LC_ALL=C LANGUAGE=et)
    ;;
timezone)
    build='date -d @0; touch -d @0 file; ls -l --time-style=full-iso file'
    vary=(env TZ=Pacific/Kiritimati)
    ;;
umask)
    build='echo >file; mkdir folder; stat -c %a file folder; tar -c file folder | tar -tv | cut -c 1-10'
    vary=(sh -c 'umask 077 && exec "$@"' sh)
    ;;
user)
    build='echo "$USER $LOGNAME $HOME $SHELL" ~'
    vary=(env USER=other LOGNAME=other HOME=/home/other SHELL=/bin/other)
    ;;
host)
    as_root_only
    need unshare
    build='uname -n; hostname; echo "$HOSTNAME"; cat /proc/sys/kernel/hostname'
    vary=(unshare -u sh -c 'hostname elsewhere && exec "$@"' sh)
    ;;
processors)
    [ "$(nproc)" -gt 1 ] || skip "there is one processor only"
    need taskset python3
    build='nproc; python3 -c "import os; print(len(os.sched_getaffinity(0)))"'
    vary=(taskset -c 0)
    ;;
random)
    need uuidgen mktemp
    build='uuidgen; mktemp -u; od -A n -N 8 -t x8 /dev/urandom; bash -c "echo \$RANDOM"; shuf -i 1-20 | tr "\n" " "'
    ;;
processes)
    build='echo $$; sh -c "echo \$PPID"; echo >file.$$; ls'
    ;;
addresses)
    need gcc
    build='printf "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int here; printf(\"%%p %%p %%p\", (void *)&here, malloc(1), (void *)main); }\n" >a.c
        gcc a.c -o a && ./a'
    ;;
files)
    need stat
    # Other inodes, blocks and times.
    prepare() { [ "$1" = 1 ] || for name in 1 2 3 4 5; do : >"filler$name"; done; }
    build='echo text >file; stat -c "%i %Y %B %b" file'
    ;;
machine)
    build='cat /proc/uptime /proc/loadavg; head -n 3 /proc/meminfo; df --output=avail . | tail -n 1'
    prepare() { [ "$1" = 1 ] || sleep 0.1; }
    ;;
depth)
    need gcc
    build='printf "#include <stdio.h>\nextern char **environ;\nint main(int n, char **v) { printf(\"%%p %%p %%d\", (void *)v, (void *)environ, n); }\n" >a.c
        gcc a.c -o a && ./a'
    vary=(env FILLER=another_variable_of_some_length)
    ;;
*) fail "no such cause: $cause" ;;
esac

# built NAME COMMAND...: what the build prints, with a folder of its own at one path
built() {
    local name=$1
    shift
    rm -rf build
    mkdir build
    (cd build && prepare "${name##*.}" && limited "$@" sh -c "$build") >"log/$name" 2>log/err </dev/null ||
        fail "$name: $(cat log/err)"
    [ -s "log/$name" ] || fail "$name prints nothing"
}

built native.1
built native.2 "${vary[@]}"
! cmp -s log/native.1 log/native.2 || fail "two native builds are the same: $(cat log/native.1)"
for seed in 1 2; do
    built "under$seed.1" "$detrun" -q --seed "$seed" --profile ci --
    for round in $(seq "$rounds"); do
        built "under$seed.2" "${vary[@]}" "$detrun" -q --seed "$seed" --profile ci --
        same "under$seed.1" "under$seed.2" "$cause, seed $seed, round $round"
    done
done
