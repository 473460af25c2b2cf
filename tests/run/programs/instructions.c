/* SPDX-License-Identifier: MIT */
/* rdtsc, rdtscp, rdrand and rdseed: what they give, and that nothing else changes: registers,
 * flags, vector registers, the red zone. Everything printed comes from them; complaints begin with
 * BAD. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <x86intrin.h>

/* 0 to 15 are rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15, 16 the flags, 17 what was in the red
 * zone. */
uint64_t after[18];
uint64_t vectors[32];
uint64_t kept[2];

#define PATTERN(n) (UINT64_C(0x0101010101010101) * (n) + UINT64_C(0xa5a5000000000000))

#define SET(n, name) "movabsq $0x0101010101010101*" #n "+0xa5a5000000000000, %" name "\n"
#define GET(n, name) "movq %" name ", after+8*" #n "(%rip)\n"
#define VSET(n)                                                                                    \
    "movq vectors+16*" #n "(%rip), %xmm" #n "\nmovhps vectors+16*" #n "+8(%rip), %xmm" #n "\n"
#define VGET(n) "movups %xmm" #n ", vectors+16*" #n "(%rip)\n"
/* clang-format off */
#define ALL(X)                                                                                     \
    X(0, "rax") X(1, "rcx") X(2, "rdx") X(3, "rbx") X(5, "rbp") X(6, "rsi") X(7, "rdi") X(8, "r8") \
    X(9, "r9") X(10, "r10") X(11, "r11") X(12, "r12") X(13, "r13") X(14, "r14") X(15, "r15")
/* clang-format on */
#define ALL_VECTORS(X)                                                                             \
    X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

/* A function that fills all registers, executes one instruction and keeps what it finds then. */
#define PROBE(name, instruction)                                                                   \
    void name(void);                                                                               \
    __asm__(                                                                                       \
        ".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n.cfi_startproc\n"        \
        "pushq %rbx; pushq %rbp; pushq %r12; pushq %r13; pushq %r14; pushq %r15\n"                 \
        "movq %rsp, kept(%rip)\n" ALL_VECTORS(VSET)                                                \
            ALL(SET) "movq %rcx, -16(%rsp)\nstc\n" instruction "\n" ALL(GET) ALL_VECTORS(          \
                VGET) "movq -16(%rsp), %rax\nmovq %rax, after+8*17(%rip)\n"                        \
                      "movq %rsp, after+8*4(%rip)\npushfq\npopq %rax\nmovq %rax, "                 \
                      "after+8*16(%rip)\n"                                                         \
                      "popq %r15; popq %r14; popq %r13; popq %r12; popq %rbp; popq %rbx\nret\n"    \
                      ".cfi_endproc\n.size " #name ", . - " #name "\n")

PROBE(probe_rdtsc, "rdtsc");
PROBE(probe_rdtscp, "rdtscp");
#define RANDOM(n, wide, half, word)                                                                \
    PROBE(rdrand64_##n, "rdrand %" wide);                                                          \
    PROBE(rdrand32_##n, "rdrand %" half);                                                          \
    PROBE(rdrand16_##n, "rdrand %" word);                                                          \
    PROBE(rdseed64_##n, "rdseed %" wide);
/* clang-format off */
#define REGISTERS                                                                                  \
    R(0, "rax", "eax", "ax") R(1, "rcx", "ecx", "cx") R(2, "rdx", "edx", "dx")                     \
    R(3, "rbx", "ebx", "bx") R(5, "rbp", "ebp", "bp") R(6, "rsi", "esi", "si")                     \
    R(7, "rdi", "edi", "di") R(8, "r8", "r8d", "r8w") R(9, "r9", "r9d", "r9w")                     \
    R(10, "r10", "r10d", "r10w") R(11, "r11", "r11d", "r11w") R(12, "r12", "r12d", "r12w")         \
    R(13, "r13", "r13d", "r13w") R(14, "r14", "r14d", "r14w") R(15, "r15", "r15d", "r15w")
/* clang-format on */
#define R RANDOM
REGISTERS
#undef R

#define CARRY      1
#define ARITHMETIC 0x8d5 /* CF PF AF ZF SF OF */

static void bad(const char *what, int n)
{
    printf("BAD %s %d\n", what, n);
}

/* mask: bit per register that may have changed */
static void run(void (*probe)(void), unsigned mask)
{
    for (int i = 0; i < 32; i++)
        vectors[i] = PATTERN(100 + i);
    memset(after, 0, sizeof(after));
    probe();
    for (int i = 0; i < 16; i++)
        if (i != 4 && !(mask >> i & 1) && after[i] != PATTERN(i))
            bad("register", i);
    for (int i = 0; i < 32; i++)
        if (vectors[i] != PATTERN(100 + i))
            bad("vector", i);
    if (after[4] != kept[0])
        bad("stack", 0);
    if (after[17] != PATTERN(1))
        bad("red zone", 0);
    if (!(after[16] & CARRY))
        bad("carry", 0);
}

static void run_random(void (*probe)(void), int n, unsigned width)
{
    run(probe, 1U << n);
    uint64_t value = after[n];
    if ((after[16] & ARITHMETIC) != CARRY)
        bad("flags", n);
    if (width == 16 && value >> 16 != PATTERN(n) >> 16)
        bad("upper bits", n);
    if (width == 32 && value >> 32 != 0)
        bad("upper half", n);
    printf("r %d %u %llx\n", n, width, (unsigned long long)(width == 16 ? value & 0xffff : value));
}

static void probe_all(void)
{
    run(probe_rdtsc, 1U << 0 | 1U << 2);
    printf("r tsc %llu\n", (unsigned long long)(after[2] << 32 | after[0]));
    if (after[0] >> 32 || after[2] >> 32)
        bad("halves", 0);
    run(probe_rdtscp, 1U << 0 | 1U << 1 | 1U << 2);
    printf("r tscp %llu %u\n", (unsigned long long)(after[2] << 32 | after[0]),
           (unsigned)after[1] >> 12);
#define R(n, wide, half, word)                                                                     \
    run_random(rdrand64_##n, n, 64);                                                               \
    run_random(rdrand32_##n, n, 32);                                                               \
    run_random(rdrand16_##n, n, 16);                                                               \
    run_random(rdseed64_##n, n, 64);
    REGISTERS
}

/* As compilers make it. */
static void use_intrinsics(void)
{
    unsigned aux;
    unsigned word;
    unsigned long long wide;
    unsigned short brief;
    unsigned long long first = __rdtsc();
    unsigned long long then = __rdtscp(&aux);
    int good = _rdrand32_step(&word) & _rdrand64_step(&wide) & _rdrand16_step(&brief);
    printf("r compiled %llu\nr random %u %llx %x\n", first, word, wide, brief);
    if (then < first || !good)
        bad("intrinsics", good);
    while (!_rdseed64_step(&wide))
        ;
    printf("r seed %llx\n", wide);
}

/* Loaded later, and another time after that. */
static void use_library(const char *path)
{
    for (int i = 0; path && i < 2; i++) {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        unsigned long long (*draw)(void) = NULL;
        if (library)
            *(void **)&draw = dlsym(library, "draw");
        if (!draw)
            bad(dlerror(), i);
        else
            printf("r library %llx\n", draw());
        if (library)
            dlclose(library);
    }
}

int main(int argc, char **argv)
{
    probe_all();
    use_intrinsics();
    use_library(argc > 1 ? argv[1] : NULL);
    return 0;
}
