#!/bin/bash
# SPDX-License-Identifier: MIT
# waits_order.sh WHAT [ROUNDS]: who sleeps shorter prints first, in every run, on an idle and on a
# busy machine; who was created first, where two wake at one time.
. "$(dirname "$0")/lib.sh"
what=$1 runs=${2:-10}
numbers=(70 20 110 50 10 90 30 80 40 100 60 120)

busy=()
load() {
    local i
    for i in 1 2; do
        sh -c 'while :; do :; done' &
        busy[i]=$!
    done
}
trap '[ ${#busy[@]} = 0 ] || kill "${busy[@]}" 2>/dev/null' EXIT

# in_order WAIT COMMAND...: as log/right says, in all runs
in_order() {
    local wait=$1 i
    shift
    for i in $(seq "$runs"); do
        capture order limited "$detrun" --seed 7 "--wait=$wait" -- "$@"
        cmp -s log/right log/order && continue
        diff log/right log/order | head -n 20
        fail "--wait=$wait, run $i${busy[*]:+ beside two busy loops}: $* in another order"
    done
}

# interleaved WHO: by time, and then by the order of creation
interleaved() {
    compile waits_order -D_GNU_SOURCE -pthread
    limited ./waits_order "$1" | sort -k1,1n -k2,2 >log/right
    [ "$(wc -l <log/right)" = 30 ] || fail "natively: $(cat log/right)"
    echo "status 0" >>log/right
    command=(./waits_order "$1")
}

sorted() {
    printf '%s\n' "${numbers[@]}" | sort -n >log/right
    echo "status 0" >>log/right
    command=("$@")
}

case $what in
threads | processes)
    interleaved "$what"
    ;;
sort_c)
    compile waits_order -D_GNU_SOURCE -pthread
    sorted ./waits_order sort "${numbers[@]}"
    ;;
sort_bash)
    # shellcheck disable=SC2016
    sorted bash -c 'for n; do (sleep "$((n / 1000)).$(printf %03d "$((n % 1000))")"; echo "$n") & done; wait' \
        bash "${numbers[@]}"
    ;;
sort_python)
    need python3
    sorted python3 -c '
import os, sys, threading, time
def sort(n):
    time.sleep(n / 1000)
    os.write(1, b"%d\n" % n)
for n in sys.argv[1:]:
    threading.Thread(target=sort, args=[int(n)]).start()' "${numbers[@]}"
    ;;
esac
in_order warp "${command[@]}"
in_order real "${command[@]}"
load
in_order warp "${command[@]}"
exit 0
