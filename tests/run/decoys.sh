#!/bin/bash
# SPDX-License-Identifier: MIT
# Bytes that look like an instruction to be answered, in data and within others, stay as they are, and
# code that is jumped into between two instructions works.
. "$(dirname "$0")/lib.sh"
need gcc
for level in -O0 -O2 "-O2 -no-pie"; do
    # shellcheck disable=SC2086 # words
    gcc $level "$programs/decoys.c" -o decoys || fail "gcc $level"
    capture native limited ./decoys
    ok native
    capture under under 7 ./decoys
    same native under "$level: natively and under detrun"
done
