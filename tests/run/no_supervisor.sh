#!/bin/bash
# SPDX-License-Identifier: MIT
# --no-supervisor: the shim alone, with all that the launcher can do without seccomp.
. "$(dirname "$0")/lib.sh"

unsupervised() {
    local seed=$1
    shift
    limited "$detrun" --seed "$seed" --no-supervisor -- "$@"
}

equal_unsupervised() {
    local round
    for round in $(seq "$rounds"); do
        capture a unsupervised 7 "$@"
        ok a
        capture b unsupervised 7 "$@"
        same a b "--no-supervisor: $*"
        capture c unsupervised 8 "$@"
        seeds_differ a c
    done
}

equal_unsupervised sh -c 'echo "r $$"; for i in 1 2 3; do echo "r $(uuidgen)"; done; date +%N'
equal_unsupervised python3 "$programs/answers.py"
equal_unsupervised sh -c 'for i in 1 2 3 4; do uuidgen >o$i & done; wait; cat o?'
equal_unsupervised env -i /usr/bin/uuidgen
equal_unsupervised bash -c 'echo "r $RANDOM$RANDOM$RANDOM"; (exec env -i /bin/bash -c "echo r \$SRANDOM")'

# What nobody can count is said, and what the command itself is counted, a script's interpreter as well.
gcc -static -O1 -o answer_static "$programs/answer.c" || fail "cannot link statically"
gcc -O1 -o answer "$programs/answer.c" || fail "cannot compile"
printf '#! %s/answer_static with words\n' "$work" >script
printf '#!%s/script' "$work" >script_of_script
printf '#!%s/answer\n' "$work" >dynamic_script
chmod +x script script_of_script dynamic_script

# named N COMMAND
named() {
    limited "$detrun" --seed 7 --no-supervisor -v --summary summary.json -- "$2" >/dev/null 2>log/named </dev/null
    grep -q 'without supervisor answers are not counted, nor programs' log/named || fail "-v: $(cat log/named)"
    grep -q "\"images_without_shim\": {.*\"count\": $1}" summary.json || fail "$2: not $1: $(cat log/named)"
}
for name in ./answer_static ./script ./script_of_script; do
    named 1 $name
    grep -q 'not controlled images_without_shim: 1' log/named || fail "-v: $(cat log/named)"
done
PATH=$work:$PATH named 1 answer_static
for name in ./answer ./dynamic_script sh nonexistent; do
    named 0 $name
done

limited "$detrun" --seed 7 --no-supervisor --strict -- true 2>log/strict
[ $? = 125 ] || fail "--strict without a supervisor does not say what is open: $(cat log/strict)"
exit 0
