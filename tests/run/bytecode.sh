#!/bin/bash
# SPDX-License-Identifier: MIT
# Byte code that Python made outside of jobs is good inside, and the other way round.
. "$(dirname "$0")/lib.sh"
need python3
unset PYTHONDONTWRITEBYTECODE

mkdir sources
cat >sources/module.py <<'E'
value = 1
E
touch -d '2025-06-01 12:00:00' sources/module.py

import_module() {
    "$@" env PYTHONPATH=sources PYTHONDONTWRITEBYTECODE= python3 -c 'import module; print(module.value)'
}
code() {
    stat -c '%i %Y' sources/__pycache__/module.*.pyc
}

[ "$(import_module limited)" = 1 ] || fail "the module natively"
made=$(code) || fail "no byte code was made"
[ "$(import_module under 7)" = 1 ] || fail "the module in a job"
[ "$(code)" = "$made" ] || fail "a job made the byte code anew"
[ "$(import_module limited)" = 1 ] || fail "the module natively once more"
[ "$(code)" = "$made" ] || fail "after a job the byte code was made anew"

# A source that the job changes is seen to be changed, by the job and afterwards.
under 7 sh -c 'echo "value = 2" >sources/module.py' || fail "a job writes the source"
[ "$(import_module under 7)" = 2 ] || fail "a changed source, in a job"
made=$(code)
[ "$(import_module limited)" = 2 ] || fail "a changed source, natively"
[ "$(code)" = "$made" ] || fail "byte code that a job made was made anew"
exit 0
