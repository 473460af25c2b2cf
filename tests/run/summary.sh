#!/bin/bash
# SPDX-License-Identifier: MIT
# The summary: JSON, what was answered by which door, what was seen and not controlled; --strict.
. "$(dirname "$0")/lib.sh"
need python3

limited "$detrun" --seed 7 --summary s.json -- sh -c 'uuidgen; date; echo $$' >log/out 2>&1 || fail "$(cat log/out)"
[ "$(wc -l <log/out)" = 3 ] || fail "--summary prints beside the command: $(cat log/out)"
/usr/bin/python3 - s.json <<'E' || fail "the summary: $(cat s.json)"
import json, sys

def numbers(value):
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from ((name + "." + rest, n) for rest, n in numbers(inner))
    elif isinstance(value, list):
        for inner in value:
            yield from numbers(inner)
    elif isinstance(value, int):
        yield "", value

summary = json.load(open(sys.argv[1]))
text = json.dumps(summary)
for source in ("random", "wall", "pid"):
    assert source in text, source + " is not named"
assert any(n > 0 for _, n in numbers(summary)), "nothing was answered"
E

limited "$detrun" --seed 7 -v -- uuidgen >log/out 2>log/err || fail "-v"
[ "$(wc -l <log/out)" = 1 ] || fail "-v prints on standard output"
grep -qi random log/err || fail "-v does not name the sources: $(cat log/err)"

limited "$detrun" --seed 7 --strict -- uuidgen >log/out 2>log/err
status=$?
[ $status = 0 ] || fail "--strict with nothing open: status $status, $(cat log/err)"
printf 'int main(void) { return 0; }\n' >s.c
gcc -static -o s s.c || fail "cannot link statically"
limited "$detrun" --seed 7 --strict -- ./s >log/out 2>log/err
[ $? = 125 ] || fail "--strict does not mind a static image that may open a random device"

# "-" is standard error, with the command's own lines and not among its output.
limited "$detrun" --seed 7 --summary - -- sh -c 'echo out; echo err >&2' >log/out 2>log/err || fail "--summary -"
[ "$(cat log/out)" = out ] || fail "--summary - prints on standard output: $(cat log/out)"
[ "$(head -n 1 log/err)" = err ] || fail "--summary -: $(cat log/err)"
sed 1d log/err | /usr/bin/python3 -c 'import json, sys; assert json.load(sys.stdin)["seed"] == 7' ||
    fail "--summary -: $(cat log/err)"
[ ! -e ./- ] || fail '--summary - makes a file "-"'

# Quiet is quiet.
[ -z "$(limited "$detrun" -q -- true 2>&1)" ] || fail "-q prints: $(limited "$detrun" -q -- true 2>&1)"
exit 0
