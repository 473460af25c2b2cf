#!/bin/bash
# SPDX-License-Identifier: MIT
# suites.sh [MODULE...]: Python's own tests of what touches processes, signals, time, randomness and
# files, natively and under detrun. Their outcomes are equal, test by test, but for those in
# suites.known, which still differ. Needs Debian's libpython3.11-testsuite.
. "$(dirname "$0")/lib.sh"
python=/usr/bin/python3.11
known=$source/tests/run/suites.known
limit=900
attempts=3
need setpriv
"$python" -c 'import test.test_os' 2>/dev/null || skip "libpython3.11-testsuite is not here"
export LC_ALL=C.UTF-8

modules=("$@")
[ $# -gt 0 ] || modules=(
    test_random test_uuid test_tempfile test_time test_resource test_gc test_fcntl test_mmap
    test_fork1 test_wait3 test_wait4 test_popen test_select test_selectors test_epoll test_poll
    test_ioctl test_openpty test_queue test_sched test_thread test_threadsignals
    test_eintr test_os test_posix test_pty test_faulthandler test_threading test_signal
    test_subprocess test_socket test_multiprocessing_fork test_multiprocessing_spawn
)

# Natively, test_time sets the machine's clock where it may.
native() {
    if [ "$(id -u)" = 0 ]; then
        limited setpriv --inh-caps=-sys_time --bounding-set=-sys_time "$@"
    else
        limited "$@"
    fi
}

# outcomes WAY MODULE NAME [OPTION...]: lines "test outcome" into log/NAME.WAY. Sockets between
# virtual machines hang where there is a device for them and nobody who answers.
outcomes() {
    local way=$1 module=$2 name=$3
    shift 3
    local runner=(native)
    [ "$way" = native ] || runner=(under 7)
    rm -rf tmp results.xml
    mkdir -p tmp
    "${runner[@]}" "$python" -m test -v --tempdir "$work/tmp" --junit-xml "$work/results.xml" \
        -i '*VSOCK*' "$@" "$module" >"log/$name.$way.out" 2>&1 </dev/null
    if grep -q "^$module skipped" "log/$name.$way.out"; then
        echo "$module skipped" >"log/$name.$way"
    elif ! "$python" "$programs/outcomes.py" "$module" results.xml >"log/$name.$way"; then
        fail "$module $way: no results (see log/$name.$way.out)"
    fi
}

# differing NAME: tests that have another outcome, or one on one side only
differing() {
    diff "log/$1.native" "log/$1.detrun" | sed -nE 's/^[<>] ([^ ]+) .*/\1/p' | sort -u
}

# What is not as expected in one run may be the machine's load: only what stays so counts.
settle() {
    local module=$1 i
    differing "$module" >"log/$module.differing"
    sed -nE "s/^$module ([^ ]+) .*/\1/p" "$known" | sort >"log/$module.known"
    sort "log/$module.known" "log/$module.differing" | uniq -u >"log/$module.open"
    for ((i = 2; i <= attempts; i++)); do
        [ -s "log/$module.open" ] || return 0
        sed 's/^/*./' "log/$module.open" >patterns
        outcomes native "$module" "$module.$i" --matchfile "$work/patterns"
        outcomes detrun "$module" "$module.$i" --matchfile "$work/patterns"
        differing "$module.$i" >"log/$module.$i.differing"
        sort "log/$module.known" "log/$module.$i.differing" | uniq -u |
            comm -12 - "log/$module.open" >open
        mv open "log/$module.open"
    done
}

status=0
for module in "${modules[@]}"; do
    outcomes native "$module" "$module"
    outcomes detrun "$module" "$module"
    settle "$module"
    echo "$module: $(wc -l <"log/$module.native") tests, $(wc -l <"log/$module.known") known to differ"
    while read -r test; do
        status=1
        if grep -qx -- "$test" "log/$module.known"; then
            echo "$module $test: no longer differs, but stands in suites.known"
        else
            grep -h "^$test " "log/$module.native" "log/$module.detrun" | sed "s/^/$module /"
        fi
    done <"log/$module.open"
done
[ $status = 0 ] || fail "not the known differences"
