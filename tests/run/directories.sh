#!/bin/bash
# SPDX-License-Identifier: MIT
# directories.sh WHAT: directories are listed in the order of their names, whichever order their
# files were made in, and on whichever file system.
. "$(dirname "$0")/lib.sh"

memory=/dev/shm/detrun-directories-$$
trap 'rm -rf "$memory"' EXIT
mkdir -p "$memory" || skip "no /dev/shm"

# make FOLDER COUNT STEP: the same names; COUNT and STEP have no common divisor.
make() {
    mkdir "$1" || fail "cannot make $1"
    (cd "$1" && awk -v n="$2" -v step="$3" 'BEGIN { for (i = 0; i < n; i++) print "f" (i * step) % n }' |
        xargs touch)
}

folders() {
    mkdir here there "$memory/here"
    make here/d "$1" 1
    make there/d "$1" 7
    make "$memory/here/d" "$1" 11
}

# equal COMMAND...: run in the three folders, and natively in two of them.
equal() {
    local place n=0
    for place in here there "$memory/here"; do
        n=$((n + 1))
        (cd "$place" && limited "$detrun" --seed 7 -q -- "$@") >"log/$n.out" 2>"log/$n.err" ||
            fail "$* in $place: $(tail -n 3 "log/$n.err" "log/$n.out")"
        [ -s "log/$n.out" ] || fail "$* says nothing"
        cmp "log/1.out" "log/$n.out" || fail "$*: another output in $place"
    done
    (cd here && limited "$detrun" --seed 7 -q --real=dirs -- "$@") >log/real.out 2>&1
    (cd "$memory/here" && limited "$detrun" --seed 7 -q --real=dirs -- "$@") >log/memory.out 2>&1
    ! cmp -s log/real.out log/memory.out || fail "$*: --real=dirs sorts"
}

case $1 in
c)
    compile directory
    folders 3001
    equal "$PWD/directory" d
    ;;
musl)
    need musl-gcc
    musl-gcc -O1 -o readdir "$programs/readdir.c" || fail "cannot compile"
    folders 3001
    equal "$PWD/readdir" d
    ;;
programs)
    need python3 perl find tar
    folders 401
    equal ls -U d
    equal find d
    equal tar -cf /dev/null -v d
    equal python3 -c 'import os; print(os.listdir("d"), [e.name for e in os.scandir("d")])'
    equal perl -e 'opendir(D, "d"); print join(" ", readdir(D)), "\n"'
    ! command -v ruby >/dev/null || equal ruby -e 'puts Dir.children("d"), Dir.each_child("d").to_a'
    ! command -v php >/dev/null || equal php -r '$d = opendir("d"); while ($f = readdir($d)) echo $f, "\n";'
    ! command -v node >/dev/null ||
        equal node -e 'const d = fs.opendirSync("d"); let e; while ((e = d.readSync())) console.log(e.name)'
    ;;
huge)
    make "$memory/d" 200001 7
    limited "$detrun" --seed 7 -q -- ls -U "$memory/d" >log/out || fail "ls"
    LC_ALL=C sort -c log/out || fail "not sorted"
    [ "$(wc -l <log/out)" = 200001 ] || fail "$(wc -l <log/out) names"
    ;;
emptying)
    compile emptying
    for room in '' 1048576 20480; do
        make "$memory/d$room" 5003 7
        limited "$detrun" --seed 7 -q -- ./emptying "$memory/d$room" ${room:+"$room"} >log/out 2>&1
        [ "$(cat log/out)" = "5003 files" ] || fail "$room: $(cat log/out)"
    done
    ;;
readers)
    compile readers
    make "$memory/d" 5003 7
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        limited "$detrun" --seed 7 -q -- ./readers "$memory/d" 5003 || fail "entries lost or doubled"
    done
    ;;
*) fail "unknown: $1" ;;
esac
