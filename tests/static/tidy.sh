#!/bin/bash
# SPDX-License-Identifier: MIT
# clang-tidy and its analyzer find nothing in launcher, library, tools, shim and core.
. "$(dirname "$0")/lib.sh"
need clang-tidy ninja

folder=${BUILD:?}/tests/tidy
mkdir -p "$folder"
# clang knows most of the options that gcc was given. Of the launcher's files, which are compiled for
# unit tests as well, once is enough.
ninja -C "$BUILD" -t compdb |
    sed -e '/^  {$/{N;N;N;N;N;/-specs=/{/main\.c/!d}}' \
        -e 's/ -fno-tree-loop-distribute-patterns//g; s/ -specs=[^ ]*//g' >"$folder/compile_commands.json"
[ -s "$folder/compile_commands.json" ] || fail "no compile commands"
# Not asked: functions of C11's annex K, which glibc does not have; leaks, since this version does not
# know cleanup attributes; parentheses in macros that paste the table's rows; products of small
# constants; terminators of text that is copied with its length; values that the kernel writes, which
# inline assembly does not show; texts of several lines in a list; argument lists, whose start is not
# seen through glibc's header; what a child of vfork does in its parent's memory, which POSIX does not
# allow and Linux does.
checks='-clang-analyzer-security.insecureAPI.*,-clang-analyzer-unix.Malloc'
checks=$checks,-bugprone-macro-parentheses,-bugprone-implicit-widening-of-multiplication-result
checks=$checks,-bugprone-not-null-terminated-result,-bugprone-suspicious-missing-comma
checks=$checks,-clang-analyzer-core.UndefinedBinaryOperatorResult,-clang-analyzer-valist.Uninitialized
checks=$checks,-clang-analyzer-unix.Vfork
project_files 'shim/*.c' 'launcher/*.c' 'lib/*.c' 'tools/*.c' |
    xargs -r -n 3 -P 2 clang-tidy --quiet -p "$folder" --warnings-as-errors='*' --checks="$checks" \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-ignored-optimization-argument \
        >"$folder/log" 2>/dev/null
status=$?
grep -E '(warning|error):' "$folder/log" | sort -u | head -n 40
[ $status = 0 ] || fail "clang-tidy"
