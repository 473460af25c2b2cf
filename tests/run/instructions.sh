#!/bin/bash
# SPDX-License-Identifier: MIT
# rdtsc, rdtscp, rdrand and rdseed in a program and in a library that it loads, as compilers make them
# at each level, and one by one with every register.
. "$(dirname "$0")/lib.sh"
need gcc
flags="-mrdrnd -mrdseed"
# shellcheck disable=SC2086 # words
build() {
    gcc $1 -fPIC -shared $flags "$programs/instructions_library.c" -o library.so &&
        gcc $1 $flags "$programs/instructions.c" -o instructions -ldl
}

build -O0 || fail "gcc -O0"
capture native limited ./instructions
[ "$(tail -n 1 log/native)" = "status 0" ] || skip "not all of them are on this processor"

for level in -O0 -O1 -O2 -O3 -Os "-O2 -no-pie -fno-pie" "-O2 -Wl,--build-id=none"; do
    build "$level" || fail "gcc $level"
    native_differs ./instructions ./library.so
    same_output "$rounds" ./instructions ./library.so
    differs_by_seed ./instructions ./library.so
    ! grep -h BAD log/native.1 log/same.1 || fail "$level"
    sed '$d' log/same.1 >"answers.$level"
done
# Every one is answered, or they would differ.
for level in -O1 -O2 -O3 -Os; do
    cmp -s "answers.-O0" "answers.$level" || fail "$level: other answers than -O0"
done

# What is known of code is kept for other jobs; of another version, or cut, it is as if it were not.
cache=$HOME/.cache/detrun/code
[ -s "$cache" ] || fail "$cache is not there"
build -O2
capture before under 7 ./instructions ./library.so
for damage in "truncate -s 30" "truncate -s -1" "sed -i s/./X/"; do
    $damage "$cache"
    capture after under 7 ./instructions ./library.so
    same before after "with the cache after $damage"
done

# Without a build id it is kept by file: two of one name and size are two.
head -c 300000 /dev/zero | od -v -A n -t x1 | sed 's/ / 0x/g; s/ 0x/,0x/2g; s/^/.byte/' >filler.s
for other in 0 1; do
    # shellcheck disable=SC2086 # words
    gcc -O2 $flags -Wl,--build-id=none -Wa,--defsym,other=$other -x assembler-with-cpp - -o unkeyed <<'E' || fail "unkeyed"
        .text
        .globl main
        .type main, @function
main:   .cfi_startproc
        subq $8, %rsp
        .cfi_def_cfa_offset 16
        .if other
        movl $0x310f, %eax
        nop
        .else
        rdtsc
        shl $32, %rdx
        .endif
        leaq format(%rip), %rdi
        movl %eax, %esi
        xorl %eax, %eax
        call printf@PLT
        xorl %eax, %eax
        addq $8, %rsp
        .cfi_def_cfa_offset 8
        ret
        .cfi_endproc
        .size main, . - main
        .include "filler.s"
        .section .rodata
format: .string "%u\n"
        .section .note.GNU-stack, "", @progbits
E
    same_output "$rounds" ./unkeyed
done
[ "$(head -n 1 log/same.1)" = $((0x310f)) ] || fail "other code under the same name: $(cat log/same.1)"

capture real.1 limited "$detrun" --seed 7 --real tsc,rdrand -- ./instructions ./library.so
capture real.2 limited "$detrun" --seed 7 --real tsc,rdrand -- ./instructions ./library.so
ok real.1
! cmp -s log/real.1 log/real.2 || fail "--real tsc,rdrand: still answered"

# Without a supervisor too.
alone() {
    E2E_DETERMINISTIC=1 E2E_SEED=7 LD_PRELOAD=$preload limited setarch -R ./instructions ./library.so
}
capture alone.1 alone
capture alone.2 alone
same alone.1 alone.2 "the shim alone"
