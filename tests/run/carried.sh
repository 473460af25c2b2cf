#!/bin/bash
# SPDX-License-Identifier: MIT
# carried.sh: what detrun env prints carries all that determines answers, and begins a lineage of
# its own each time.
. "$(dirname "$0")/lib.sh"

[ "$(limited "$detrun" env 2>&1 | wc -l)" = 1 ] || fail "no one line outside a job"
limited "$detrun" env 2>/dev/null
[ $? = 2 ] || fail "outside a job it is no error"
[ "$(limited "$detrun" --seed 7 -- "$detrun" env X=2 printenv X)" = 2 ] || fail "with words it is env(1)"

# carried OPTION...: the assignments, of a seed and a name that a shell would take apart
carried() {
    limited "$detrun" "$@" -- "$detrun" env || fail "$*: no assignments"
}

name=$' a  b*\t$x \'"\\\n'
assignments=$(carried --seed-encoding text --seed "$name" --test-name "$name" --step 100us \
    --mono-step 7us --epoch 2027-12-31T23:59:58Z --clock-scope job --wait real --real mtimes,cputime \
    --max-examples 9)
# shellcheck disable=SC2086 # as it is on the way
words=$(printf '%s ' $assignments)
[ "$words" = "$assignments" ] || fail "a shell changes them: $words"
eval "env $assignments $detrun config true" | grep -v '^lineage=' >log/there
limited "$detrun" config --seed-encoding text --seed "$name" --test-name "$name" --step 100us \
    --mono-step 7us --epoch 2027-12-31T23:59:58Z --clock-scope job --wait real --real mtimes,cputime \
    --max-examples 9 true >log/here
cmp -s log/here log/there || fail "other settings: $(diff log/here log/there)"

# shellcheck disable=SC2016 # for the shell in the job
for round in 1 2; do
    capture "round.$round" under 7 bash -c \
        'for i in 1 2 3; do env -i PATH=$PATH $('"$detrun"' env) '"$detrun"' uuidgen; done; uuidgen'
    ok "round.$round"
    same round.1 "round.$round" "places"
done
[ "$(sort -u log/round.1 | wc -l)" = 5 ] || fail "two of them are equal: $(cat log/round.1)"

for bad in "" 2 1. 1.0 1.x .1 "1.2 " "~12" "$(printf '1.%060d' 1)"; do
    DETRUN_LINEAGE=$bad limited "$detrun" --seed 7 true >log/bad 2>&1
    [ "$? $(wc -l <log/bad)" = "125 1" ] || fail "DETRUN_LINEAGE=\"$bad\": $(cat log/bad)"
    limited "$detrun" --seed 7 --lineage "$bad" true >log/bad 2>&1
    [ $? = 125 ] || fail "--lineage \"$bad\": $(cat log/bad)"
done
[ "$(under 7 uuidgen)" = "$(limited "$detrun" --seed 7 --lineage 1 uuidgen)" ] || fail "1 is the root's"
