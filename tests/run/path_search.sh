#!/bin/bash
# SPDX-License-Identifier: MIT
# A command is found and started as by execvp: its places, its errors, files without a magic number.
. "$(dirname "$0")/lib.sh"

mkdir first second third first/folder
printf 'echo "second: $0 $# $*"\n' >second/plain
printf '#!/bin/sh\necho "second: $0 $# $*"\n' >second/folder
cp second/folder second/refused
printf 'exit 3\n' >first/refused
cp first/refused third/refused_all
printf '#!/bin/sh\necho here\n' >here
: >first/empty
chmod +x second/* here first/empty
long=$(printf '%05000d' 0)

# as_env COMMAND...: env starts its command by execvp.
as_env() {
    env "$@" >native 2>/dev/null
    echo "status $?" >>native
    limited "$detrun" -q --seed 7 -- "$@" >inside 2>/dev/null
    echo "status $?" >>inside
    cmp native inside || fail "PATH=${PATH-unset} $*: $(cat native) is $(cat inside)"
    E2E_DETERMINISTIC=0 limited "$detrun" -- "$@" >inside 2>/dev/null
    echo "status $?" >>inside
    cmp native inside || fail "untouched, PATH=${PATH-unset} $*: $(cat native) is $(cat inside)"
}

usual=$PATH
for PATH in "first:second:third:$usual" "here:/nonexistent:second:third:$usual" "$usual::first"; do
    for command in plain folder refused refused_all here empty nowhere "$long" "" second/plain \
        ./here third/refused_all third here/x "second/$long"; do
        as_env "$command" a 'b c'
    done
done
PATH=$usual
# shellcheck disable=SC2016 # for the inner shell
limited env -u PATH "$detrun" -q --seed 7 -- sh -c 'echo found' >inside || fail "no PATH: status $?"
grep -qx found inside || fail "no PATH: $(cat inside)"
