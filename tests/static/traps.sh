#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/traps.md: every row is held by a test that there is or a line of docs/limits.md that stands
# there; every trap is named.
. "$(dirname "$0")/lib.sh"
need ctest g++

tests=$(ctest --test-dir "${BUILD:?}" -N -C Long | sed -n 's/^ *Test *#[0-9]*: //p')
[ -n "$tests" ] || fail "ctest lists no tests"
limits=$(tr -s '\n ' ' ' <docs/limits.md)
rows=$(grep -E '^\| ' docs/traps.md | grep -v '^| trap |')
[ -n "$rows" ] || fail "no rows"
status=0

complain() {
    echo "docs/traps.md: $*"
    status=1
}

while read -r row; do
    held=${row%|}
    held=${held##*| }
    names=$(grep -oE '`(trap|guest|run|unit)\.[A-Za-z0-9_]+`' <<<"$held" | tr -d '`')
    quoted=$(sed -n 's/.*limits: "\(.*\)".*/\1/p' <<<"$held")
    [ -n "$names$quoted" ] || complain "nothing holds: $row"
    for name in $names; do
        grep -qxF "$name" <<<"$tests" || complain "no such test: $name"
    done
    [ -z "$quoted" ] || grep -qF -- "$quoted" <<<"$limits" || complain "not in limits.md: $quoted"
done <<<"$rows"

while read -r name; do
    grep -qF "\`$name\`" docs/traps.md || complain "not named: $name"
done < <(grep '^trap\.' <<<"$tests")
exit $status
