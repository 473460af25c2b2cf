#!/bin/bash
# SPDX-License-Identifier: MIT
# detrun selftest: says that two runs agree where they do, and names the first difference where not.
. "$(dirname "$0")/lib.sh"
compile deny

# holds COMMAND...: selftest passes there
holds() {
    limited "$@" >log/selftest 2>&1 || fail "$*: $(cat log/selftest)"
    grep -q '^FAILED' log/selftest && fail "$*: $(cat log/selftest)"
    for label in seed run_id sequence clock environment random pid 'random of another seed' 'pid of another seed'; do
        grep -q "^ok *dynamic: $label$" log/selftest || fail "$*: nothing about $label: $(cat log/selftest)"
    done
}

covers_static() {
    [ "$(grep -c '^ok *static: ' log/selftest)" = 9 ] || fail "$*: $(cat log/selftest)"
}

leaves_static_out() {
    grep -q '^skipped *static: .' log/selftest || fail "$*: $(cat log/selftest)"
    grep -q '^ok *static' log/selftest && fail "$*: $(cat log/selftest)"
    return 0
}

holds "$detrun" selftest
covers_static here
holds "$detrun" --seed 6 -- "$detrun" selftest
covers_static "in a job"
holds "$detrun" --seed 4242 --step 3 --clock-scope job --epoch now -- "$detrun" selftest
covers_static "in another job"
holds env E2E_SEED=1 E2E_DETERMINISTIC=0 DETRUN_STRICT=1 DETRUN_REAL=wall SOURCE_DATE_EPOCH=x "$detrun" selftest
covers_static "with settings"
holds "$detrun" selftest --no-supervisor
leaves_static_out "--no-supervisor"
holds ./deny seccomp "$detrun" selftest
leaves_static_out "without seccomp"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    folder=$(mktemp -d /tmp/detrun-selftest.XXXXXX) || fail "no temporary folder"
    trap 'rm -rf "$folder"' EXIT
    mkdir "$folder/bin" "$folder/lib"
    cp "$detrun" "$folder/bin/" && cp "$preload" "$folder/lib/"
    chmod 755 "$folder" "$folder"/*
    holds setpriv --reuid=65534 --regid=65534 --clear-groups "$folder/bin/detrun" selftest
fi

limited "$detrun" selftest -q >log/out 2>&1 || fail "-q: status $?"
[ ! -s log/out ] || fail "-q prints: $(cat log/out)"
limited "$detrun" selftest nonsense >log/out 2>log/err
[ $? = 2 ] || fail "nonsense is taken"
[ "$(wc -l <log/err) $(wc -c <log/out)" = "1 0" ] || fail "nonsense: $(cat log/err log/out)"

# A difference is found and named: a tool whose answer is another one each time.
mkdir tools
printf '#!/bin/sh\nexec 3>>%s/count; echo x >&3; wc -l <%s/count\n' "$work" "$work" >tools/date
chmod +x tools/date
PATH=$work/tools:$PATH limited "$detrun" selftest >log/out 2>&1
[ $? = 1 ] || fail "a difference is not found: $(cat log/out)"
[ "$(grep -c '^FAILED' log/out)" = 1 ] || fail "not one line: $(cat log/out)"
grep -q '^FAILED *dynamic: sequence: "T000000 1" in one run, "T000000 7" in the other' log/out || fail "the first difference is not named: $(cat log/out)"
PATH=$work/tools:$PATH limited "$detrun" selftest -q >log/out 2>&1
[ $? = 1 ] || fail "-q: a difference is not found"
[ ! -s log/out ] || fail "-q prints: $(cat log/out)"

# An answer that is missing is none that agrees.
printf '#!/bin/sh\n' >tools/od
printf '#!/bin/sh\necho 1\n' >tools/date
chmod +x tools/od
PATH=$work/tools:$PATH limited "$detrun" selftest >log/out 2>&1
[ $? = 1 ] || fail "no random bytes are taken for equal ones: $(cat log/out)"
exit 0
