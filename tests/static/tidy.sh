#!/bin/bash
# SPDX-License-Identifier: MIT
# clang-tidy finds nothing in launcher, shim and core. DETRUN_ROUNDS of ten or more adds the
# analyzer, which takes minutes.
. "$(dirname "$0")/lib.sh"
need clang-tidy ninja

folder=${BUILD:?}/tests/tidy
mkdir -p "$folder"
ninja -C "$BUILD" -t compdb >"$folder/compile_commands.json" || fail "no compile commands"
checks=(--checks=-clang-analyzer-*)
[ "${DETRUN_ROUNDS:-3}" -lt 10 ] || checks=()
project_files 'shim/*.c' 'launcher/*.c' |
    xargs -r -n 4 -P 2 clang-tidy --quiet -p "$folder" --warnings-as-errors='*' "${checks[@]}" \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument \
        >"$folder/log" 2>/dev/null
status=$?
grep -E '(warning|error):' "$folder/log" | sort -u | head -n 40
[ $status = 0 ] || fail "clang-tidy"
