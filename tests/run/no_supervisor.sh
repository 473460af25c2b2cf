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

limited "$detrun" --seed 7 --no-supervisor --strict -- true 2>log/strict
[ $? = 125 ] || fail "--strict without a supervisor does not say what is open: $(cat log/strict)"
exit 0
