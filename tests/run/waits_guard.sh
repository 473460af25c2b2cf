#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_guard.sh WHAT [long]: a program that only computes holds its clock, but not for ever. Long:
# natively and in real time as well.
. "$(dirname "$0")/lib.sh"
ways=(warp)
[ "${2:-}" = long ] && ways=(native warp real)

# ends STATUS COMMAND...
ends() {
    local status=$1 way
    shift
    for way in "${ways[@]}"; do
        if [ "$way" = native ]; then
            milliseconds limited "$@"
        else
            milliseconds limited "$detrun" --seed 7 "--wait=$way" -- "$@"
        fi
        [ "$(tail -n 1 log/timed)" = "status $status" ] || fail "$way: $* ends with $(cat log/timed)"
        echo "$way: $elapsed ms"
    done
}

case $1 in
timeout)
    ends 124 timeout 5 sh -c 'while :; do :; done'
    ;;
child)
    # What computes is not the child of what waits.
    # shellcheck disable=SC2016
    ends 0 bash -c 'while :; do :; done & sleep 5; kill $!'
    ;;
alarm)
    need perl
    # Its own alarm ends what computes, and whoever waited for it has waited until then.
    for way in "${ways[@]}"; do
        [ "$way" = native ] && continue
        capture "$way" limited "$detrun" --seed 7 "--wait=$way" -- \
            bash -c 'exec 2>&-; perl -e "alarm 1; 1 while 1"; date "+$? %s"'
        grep -qx "142 1735689601" "log/$way" || fail "$way: $(cat "log/$way")"
    done
    ;;
flag)
    compile waits_flag -D_GNU_SOURCE -pthread
    ends 0 ./waits_flag
    ;;
flag_static)
    gcc -O1 -static -o waits_flag "$programs/waits_flag.c" -D_GNU_SOURCE -pthread 2>/dev/null ||
        skip "no static libc here"
    ends 0 ./waits_flag
    ;;
esac
exit 0
