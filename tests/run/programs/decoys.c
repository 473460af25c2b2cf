/* SPDX-License-Identifier: MIT */
/* Bytes that look like rdtsc or rdrand and are none, or that may not be replaced: prints a digest
 * of the program's own code around them, and what the code gives. Equal natively and under detrun.
 */
#include <stdint.h>
#include <stdio.h>

#define FUNCTION(name, body)                                                                       \
    uint64_t name(uint64_t argument);                                                              \
    __asm__(".text\n.p2align 4\n.globl " #name "\n.type " #name ", @function\n" #name              \
            ":\n.cfi_startproc\n" body "\n.cfi_endproc\n.size " #name ", . - " #name "\n")

/* In an immediate, in a displacement, in an address. */
FUNCTION(immediate, "movl $0x310f, %eax\nret");
FUNCTION(displacement, "leaq 0x310f(%rdi), %rax\nret");
FUNCTION(long_immediate, "movabsq $0xf0c70f310f, %rax\nret");
/* Data between functions, with no function around it. */
__asm__(".text\ndecoy_data:\n.byte "
        "0x0f,0x31,0x90,0x0f,0xc7,0xf0,0x0f,0x01,0xf9,0x0f,0x31,0x48,0xc1,0xe2,0x20\n");
/* Data within a function, behind its end; and a function that no decoder follows. */
FUNCTION(with_data, "movq decoy_inner(%rip), %rax\nret\ndecoy_inner: .byte "
                    "0x0f,0x31,0x0f,0x31,0x0f,0x31,0x06,0x06");
/* A jump to the very instruction behind: rdtsc is never reached, and what is jumped to must be as
 * it was. The function behind it is called by address. */
FUNCTION(entered, "testq %rdi, %rdi\njne 1f\nrdtsc\n1: leaq 1(%rdi), %rax\naddq $1, %rax\nret");
/* The same from a part that stands elsewhere. */
FUNCTION(entered_from_afar, "testq %rdi, %rdi\njne far_part\nrdtsc\nback: leaq 2(%rdi), %rax\nret");
FUNCTION(far_part, ".skip 200, 0x90\njmp back");
/* By a table. */
FUNCTION(by_table,
         "leaq table(%rip), %rax\nmovslq (%rax,%rdi,4), %rcx\naddq %rcx, %rax\njmp *%rax\n"
         "case0: rdtsc\ncase1: leaq 3(%rdi), %rax\nret\n"
         ".section .rodata\n.p2align 2\ntable: .long case0 - table, case1 - table\n.text");

extern const uint8_t decoy_data[15];

static uint64_t digest(const void *start, unsigned size)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (unsigned i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)start)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

int main(void)
{
    printf("%llx %llx %llx\n", (unsigned long long)immediate(0),
           (unsigned long long)displacement(1), (unsigned long long)long_immediate(0));
    printf("%llx %llu %llu %llu\n", (unsigned long long)with_data(0),
           (unsigned long long)entered(5), (unsigned long long)entered_from_afar(5),
           (unsigned long long)by_table(1));
    printf("%llx %llx %llx %llx %llx\n", (unsigned long long)digest((void *)immediate, 6),
           (unsigned long long)digest((void *)displacement, 8),
           (unsigned long long)digest((void *)long_immediate, 11),
           (unsigned long long)digest((void *)with_data, 16),
           (unsigned long long)digest(decoy_data, sizeof(decoy_data)));
    return 0;
}
