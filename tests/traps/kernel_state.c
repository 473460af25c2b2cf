/* SPDX-License-Identifier: MIT */
/* What the kernel keeps for a process besides: seccomp filters, no_new_privs, its dumpable
 * flag, its name. None of it is in the program's way. */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "trap.h"

/* Off, or a filter of whoever started us; a filter of one's own can be added either way. */
static void own_filter(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdir, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXDEV),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = 4, .filter = code};
    int mode = prctl(PR_GET_SECCOMP, 0, 0, 0, 0);
    CHECK(mode == SECCOMP_MODE_DISABLED || mode == SECCOMP_MODE_FILTER);
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
          prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
    CHECK(prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER);
    CHECK(syscall(SYS_mkdir, "x", 0700) == -1 && errno == EXDEV);
    random_block();
    CHECK(time(NULL) > 0 && getpid() > 0);
    pid_t pid = fork();
    if (pid == 0)
        _exit(syscall(SYS_mkdir, "x", 0700) == -1 && errno == EXDEV && time(NULL) > 0 ? 3 : 4);
    child_exits(pid, 3);
}

static volatile sig_atomic_t trapped;

static void on_sys(int number, siginfo_t *info, void *context)
{
    CHECK(context && number == SIGSYS && info->si_syscall == SYS_rmdir);
    trapped++;
}

/* A trap of one's own outranks all others. */
static void own_trap(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rmdir, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = 4, .filter = code};
    struct sigaction action = {.sa_sigaction = on_sys, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGSYS, &action, NULL) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0);
    syscall(SYS_rmdir, "x");
    CHECK(trapped == 1);
    random_block();
    CHECK(clock_ns(CLOCK_MONOTONIC) > 0 && trapped == 1);
}

static void in_a_child(void (*body)(void))
{
    pid_t pid = fork();
    if (pid == 0) {
        body();
        _exit(0);
    }
    child_exits(pid, 0);
}

/* Who cannot be read by others asks on. */
static void not_dumpable(void)
{
    struct block blocks[2];
    CHECK(prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0);
    blocks[0] = random_block();
    CHECK(by(BY_INSTRUCTION, SYS_getrandom, (long)&blocks[1], 16, 0) == 16);
    check_distinct(blocks, 2);
    CHECK(time(NULL) > 0 && getpid() > 0);
}

static void name(void)
{
    char text[17] = "";
    CHECK(prctl(PR_SET_NAME, "renamed", 0, 0, 0) == 0);
    CHECK(prctl(PR_GET_NAME, text, 0, 0, 0) == 0 && strcmp(text, "renamed") == 0);
    CHECK(time(NULL) > 0);
}

int main(void)
{
    in_a_child(own_filter);
    in_a_child(own_trap);
    in_a_child(not_dumpable);
    in_a_child(name);
    return guest_end();
}
