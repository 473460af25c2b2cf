#!/bin/bash
# SPDX-License-Identifier: MIT
# refused.sh seccomp|personality: where the kernel refuses one of the means, the rest still
# answers, and the summary names what is lost.
. "$(dirname "$0")/lib.sh"

compile deny
# The wrapper works: the call fails inside.
case $1 in
personality) ./deny "$1" setarch -R true 2>/dev/null && fail "the wrapper does not deny $1" ;;
esac

denied() {
    local seed=$1
    shift
    limited ./deny "$what" "$detrun" --seed "$seed" -- "$@"
}

# equal_when_denied COMMAND...: answers are the seed's, and nothing is printed beside them
equal_when_denied() {
    capture a denied 7 "$@"
    ok a
    capture b denied 7 "$@"
    same a b "with $what refused: $*"
    capture c denied 8 "$@"
    seeds_differ a c
}

what=$1
equal_when_denied shuf -i 1-1000
equal_when_denied sh -c 'echo $$; uuidgen; head -c 16 /dev/urandom | od -An -tx1'
equal_when_denied python3 -c 'import uuid, time; print(uuid.uuid4(), time.time_ns())'

capture verbose limited ./deny "$what" "$detrun" --seed 7 -v -- true
ok verbose
[ "$(wc -l <log/verbose)" -gt 1 ] || fail "-v prints nothing"
case $what in
seccomp) grep -qiE 'supervis|seccomp' log/verbose || fail "-v does not name it: $(cat log/verbose)" ;;
personality) grep -qiE 'aslr|address|personality' log/verbose || fail "-v does not name it: $(cat log/verbose)" ;;
esac
limited ./deny "$what" "$detrun" --seed 7 --strict -- true >log/strict 2>&1
status=$?
[ "$status" = 125 ] || fail "--strict with $what refused: status $status, $(cat log/strict)"
exit 0
