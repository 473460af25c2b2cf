/* SPDX-License-Identifier: MIT */
/*
 * By ptrace(2): the thread, which has asked for what is the first thing in every image, is let
 * through, and stopped on its way back. There its registers are set so that it makes other calls by
 * the same instruction. The last one is exec, from which it does not come back.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "tracee.h"
#include "unfollow.h"

#define STOPS_AT_MOST 16
#define AT_CALL       (SIGTRAP | 0x80) /* PTRACE_O_TRACESYSGOOD */
#define SYSCALL_SIZE  2
#define SYSCALL_CODE  0x050f

static int32_t tid_of(const struct unfollow_again *again)
{
    return (int32_t)again->q->request->pid;
}

static long answer(struct unfollow_again *again)
{
    struct seccomp_notif_resp response = {.id = again->q->request->id,
                                          .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
    again->answered = true;
    return ioctl(again->q->s->listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

/* Signals that come meanwhile do what they do: nothing has a handler yet.
 * @return 0 or -errno */
static int await(int32_t tid, int event, int signal_number, struct tracee_stop *stop)
{
    for (int i = 0; i < STOPS_AT_MOST; i++) {
        int error = tracee_await(tid, stop);
        if (error || (stop->event == event && (event || stop->signal_number == signal_number)) ||
            stop->event == PTRACE_EVENT_EXEC)
            return error;
        long passed = stop->event || stop->signal_number == AT_CALL ? 0 : stop->signal_number;
        if (ptrace(event ? PTRACE_CONT : PTRACE_SYSCALL, tid, 0, passed) != 0)
            return -errno;
    }
    return -EBUSY;
}

/* @return what the call returned, 0 for an exec that succeeded */
static long call(int32_t tid, struct user_regs_struct regs, long number, const uint64_t args[3])
{
    struct tracee_stop stop = {0, 0};
    regs.rip -= SYSCALL_SIZE;
    regs.orig_rax = ~0ULL; /* the interrupted call is not to be repeated */
    regs.rax = (unsigned long long)number;
    regs.rdi = args[0];
    regs.rsi = args[1];
    regs.rdx = args[2];
    if (ptrace(PTRACE_SETREGS, tid, 0, &regs) != 0)
        return -errno;
    for (int i = 0; i < 2; i++) { /* at its beginning and its end */
        if (ptrace(PTRACE_SYSCALL, tid, 0, 0) != 0)
            return -errno;
        int error = await(tid, 0, AT_CALL, &stop);
        if (error || stop.event == PTRACE_EVENT_EXEC)
            return error;
    }
    return ptrace(PTRACE_GETREGS, tid, 0, &regs) == 0 ? (long)regs.rax : -errno;
}

/* Of a program that goes on after all: libc finds what lies behind its environment by its end. */
static void put_environment_back(const struct unfollow_again *again)
{
    for (unsigned i = 0; i < again->stack.count; i++)
        ptrace(PTRACE_POKEDATA, tid_of(again), again->stack.envp + 8 * i, again->stack.words[i]);
}

static bool is_behind_call(int32_t tid, const struct user_regs_struct *regs)
{
    errno = 0;
    long code = ptrace(PTRACE_PEEKTEXT, tid, regs->rip - SYSCALL_SIZE, 0);
    return errno == 0 && (code & 0xffff) == SYSCALL_CODE;
}

static void execute(struct unfollow_again *again)
{
    int32_t tid = tid_of(again);
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, tid, 0, &regs) != 0)
        return;
    bool ready = is_behind_call(tid, &regs) &&
                 call(tid, regs, SYS_personality, (uint64_t[3]){again->personality, 0, 0}) >= 0;
    again->done = ready && call(tid, regs, SYS_execve,
                                (uint64_t[3]){again->path, again->argv, again->stack.envp}) == 0;
    if (!again->done) {
        put_environment_back(again);
        ptrace(PTRACE_SETREGS, tid, 0, &regs);
    }
    ptrace(PTRACE_DETACH, tid, 0, 0);
}

static int hold(void *of)
{
    struct unfollow_again *again = of;
    struct tracee_stop stop = {0, 0};
    int32_t tid = tid_of(again);
    if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC) != 0)
        return 0;
    if (unfollow_clean(again->q, &again->stack) != 0)
        return 0;
    ptrace(PTRACE_INTERRUPT, tid, 0, 0);
    unfollow_mark(again->q->process);
    if (answer(again) == 0 && await(tid, PTRACE_EVENT_STOP, 0, &stop) == 0)
        execute(again);
    return 0;
}

void unfollow_exec(struct unfollow_again *again)
{
    tracee_hold(hold, again);
}
