#!/bin/bash
# SPDX-License-Identifier: MIT
# A 32-bit program runs as natively: nothing of detrun's on its standard error, whoever starts it,
# and what it starts is answered.
. "$(dirname "$0")/lib.sh"
need as ld
[ -e /lib/ld-linux.so.2 ] || skip "no dynamic linker of 32-bit programs is here"

# Writes to both outputs, then runs its first argument, if there is one.
cat >foreign.s <<'E2'
    .globl _start
_start:
    movl %esp, %ebp
    movl $1, %ebx
    call say
    movl $2, %ebx
    call say
    movl 8(%ebp), %ebx
    testl %ebx, %ebx
    jz done
    leal 8(%ebp), %ecx
    movl (%ebp), %eax
    leal 8(%ebp,%eax,4), %edx
    movl $11, %eax
    int $0x80
done:
    movl $5, %ebx
    movl $1, %eax
    int $0x80
say:
    call here
here:
    popl %ecx
    addl $(text - here), %ecx
    movl $3, %edx
    movl $4, %eax
    int $0x80
    ret
text:
    .ascii "32\n"
    .section .note.GNU-stack, "", @progbits
E2
as --32 -o foreign.o foreign.s || skip "cannot assemble a 32-bit program"
ld -m elf_i386 -pie -dynamic-linker /lib/ld-linux.so.2 -o foreign foreign.o ||
    skip "cannot link a 32-bit program"
limited ./foreign >/dev/null 2>&1
[ $? = 5 ] || skip "32-bit programs do not run here"
compile answer
gcc -static -O1 -o reach_static "$programs/reach.c" || fail "cannot link statically"
compile reach

# as_natively COMMAND...
as_natively() {
    capture native limited "$@"
    capture detrun under 7 "$@"
    same native detrun "natively and under detrun: $*"
    capture alone limited "$detrun" --seed 7 -q --no-supervisor -- "$@"
    same native alone "natively and without supervisor: $*"
}

as_natively ./foreign
as_natively sh -c './foreign; echo $?; ./foreign; exec ./foreign'
as_natively env -i ./foreign
for way in empty_environment system popen spawn vfork; do
    as_natively ./reach $way ./foreign
    as_natively ./reach_static $way ./foreign
done

# A 64-bit program that a 32-bit one started.
deterministic ./foreign ./answer
limited "$detrun" --seed 7 --summary summary.json -q -- ./foreign >/dev/null 2>&1
grep -q '"images_of_another_architecture": {"source": "env", "count": [1-9]' summary.json || fail "not counted: $(cat summary.json)"
exit 0
