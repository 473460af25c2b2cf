#!/bin/bash
# SPDX-License-Identifier: MIT
# detrun doctor: each probe says what is so here, also where things are refused; its status says
# whether anything is missing.
. "$(dirname "$0")/lib.sh"
need python3
compile deny

# line NAME: the state of a probe in log/doctor
line() {
    awk -v name="$1" '$2 == name { print $1 }' log/doctor
}

# says NAME STATE
says() {
    [ "$(line "$1")" = "$2" ] || fail "$where: $1 is not $2: $(grep " $1 " log/doctor)"
}

# examine WHERE STATUS COMMAND...: what doctor prints there
examine() {
    where=$1
    local want=$2
    shift 2
    limited "$@" doctor >log/doctor 2>log/err
    local status=$?
    [ ! -s log/err ] || fail "$where: $(cat log/err)"
    [ "$status" = "$want" ] || fail "$where: status $status, not $want: $(cat log/doctor)"
    [ "$(wc -l <log/doctor)" = 20 ] || fail "$where: not a line for each: $(cat log/doctor)"
    # All but those that are well, noted or unknown name an effect and a remedy.
    awk '$1 == "missing" && split($0, part, ": ") < 3 { exit 1 }' log/doctor || fail "$where: $(cat log/doctor)"
    cp log/doctor "log/doctor.$where"
}

limited "$detrun" doctor >log/here 2>&1
here=$?
[ $here = 0 ] || [ $here = 1 ] || fail "status $here: $(cat log/here)"
examine here $here "$detrun"
for name in library proc job-memory page-fault; do
    says "$name" ok
done
# Trapped or not, no job answers them by that.
for name in rdtsc cpuid; do
    says $name note
    grep -q "$name *can.* be trapped.*: .*programs" log/doctor || fail "$name: $(grep $name log/doctor)"
done
[ "$(line listener)" = ok ] || skip "no listener here, and so nothing to be refused: $(grep listener log/here)"
says round-trip ok

examine seccomp 1 ./deny seccomp "$detrun"
says seccomp missing
says listener missing
says hand-over unknown
says round-trip unknown
says sibling-memory "$(awk '$2 == "sibling-memory" { print $1 }' log/here)"
grep 'missing *listener' log/doctor | grep -q 'seccomp=unconfined' || fail "no container option: $(cat log/doctor)"
examine personality 1 ./deny personality "$detrun"
says addresses missing
says listener ok
grep 'missing *addresses' log/doctor | grep -q personality || fail "no remedy: $(cat log/doctor)"
examine process_vm "$here" ./deny process_vm "$detrun"
says sibling-call note
says sibling-memory ok
examine ptrace "$here" ./deny ptrace "$detrun"
says sibling-memory ok
examine memfd "$here" ./deny memfd "$detrun"
says job-memory ok
grep -q 'job-memory.*memfd_create is refused' log/doctor || fail "memfd_create: $(cat log/doctor)"
examine exec_memory "$here" ./deny exec_memory "$detrun"
says vdso ok
grep -q 'vdso.*/proc/self/mem' log/doctor || fail "the other way is not named: $(cat log/doctor)"

# Inside a job all that it gives counts as here.
examine inside "$here" "$detrun" --seed 6 -- "$detrun"
says listener ok
says round-trip ok

# What cannot be read cannot be written by others either: as under Yama.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    folder=$(mktemp -d /tmp/detrun-doctor.XXXXXX) || fail "no temporary folder"
    trap 'rm -rf "$folder"' EXIT
    mkdir "$folder/bin" "$folder/lib"
    cp "$detrun" "$folder/bin/detrun"
    cp "$preload" "$folder/lib/"
    chmod 755 "$folder" "$folder"/*
    nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    # shellcheck disable=SC2016 # for the inner shell
    as_nobody=("${nobody[@]}" sh -c '"$0" "$@"' "$folder/bin/detrun")
    examine nobody "$here" "${as_nobody[@]}"
    says no-new-privs note
    chmod 711 "$folder/bin/detrun"
    examine unwritable 1 "${as_nobody[@]}"
    says child-memory missing
    says sibling-memory missing
    says sibling-call note
    grep 'missing *sibling-memory' log/doctor | grep -q ptrace_scope || fail "no remedy: $(cat log/doctor)"
    limited "${as_nobody[@]}" selftest >log/selftest || fail "selftest: $(cat log/selftest)"
    grep -q '^skipped *static' log/selftest || fail "selftest does not say what it leaves out: $(cat log/selftest)"
fi

# A pid namespace without a /proc of its own.
if unshare -pf true 2>/dev/null; then
    examine pid_namespace 1 unshare -pf "$detrun"
    says proc missing
    says sibling-memory unknown
    limited unshare -pf "$detrun" --seed 7 -v -- true >log/out 2>&1 || fail "a pid namespace: $(cat log/out)"
    grep -q 'supervisor no (/proc is another' log/out || fail "it is not named: $(cat log/out)"
    examine own_proc "$here" unshare -pf --mount-proc "$detrun"
    says proc ok
fi
if bwrap --dev-bind / / true 2>/dev/null; then
    examine bwrap "$here" bwrap --dev-bind / / "$detrun"
    says listener ok
    examine bwrap_all "$here" bwrap --dev-bind / / --unshare-all --proc /proc "$detrun"
    says sibling-memory ok
fi

for where in '' './deny seccomp' "$detrun --seed 6 --"; do
    # shellcheck disable=SC2086 # words of a command
    limited $where "$detrun" doctor --json >log/json
    status=$?
    python3 - log/json $status <<'P' || fail "--json: $(cat log/json)"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["works"] == (sys.argv[2] == "0")
states = [probe["state"] for probe in report["probes"]]
assert len(states) == 20 and set(states) <= {"ok", "note", "missing", "unknown"}
assert report["works"] == ("missing" not in states)
assert all(probe["remedy"] for probe in report["probes"] if probe["state"] == "missing")
P
done
limited "$detrun" doctor >/dev/full 2>log/err
[ $? = 2 ] || fail "a full disk is a success"
for words in '--yaml' '--json x' 'x'; do
    # shellcheck disable=SC2086
    limited "$detrun" doctor $words >log/out 2>log/err
    [ $? = 2 ] || fail "doctor $words is taken"
    [ "$(wc -l <log/err) $(wc -c <log/out)" = "1 0" ] || fail "doctor $words: $(cat log/err log/out)"
done
exit 0
