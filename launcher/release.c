/* SPDX-License-Identifier: MIT */
#include "release.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "process.h"
#include "tracee.h"

/* include/linux/errno.h: what an interrupted call leaves for the way back to user space, where the
 * kernel repeats it or makes EINTR of it. Only tracers see these. */
enum {
    RESTART_ALWAYS_UNLESS_HANDLER_SAYS = -512, /* ERESTARTSYS */
    RESTART_ALWAYS = -513,                     /* ERESTARTNOINTR */
    RESTART_WITHOUT_HANDLER = -514,            /* ERESTARTNOHAND */
    RESTART_BY_BLOCK = -516,                   /* ERESTART_RESTARTBLOCK: as restart_syscall */
};

enum {
    /* Interrupted, it has EINTR; nothing was done, it may be called again. */
    PLAIN_EINTR = 1,
    BY_BLOCK = 2,
    /* Never has ERESTARTSYS of its own: it is then held by a seccomp filter, and has not begun. */
    NEVER_SYS = 4,
    /* Has a signal mask for its time. */
    MASK = 8,
};

struct call {
    short number;
    unsigned char traits;
};

static const struct call calls[] = {
    {SYS_poll, BY_BLOCK | NEVER_SYS},
    {SYS_ppoll, NEVER_SYS | MASK},
    {SYS_select, PLAIN_EINTR | NEVER_SYS}, /* where its time limit cannot be written */
    {SYS_pselect6, PLAIN_EINTR | NEVER_SYS | MASK},
    {SYS_epoll_wait, PLAIN_EINTR | NEVER_SYS},
    {SYS_epoll_pwait, PLAIN_EINTR | NEVER_SYS | MASK},
    {SYS_epoll_pwait2, PLAIN_EINTR | NEVER_SYS | MASK},
    {SYS_nanosleep, BY_BLOCK | NEVER_SYS},
    {SYS_clock_nanosleep, BY_BLOCK | NEVER_SYS},
    {SYS_futex, BY_BLOCK},
    {SYS_rt_sigtimedwait, PLAIN_EINTR | NEVER_SYS},
    {SYS_semop, PLAIN_EINTR | NEVER_SYS},
    {SYS_semtimedop, PLAIN_EINTR | NEVER_SYS},
    {SYS_io_getevents, PLAIN_EINTR | NEVER_SYS},
    {SYS_io_pgetevents, NEVER_SYS | MASK},
    {SYS_io_uring_enter, PLAIN_EINTR},
    {SYS_read, PLAIN_EINTR},
    {SYS_readv, PLAIN_EINTR},
    {SYS_write, PLAIN_EINTR},
    {SYS_writev, PLAIN_EINTR},
    {SYS_recvfrom, PLAIN_EINTR},
    {SYS_recvmsg, PLAIN_EINTR},
    {SYS_recvmmsg, PLAIN_EINTR},
    {SYS_sendto, PLAIN_EINTR},
    {SYS_sendmsg, PLAIN_EINTR},
    {SYS_sendmmsg, PLAIN_EINTR},
    {SYS_accept, PLAIN_EINTR},
    {SYS_accept4, PLAIN_EINTR},
    {SYS_connect, PLAIN_EINTR},
};

static unsigned traits_of(long number)
{
    for (unsigned i = 0; i < sizeof(calls) / sizeof(*calls); i++)
        if (calls[i].number == number)
            return calls[i].traits;
    return 0;
}

#define CODE_SEGMENT_64 0x33

struct release {
    int32_t tid;
    long number;
    long result;
    bool (*still)(void *of);
    void *of;
    enum release_end end;
};

/* Is the stopped thread on its way out of the call with nothing but an interruption? */
static bool is_waiting(const struct release *r, const struct user_regs_struct *regs)
{
    unsigned traits = traits_of(r->number);
    long number = (long)regs->orig_rax;
    bool repeats = number == SYS_restart_syscall && (traits & BY_BLOCK);
    if (number != r->number && !repeats)
        return false;
    switch ((long)regs->rax) {
    case RESTART_BY_BLOCK:
        return true;
    case RESTART_ALWAYS:
    case RESTART_WITHOUT_HANDLER:
        return !repeats;
    case RESTART_ALWAYS_UNLESS_HANDLER_SAYS:
        return !repeats && !(traits & NEVER_SYS);
    case -EINTR:
        return !repeats && (traits & PLAIN_EINTR);
    default:
        return false;
    }
}

static bool set_result(int32_t tid, long value)
{
    return ptrace(PTRACE_POKEUSER, tid, offsetof(struct user_regs_struct, rax), value) == 0;
}

/* At its time-out the call takes its mask back before a signal can come that only the mask lets in;
 * interrupted, it leaves that to the end of the signals' delivery. The kernel names the mask to
 * come back to, and puts it in force when it is set. */
static bool end_mask(int32_t tid)
{
    uint64_t mask;
    return ptrace(PTRACE_GETSIGMASK, tid, sizeof(mask), &mask) == 0 &&
           ptrace(PTRACE_SETSIGMASK, tid, sizeof(mask), &mask) == 0;
}

static enum release_end end_wait(const struct release *r)
{
    if (r->still && !r->still(r->of))
        return RELEASE_NOT_WAITING;
    if ((traits_of(r->number) & MASK) && !end_mask(r->tid))
        return RELEASE_REFUSED;
    return set_result(r->tid, r->result) ? RELEASE_DONE : RELEASE_REFUSED;
}

/* EINTR without a signal would be ours. With this the kernel decides once more: EINTR for a handler
 * that it runs, else the call again. A thread that its own SIGSTOP had interrupted keeps EINTR. */
static void let_repeat(int32_t tid, const struct user_regs_struct *regs)
{
    if ((long)regs->rax == -EINTR && (traits_of((long)regs->orig_rax) & PLAIN_EINTR))
        set_result(tid, RESTART_WITHOUT_HANDLER);
}

/* Stopped for us, before any signal was taken from the queue: SIGTRAP; as part of a stopped
 * process: the signal that stopped it. Without the event it has taken a signal, and goes on with
 * that. */
static enum release_end at_stop(const struct release *r, const struct tracee_stop *stop)
{
    struct user_regs_struct regs;
    bool interrupted = stop->event == PTRACE_EVENT_STOP;
    if (ptrace(PTRACE_GETREGS, r->tid, 0, &regs) != 0)
        return RELEASE_NOT_WAITING;
    if (regs.cs != CODE_SEGMENT_64)
        return RELEASE_NOT_WAITING;
    enum release_end end = RELEASE_NOT_WAITING;
    if (interrupted && is_waiting(r, &regs))
        end = end_wait(r);
    if (end != RELEASE_DONE && !(interrupted && stop->signal_number != SIGTRAP))
        let_repeat(r->tid, &regs);
    return end;
}

/* One that has died but was not waited for is EPERM too. */
static enum release_end why_not(int32_t tid, int error)
{
    return error == ESRCH || !process_is_alive(tid) ? RELEASE_NOT_WAITING : RELEASE_REFUSED;
}

static int release(void *data)
{
    struct release *r = data;
    if (ptrace(PTRACE_SEIZE, r->tid, 0, 0) != 0) {
        r->end = why_not(r->tid, errno);
        return 0;
    }
    ptrace(PTRACE_INTERRUPT, r->tid, 0, 0);
    struct tracee_stop stop = {0, 0};
    int error = tracee_await(r->tid, &stop);
    if (error == -EBUSY)
        r->end = RELEASE_REFUSED;
    if (error != 0)
        return 0;
    r->end = at_stop(r, &stop);
    long signal_number = stop.event ? 0 : stop.signal_number;
    if (ptrace(PTRACE_DETACH, r->tid, 0, signal_number) != 0 && r->end == RELEASE_DONE)
        r->end = RELEASE_NOT_WAITING;
    return 0;
}

enum release_end release_wait_if(int32_t tid, long number, long result, bool (*still)(void *of),
                                 void *of)
{
    struct release r = {tid, number, result, still, of, RELEASE_NOT_WAITING};
    if (tracee_hold(release, &r) != 0)
        r.end = RELEASE_REFUSED;
    return r.end;
}

enum release_end release_wait(int32_t tid, long number, long result)
{
    return release_wait_if(tid, number, result, NULL, NULL);
}
