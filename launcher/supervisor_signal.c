/* SPDX-License-Identifier: MIT */
/*
 * Signals to virtual pids, sent on the caller's behalf.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"
#include "lineage.h"
#include "process.h"
#include "supervisor_pid.h"

/* glibc's own, for pthread_cancel and for setuid in threads. */
#define SIGCANCEL 32
#define SIGSETXID 33

static long result_of(long result)
{
    return result < 0 ? -errno : result;
}

/* The kernel will name us as the sender; the receiver's shim finds under our number who it was. */
static void sign(const struct question *q)
{
    atomic_fetch_add_explicit(&q->m->shared.signals, 1, memory_order_release);
    pid_t own = getpid();
    if (own < DETRUN_REAL_PID_LIMIT)
        atomic_store_explicit(detrun_index_of(q->m, own), q->process->vpid, memory_order_release);
}

long answer_kill(struct question *q)
{
    int32_t asked = (int32_t)q->args[0];
    int32_t pid = pid_real(q, asked);
    if (pid_is_unknown(asked, pid))
        return -ESRCH;
    sign(q);
    return result_of(kill(pid, (int)q->args[1]));
}

long answer_tkill(struct question *q)
{
    int32_t tid = pid_real(q, (int32_t)q->args[0]);
    if (tid <= 0)
        return tid == -ESRCH ? -ESRCH : -EINVAL;
    sign(q);
    return result_of(syscall(SYS_tkill, tid, (int)q->args[1]));
}

long answer_tgkill(struct question *q)
{
    int number = (int)q->args[2];
    int32_t pid = pid_real(q, (int32_t)q->args[0]);
    int32_t tid = pid_real(q, (int32_t)q->args[1]);
    if (pid <= 0 || tid <= 0)
        return pid == -ESRCH || tid == -ESRCH ? -ESRCH : -EINVAL;
    sign(q);
    if (number == SIGCANCEL || number == SIGSETXID)
        atomic_fetch_or_explicit(&q->process->flags, DETRUN_TASK_LIBC_SIGNALS,
                                 memory_order_release);
    return result_of(syscall(SYS_tgkill, pid, tid, number));
}

/* The kernel hands on what the sender says of itself, and takes what says that the kernel sent it
 * only from the process itself. */
static long queue(struct question *q, int32_t pid, int32_t tid, int number, uint64_t address)
{
    siginfo_t info;
    if (guest_read((int32_t)q->request->pid, address, &info, sizeof(info)) != 0)
        return -EFAULT;
    if (pid <= 0 || tid < 0)
        return pid == -ESRCH || tid == -ESRCH ? -ESRCH : -EINVAL;
    atomic_fetch_add_explicit(&q->m->shared.signals, 1, memory_order_release);
    if (tid > 0)
        return result_of(syscall(SYS_rt_tgsigqueueinfo, pid, tid, number, &info));
    return result_of(syscall(SYS_rt_sigqueueinfo, pid, number, &info));
}

long answer_rt_sigqueueinfo(struct question *q)
{
    return queue(q, pid_real(q, (int32_t)q->args[0]), 0, (int)q->args[1], q->args[2]);
}

long answer_rt_tgsigqueueinfo(struct question *q)
{
    int32_t tid = pid_real(q, (int32_t)q->args[1]);
    return queue(q, pid_real(q, (int32_t)q->args[0]), tid ? tid : -EINVAL, (int)q->args[2],
                 q->args[3]);
}

static bool handles(int32_t tid, int number)
{
    return (process_status(tid, "\nSigBlk:", 16) >> (number - 1) & 1) != 0;
}

/* What the kernel lays on the stack for a handler (struct rt_sigframe): a return address, a
 * ucontext, the siginfo. The handler's own part of the stack, below that, is small. */
#define SIGINFO_OFFSET (8 + 304)
#define HANDLER_SIZE   384
#define WORD           sizeof(uint64_t)

static bool is_from_us(const siginfo_t *info)
{
    return (info->si_signo == SIGCANCEL || info->si_signo == SIGSETXID) && info->si_errno == 0 &&
           info->si_code == SI_TKILL && info->si_pid == getpid();
}

static bool is_in_handler(int32_t tid)
{
    uint8_t stack[HANDLER_SIZE + SIGINFO_OFFSET + sizeof(siginfo_t)];
    siginfo_t info;
    struct process_call call;
    if (process_call(tid, &call) != 0 ||
        guest_read(tid, call.stack & ~(WORD - 1), stack, sizeof(stack)) != 0)
        return false;
    for (size_t i = 0; i < HANDLER_SIZE; i += WORD) {
        memcpy(&info, stack + i + SIGINFO_OFFSET, sizeof(info));
        if (is_from_us(&info))
            return true;
    }
    return false;
}

int32_t signal_compared(const struct question *q)
{
    int32_t tid = (int32_t)q->request->pid;
    uint32_t flags = atomic_load_explicit(&q->process->flags, memory_order_acquire);
    if (!(flags & DETRUN_TASK_LIBC_SIGNALS) || supervisor_has_shim(q))
        return 0;
    bool blocked = handles(tid, SIGCANCEL) || handles(tid, SIGSETXID);
    return blocked && is_in_handler(tid) ? getpid() : 0;
}
