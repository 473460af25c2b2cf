#!/bin/bash
# SPDX-License-Identifier: MIT
# run-trap.sh DETRUN WORK MODES DYNAMIC STATIC SOURCE: a trap natively and in each of its modes: status and
# output are the native ones, nothing hangs, nothing is left behind.
#   shim    detrun as it is
#   alone   the shim without supervisor
#   job     with one clock for the whole job
#   musl    the source compiled with musl-gcc, where that is; with a shim that has no sites there
#   static  the supervisor without shim: the same program, linked statically
set -u
detrun=$1 work=$2 modes=$3 dynamic=$4 static=$5 source=$6
limit=40
rm -rf "$work"
mkdir -p "$work" && cd "$work" || exit 1

fail() {
    echo "FAIL: $*"
    exit 1
}

# run NAME SETTINGS PROGRAM [COMMAND...]: in a folder of its own, with an environment that is fixed
run() {
    local name=$1 settings=$2 program=$3
    shift 3
    mkdir "$name"
    # shellcheck disable=SC2086 # a list of settings
    (cd "$name" && exec env -i PATH="$PATH" LC_ALL=C $settings timeout -k 2 "$limit" \
        "$@" "$program" >../"$name.out" 2>../"$name.err" </dev/null)
    echo "status $?" >>"$name.out"
    (cd "$name" && find . | sort) >"$name.left"
}

# nobody_left NAME PROGRAM: detrun's own processes and the program's are gone, soon
nobody_left() {
    for _ in $(seq 50); do
        pgrep -f "^$2( |$)|^$detrun .*$2( |$)" >"$1.processes" || return 0
        sleep 0.1
    done
    xargs -r ps -o pid,ppid,stat,args -p <"$1.processes"
    fail "$1: processes are left behind"
}

# as_native NAME NATIVE PROGRAM
as_native() {
    if ! cmp -s "$2.out" "$1.out"; then
        diff "$2.out" "$1.out" | head -n 20
        head -n 20 "$1.err"
        fail "$1: not as natively"
    fi
    cmp -s "$2.left" "$1.left" || fail "$1: files are left: $(cat "$1.left")"
    nobody_left "$1" "$3"
}

native() {
    run "$1" "" "$2"
    grep -qx EXIT-SUCCESS "$1.out" && [ "$(tail -n 1 "$1.out")" = "status 0" ] && return
    cat "$1.out" "$1.err"
    fail "$1: the trap itself fails"
}

# musl has no headers of the kernel's of its own.
compile_with_musl() {
    command -v musl-gcc >/dev/null || return
    musl-gcc -O1 -D_GNU_SOURCE -I"$(dirname "$source")/../guest" -idirafter /usr/include \
        -idirafter "/usr/include/$(uname -m)-linux-gnu" -o musl_program "$source" ||
        fail "cannot compile with musl-gcc"
}

case $modes in
*shim* | *alone* | *job*) native native "$dynamic" ;;
esac
for mode in $modes; do
    case $mode in
    shim)
        run shim GUEST_DETRUN=1 "$dynamic" "$detrun" --seed 7 -q --
        as_native shim native "$dynamic"
        ;;
    alone)
        run alone "GUEST_DETRUN=1 GUEST_ALONE=1" "$dynamic" "$detrun" --seed 7 -q --no-supervisor --
        as_native alone native "$dynamic"
        ;;
    job)
        run job GUEST_DETRUN=1 "$dynamic" "$detrun" --seed 7 -q --clock-scope=job --
        as_native job native "$dynamic"
        ;;
    musl)
        compile_with_musl || continue
        native native_musl "$work/musl_program"
        run musl GUEST_DETRUN=1 "$work/musl_program" "$detrun" --seed 7 -q --
        as_native musl native_musl "$work/musl_program"
        ;;
    static)
        native native_static "$static"
        run static "GUEST_DETRUN=1 GUEST_STATIC=1" "$static" "$detrun" --seed 7 -q --
        as_native static native_static "$static"
        ;;
    *) fail "no such mode: $mode" ;;
    esac
done
exit 0
