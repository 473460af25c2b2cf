/* SPDX-License-Identifier: MIT */
/* deny WHAT[=ENOSYS] COMMAND...: runs it where those system calls are refused (EPERM, or ENOSYS),
 * as containers do. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANY 0xffffffffU

/* Refused where a bit of the mask is set in the argument and its value fits. */
static const struct rule {
    const char *what;
    unsigned number;
    unsigned argument;
    unsigned mask; /* 0: whatever the arguments are */
    unsigned value;
} rules[] = {
    {"seccomp", SYS_seccomp, 0, 0, 0},
    {"seccomp", SYS_prctl, 0, ANY, PR_SET_SECCOMP},
    {"personality", SYS_personality, 0, 0, 0},
    {"ptrace", SYS_ptrace, 0, 0, 0},
    {"process_vm", SYS_process_vm_readv, 0, 0, 0},
    {"process_vm", SYS_process_vm_writev, 0, 0, 0},
    {"memfd", SYS_memfd_create, 0, 0, 0},
    {"exec_memory", SYS_mprotect, 2, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC},
};

/* Like Docker's: what the profile has no name for. */
#define FIRST_UNKNOWN 500

static size_t add_rule(struct sock_filter *code, const struct rule *rule, unsigned refusal)
{
    const struct sock_filter block[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule->number, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 (unsigned)offsetof(struct seccomp_data, args) + 8 * rule->argument),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule->mask),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, rule->value, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, refusal),
    };
    memcpy(code, block, sizeof block);
    return sizeof block / sizeof *block;
}

static size_t add_unknown(struct sock_filter *code, unsigned refusal)
{
    const struct sock_filter block[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, FIRST_UNKNOWN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, refusal),
    };
    memcpy(code, block, sizeof block);
    return sizeof block / sizeof *block;
}

static int is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static int deny(const char *what)
{
    struct sock_filter code[64];
    size_t length = strcspn(what, "=");
    unsigned refusal = SECCOMP_RET_ERRNO | (what[length] ? ENOSYS : EPERM);
    size_t n = is_word(what, length, "unknown") ? add_unknown(code, refusal) : 0;

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_word(what, length, rules[i].what))
            n += add_rule(code + n, &rules[i], refusal);
    if (n == 0)
        return -1;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)n, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    if (deny(argv[1]) != 0) {
        perror("deny");
        return 77;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
