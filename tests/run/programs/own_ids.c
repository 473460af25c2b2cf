/* SPDX-License-Identifier: MIT */
/*
 * own_ids: behind a filter of browsers' kind, which lets a program ask for itself alone: by 0, by
 * its pid, and by a thread's own id, which a handler of SIGSYS makes 0. It minds a call of
 * detrun's.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>

static void on_sigsys(int signal, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    long result = -EPERM;
    if (registers[REG_RDI] == syscall(SYS_gettid))
        result = syscall(info->si_syscall, 0, registers[REG_RSI], registers[REG_RDX]);
    registers[REG_RAX] = result;
    (void)signal;
}

static int confine(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 8, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_getaffinity, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_getparam, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_getscheduler, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    struct sigaction action = {.sa_sigaction = on_sigsys, .sa_flags = SA_SIGINFO | SA_NODEFER};
    return sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0;
}

static void tell(const char *what, int error)
{
    printf("%s: %s\n", what, strerror(error));
}

static void *ask(void *unused)
{
    pthread_attr_t attributes;
    cpu_set_t set;
    struct sched_param param;
    int policy;
    tell("attributes", pthread_getattr_np(pthread_self(), &attributes));
    tell("affinity", pthread_getaffinity_np(pthread_self(), sizeof set, &set));
    tell("schedule", pthread_getschedparam(pthread_self(), &policy, &param));
    tell("affinity by id", sched_getaffinity(gettid(), sizeof set, &set) ? errno : 0);
    tell("parameters by id", sched_getparam(gettid(), &param) ? errno : 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (confine() != 0)
        return 77;
    ask(NULL);
    if (pthread_create(&thread, NULL, ask, NULL) != 0 || pthread_join(thread, NULL) != 0)
        return 1;
    return 0;
}
