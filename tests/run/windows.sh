#!/bin/bash
# SPDX-License-Identifier: MIT
# windows.sh LIST_WINDOWS few|all: objdump agrees with what the shim takes for an instruction, and
# for its length, in programs and libraries of this machine; and most of them are found.
. "$(dirname "$0")/lib.sh"
need objdump gcc g++
list=$1 which=$2
libraries=$(dirname "$(realpath "$(gcc -print-file-name=libstdc++.so.6)")")
set -- "$libraries"/libstdc++.so.6 "$libraries"/libcrypto.so.3
[ "$which" != all ] || set -- /usr/bin/* "$libraries"/*.so*

# What stands alone is no instruction for either: a prefix, or fwait in front of an x87 one.
lengths() {
    grep -P '^ +[0-9a-f]+:\t' | cut -f 2,3 | grep -v -e '(bad)' -e 'rex' -e '^9b ' -e '\.byte' |
        cut -f 1 | "$list" -l
}

sites=0 found=0 files=0
for file in $(realpath -e -q "$@" | sort -u); do
    [ -f "$file" ] || continue
    [ "$(stat -c %s "$file")" -lt 20000000 ] || continue
    [ "$(od -A n -t x1 -N 5 "$file" | tr -d ' ')" = 7f454c4602 ] || continue
    objdump -d -w --insn-width=16 "$file" >dump 2>/dev/null || continue
    files=$((files + 1))
    # Objects with data between the instructions make objdump say instructions that are none.
    lengths <dump >wrong
    [ "$(wc -l <wrong)" -le $(($(wc -l <dump) / 500)) ] || fail "$file: $(wc -l <wrong) lengths: $(head -n 3 wrong)"
    grep -P '\t(rdtscp?|rdrand|rdseed)( |$)' dump | sed 's/^ *\([0-9a-f]*\):.*/\1/' | sort >there
    "$list" "$file" | cut -d ' ' -f 1 | sort >windows
    extra=$(comm -13 there windows)
    [ -z "$extra" ] || fail "$file: objdump sees no such instruction at: $extra"
    sites=$((sites + $(wc -l <there)))
    found=$((found + $(wc -l <windows)))
done
echo "$files files, $sites instructions, $found replaced"
[ "$files" -gt 0 ] || skip "no such file here"
[ "$found" -gt $((sites / 2)) ] || fail "$found of $sites"
