#!/bin/bash
# SPDX-License-Identifier: MIT
# neighbours.sh TOOL: tools that preload a library of their own do in a job what they do natively.
. "$(dirname "$0")/lib.sh"

# The library a command finds last in LD_PRELOAD, in front of detrun and inside.
ours_is_last() {
    # shellcheck disable=SC2016 # for the inner shell
    limited "$@" sh -c 'echo "$LD_PRELOAD"' >log/list
    grep -q "[^:]:$preload\$" log/list || fail "$*: LD_PRELOAD is $(cat log/list)"
}

both_ways() {
    ours_is_last "$@" "$detrun" --seed 7 --
    ours_is_last "$detrun" --seed 7 -- "$@"
}

tool_faketime() {
    need faketime
    both_ways faketime '2020-01-01 00:00:00'
    # What it tells is its own; what goes past it is the job's.
    same_output 3 faketime -f '2020-01-01 00:00:00' date
    grep -q 2020 log/same.1 || fail "$(cat log/same.1)"
    same_output 3 faketime -f -10d sh -c 'date; uuidgen'
    grep -q '^Sun Dec 22 00:00:00' log/same.1 || fail "$(cat log/same.1)"
}

tool_eatmydata() {
    need eatmydata
    both_ways eatmydata
    deterministic eatmydata sh -c 'echo "r $(uuidgen)"; date; sync'
}

tool_stdbuf() {
    need stdbuf
    both_ways stdbuf -oL
    deterministic stdbuf -oL sh -c 'echo "r $(uuidgen)"; date | cat'
}

tool_fakeroot() {
    need fakeroot
    cat >owner <<'SH'
touch file && chown 5:6 file && stat -c '%u:%g' file && id -u && echo "r $(uuidgen)"
SH
    deterministic fakeroot sh owner
    grep -q '^5:6$' log/1.a || fail "fakeroot fakes nothing: $(cat log/1.a)"
}

rounds=1
"tool_$1"
exit 0
