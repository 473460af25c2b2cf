#!/bin/bash
# SPDX-License-Identifier: MIT
# sandboxed.sh kill|errno|trap|harmless|requests|own_ids: a program behind a seccomp filter of its own, which lists
# what it natively calls, does what it natively does: none of the shim's own calls ends or
# interrupts it. What the kernel grants nobody behind detrun's filter is counted.
. "$(dirname "$0")/lib.sh"
need gcc
[ -e /usr/include/seccomp.h ] || skip "libseccomp's header is not here"
compile sandboxed -pthread -lseccomp

# Lines that the seed decides, and the time, differ from native ones.
shape() {
    sed -E -e 's/^r .*/r/' -e 's/^[0-9]+$/time/' "log/$1" >"log/$1.shape"
}

# noted NAME COMMAND...: as capture, without the shell's own line on a command that a signal ended
noted() {
    capture "$@"
    sed -i '/Bad system call/d' "log/$1"
}

check_way() {
    local deed
    for deed in nothing ids random sleep threads fork device exec refused; do
        noted native limited ./sandboxed "$1" "$deed"
        [ "$deed" = refused ] || ok native
        noted inside under 7 ./sandboxed "$1" "$deed"
        noted alone limited "$detrun" --seed 7 --no-supervisor -- ./sandboxed "$1" "$deed"
        shape native
        shape inside
        shape alone
        same native.shape inside.shape "$1 $deed natively and inside"
        same native.shape alone.shape "$1 $deed natively and with the shim alone"
        noted again under 7 ./sandboxed "$1" "$deed"
        same inside again "$1 $deed twice"
        noted other under 8 ./sandboxed "$1" "$deed"
        ! grep -q '^r ' log/inside || seeds_differ inside other
    done
}

# A filter that lets the shim's calls pass changes nothing, for other images neither.
check_harmless() {
    cat >harmless.c <<'C'
#include <seccomp.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_KILL_PROCESS, SCMP_SYS(reboot), 0);
    if (seccomp_load(filter) != 0 || argc < 2)
        return 77;
    execv(argv[1], argv + 1);
    return 1;
}
C
    gcc -O1 -o harmless harmless.c -lseccomp || fail "cannot compile"
    compile answer
    rounds=1 deterministic ./harmless ./answer
    limited "$detrun" --seed 7 --strict -- ./harmless ./answer >log/strict 2>&1 ||
        fail "behind a harmless filter: $(cat log/strict)"
}

check_requests() {
    local request
    for request in strict listener; do
        limited "$detrun" --seed 7 -v -- ./sandboxed "$request" >log/"$request" 2>&1
        grep -q 'seccomp_requests_refused: 1' "log/$request" ||
            fail "$request: $(cat "log/$request")"
        limited "$detrun" --seed 7 --no-supervisor -- ./sandboxed "$request" >log/alone 2>&1
        limited ./sandboxed "$request" >log/native 2>&1
        same native alone "$request natively and with the shim alone"
    done
}

# By what name ever libc and the program ask for themselves, the kernel hears one that is let pass.
check_own_ids() {
    compile own_ids -pthread
    capture native limited ./own_ids
    ok native
    capture inside under 7 ./own_ids
    capture alone limited "$detrun" --seed 7 --no-supervisor -- ./own_ids
    same native inside "natively and inside"
    same native alone "natively and with the shim alone"
}

rounds=1
case $1 in
requests) check_requests ;;
harmless) check_harmless ;;
own_ids) check_own_ids ;;
*) check_way "$1" ;;
esac
exit 0
