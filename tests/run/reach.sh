#!/bin/bash
# SPDX-License-Identifier: MIT
# reach.sh WAY: however a program is started, by a program with the shim or by a static one, with
# an environment or without, it is answered.
. "$(dirname "$0")/lib.sh"

compile answer
gcc -static -O1 -o answer_static "$programs/answer.c" || fail "cannot link statically"
compile reach
gcc -static -O1 -o reach_static "$programs/reach.c" 2>/dev/null || fail "cannot link statically"

# Every mix of a starter and a started one that the way has.
everywhere() {
    local starter program
    for starter in ./reach ./reach_static; do
        for program in ./answer ./answer_static; do
            deterministic "$starter" "$1" "$program"
        done
    done
}

reach_env_i() {
    deterministic env -i ./answer
    deterministic env -i ./answer_static
    deterministic env -i PATH=/usr/bin:/bin sh -c './answer; env -i ./answer'
    capture empty under 7 env -i /usr/bin/env
    # What detrun puts back, and nothing else.
    grep -vE '^(E2E_|DETRUN_|LD_PRELOAD=|OPENSSL_ia32cap=|ASAN_OPTIONS=|status 0$)' log/empty &&
        fail "env -i is not empty"
    return 0
}

reach_script() {
    printf '#!/bin/sh\n./answer; echo "r $$"\n' >script
    chmod +x script
    deterministic ./script
    deterministic env -i ./script
}

# A script that names itself.
reach_script_self() {
    printf '#!/bin/sh\n[ "${1:-3}" -gt 0 ] || exec ./answer\nexec "$0" $((${1:-3} - 1))\n' >script
    chmod +x script
    deterministic ./script
}

case $1 in
env_i | script | script_self) "reach_$1" ;;
*) everywhere "$1" ;;
esac
