#!/bin/bash
# SPDX-License-Identifier: MIT
# library.sh SHARED STATIC: both libraries show the functions of detrun.h, and no name besides.
. "$(dirname "$0")/lib.sh"

declared() {
    sed 's/(.*//' include/detrun.h | grep -oE '\bdetrun_[a-z0-9_]+$' |
        grep -v -x -f <(grep -oE '(struct|enum) detrun_[a-z_]+' include/detrun.h | cut -d' ' -f2) | sort -u
}
defined() {
    nm "$@" | awk 'NF == 3 && $2 ~ /[A-Z]/ && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u
}
[ "$(declared | wc -l)" -gt 30 ] || fail "detrun.h: functions not found"
equal_lists <(declared) <(defined -D --defined-only "$1") "names in $1"
equal_lists <(declared) <(defined -g --defined-only "$2") "names in $2"
exit 0
