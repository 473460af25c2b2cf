#!/bin/bash
# SPDX-License-Identifier: MIT
# allocators.sh jemalloc|tcmalloc|asking: allocators of the program's own or preloaded, which ask
# for clocks and random numbers before all else is up, under their locks and in new threads.
. "$(dirname "$0")/lib.sh"
need gcc perl
rounds=2

# controlled COMMAND...: deterministic, and nothing unattributed
controlled() {
    deterministic "$@"
    limited "$detrun" --seed 7 --strict -- "$@" >log/strict 2>&1 </dev/null ||
        fail "$*: $(tail -n 1 log/strict)"
}

linked() {
    gcc -O1 -o linked "$programs/busy.c" -pthread -Wl,--no-as-needed "$@" || fail "cannot link: $*"
    controlled ./linked
}

preloaded() {
    gcc -O1 -o plain "$programs/busy.c" -pthread || fail "cannot compile"
    export LD_PRELOAD=$1
    # shellcheck disable=SC2016 # for the inner shell
    controlled ./plain
    controlled sh -c 'echo "r $$"; date +%s.%N; perl -e "print qq(r ), rand, qq(\n), time, qq(\n)"'
    under 7 sh -c 'echo "$LD_PRELOAD"' >log/list
    unset LD_PRELOAD
    [ "$(cut -d : -f 1 log/list)" = "$1" ] || fail "LD_PRELOAD is $(cat log/list)"
}

# library NAME: the path of a shared library that is installed without its development files
library() {
    ldconfig -p | grep -o "/[^ ]*/$1\.so\.[0-9]*$" | head -n 1
}

case $1 in
asking)
    compile asking -shared -fPIC -DTHREADS
    mv asking libasking.so
    linked -L. -lasking -Wl,-rpath,"$work"
    preloaded "$work/libasking.so"
    gcc -O1 -o own "$programs/busy.c" "$programs/asking.c" -pthread || fail "cannot compile"
    controlled ./own
    ;;
*)
    path=$(library "lib$1")
    [ -n "$path" ] || skip "lib$1 is not here"
    linked "$path"
    preloaded "$path"
    ;;
esac
exit 0
