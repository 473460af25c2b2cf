#!/bin/bash
# SPDX-License-Identifier: MIT
# refused.sh WHAT[=ENOSYS]: where one of the means is refused (see programs/deny.c), the rest still
# answers, and the summary names what is lost.
. "$(dirname "$0")/lib.sh"

compile deny
gcc -static -O1 -o answer_static "$programs/answer.c" || fail "cannot link statically"
# The wrapper works: the call fails inside.
case $1 in
personality*) ./deny "$1" setarch -R true 2>/dev/null && fail "the wrapper does not deny $1" ;;
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
limited ./deny "$what" "$detrun" --seed 7 --strict -- true >log/strict 2>&1
status=$?

# lost WORDS: something is, and it is named
lost() {
    grep -qiE "$1" log/verbose || fail "-v does not name it: $(cat log/verbose)"
    [ "$status" = 125 ] || fail "--strict with $what refused: status $status, $(cat log/strict)"
}

# nothing_lost: every answer is the one without refusals
nothing_lost() {
    [ "$status" = 0 ] || fail "--strict with $what refused: status $status, $(cat log/strict)"
    # shellcheck disable=SC2016 # for the inner shell
    local all=(sh -c './answer_static; echo $$; uuidgen; env -i ./answer_static; date +%N')
    capture free under 7 "${all[@]}"
    capture all denied 7 "${all[@]}"
    same free all "with $what refused and without: ${all[*]}"
}

case $what in
seccomp*) lost 'supervis|seccomp' ;;
personality*) lost 'aslr|address|personality' ;;
*) nothing_lost ;;
esac
exit 0
