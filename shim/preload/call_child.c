/* SPDX-License-Identifier: MIT */
/*
 * Waiting for children: virtual ids in and out, and the ended child's time.
 *
 * When a child is reaped is timing: a shell reaps the same one now in a blocking wait, now in its
 * SIGCHLD handler. What is the program's own order is which child it named, that it waited for the
 * one it started last (or read the end of what that wrote), and that none is left. So the time of
 * such a child is taken over at once; that of others when a blocking wait leaves no child.
 */
#include <errno.h>
#include <sys/wait.h>

#include "calls.h"
#include "child.h"
#include "clock.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "task.h"
#include "tracing.h"
#include "usage.h"
#include "waits.h"

/* While a group of that name has members its number must still be known. */
static bool leads_a_group(const struct detrun_task *child)
{
    int32_t pid = atomic_load_explicit(&child->real_pid, memory_order_relaxed);
    return pid > 0 && !shim.sandboxed && raw3(SYS_kill, -pid, 0, 0) != -ESRCH;
}

static void retire(struct detrun_task *child, int status)
{
    if (tracing_is_on())
        tracing_put_exit(child, status);
    lineage_end(child);
    if (!leads_a_group(child))
        lineage_free(shim.memory, child);
}

static struct detrun_task *creator_of(const struct detrun_task *child, struct detrun_task *t)
{
    struct detrun_task *creator = &shim.memory->tasks[child->parent % DETRUN_MAX_TASKS];
    return lineage_orphaned(shim.memory, child) ? t : creator;
}

static void defer(struct detrun_task *t, struct detrun_task *creator,
                  const struct detrun_task *child)
{
    clock_defer(t, child);
    creator->deferred = child->number;
}

/* The signal handler may have reaped it before the end was read. */
void child_end_was_read(struct detrun_task *t)
{
    t->seen_end = t->children;
    if (t->deferred == t->children)
        clock_settle(t);
}

enum wait_kind { POLLED, BLOCKED, NAMED };

/* It had reaped all its own children, some of them in a signal handler perhaps: whoever asks after
 * its end need not know in what order. */
static void settle_ended(struct detrun_task *child)
{
    if (atomic_load_explicit(&child->living, memory_order_relaxed) == 0)
        clock_settle(child);
}

static void take_over(struct detrun_task *t, struct detrun_task *child, enum wait_kind kind)
{
    settle_ended(child);
    struct detrun_task *creator = creator_of(child, t);
    bool newest = child->number == creator->children;
    if (kind != POLLED)
        creator->seen_end = creator->children;
    bool waited_for = newest && child->number <= creator->seen_end;
    if (kind == NAMED || waited_for)
        clock_join(t, child);
    else
        defer(t, creator, child);
    bool last = atomic_fetch_sub_explicit(&creator->living, 1, memory_order_acq_rel) == 1;
    if (last && (kind != POLLED || waited_for))
        clock_settle(t);
}

static enum wait_kind kind_of(bool names_one, int options)
{
    if (options & WNOHANG)
        return POLLED;
    return names_one ? NAMED : BLOCKED;
}

/* @return the virtual id of a child (or of a traced stranger) that wait reported under its real one
 */
static long reaped(struct detrun_task *t, int real, bool ended, int status, enum wait_kind kind)
{
    long vpid = pids_of_tracee(real);
    struct detrun_task *child = task_by_real(real);
    if (!child || (atomic_load_explicit(&child->flags, memory_order_relaxed) & DETRUN_TASK_THREAD))
        return vpid;
    if (ended && child->parent_vpid == t->vpid) {
        take_over(t, child, kind);
        retire(child, status);
    }
    return vpid;
}

#define NO_HANDLER(handler) ((handler) == SIG_DFL || (handler) == SIG_IGN)

/* rt_sigaction(2) and rt_sigprocmask(2) of the kernel; a sandbox may refuse them. */
static bool is_told_by_signal(void)
{
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        uint64_t mask;
    } action = {0};
    uint64_t blocked = 0;
    if (shim.sandboxed || raw4(SYS_rt_sigaction, SIGCHLD, 0, (long)&action, sizeof(uint64_t)) != 0)
        return true;
    raw4(SYS_rt_sigprocmask, 0, 0, (long)&blocked, sizeof(blocked));
    return !NO_HANDLER(action.handler) || (blocked >> (SIGCHLD - 1) & 1) != 0;
}

/* Nothing was seen: was that too soon? */
static bool looks_again(struct detrun_task *t, int options)
{
    return (options & WNOHANG) && !is_told_by_signal() && waits_settle(t);
}

static long look_by_pid(struct detrun_task *t, pid_t pid, int *status, int options,
                        struct rusage *usage)
{
    waits_pause(t, DETRUN_ON_OTHERS);
    long result = real_result(REAL(wait4)(pids_to_real(pid), status, options, usage));
    waits_resume(t);
    return result;
}

long call_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    struct detrun_task *t = task_self();
    if (!t)
        return real_result(REAL(wait4)(pid, status, options, usage));
    int own_status = 0;
    long result = look_by_pid(t, pid, &own_status, options, usage);
    if (result == 0 && looks_again(t, options))
        result = look_by_pid(t, pid, &own_status, options, usage);
    if (result < 0)
        return result;
    if (result > 0) {
        bool ended = WIFEXITED(own_status) || WIFSIGNALED(own_status);
        result = reaped(t, (int)result, ended, own_status, kind_of(pid > 0, options));
        if (usage && !task_leaves_real(DETRUN_CPUTIME))
            usage_fill(usage, 0);
        if (status && reach_writable(status, sizeof(*status)) != sizeof(*status))
            return -EFAULT;
        if (status)
            *status = own_status;
    }
    return result;
}

long libc_waitpid(pid_t pid, int *status, int options)
{
    return call_wait4(pid, status, options, NULL);
}

long libc_wait(int *status)
{
    return call_wait4(-1, status, 0, NULL);
}

long libc_wait3(int *status, int options, struct rusage *usage)
{
    return call_wait4(-1, status, options, usage);
}

static id_t real_id(idtype_t type, id_t id)
{
    return type == P_PID || type == P_PGID ? (id_t)pids_to_real((int)id) : id;
}

static long told(struct detrun_task *t, siginfo_t *info, idtype_t type, int options)
{
    if (info->si_pid == 0)
        return 0;
    bool ended =
        info->si_code == CLD_EXITED || info->si_code == CLD_KILLED || info->si_code == CLD_DUMPED;
    int status = info->si_code == CLD_EXITED ? info->si_status << 8 : info->si_status;
    info->si_pid = (pid_t)reaped(t, info->si_pid, ended && !(options & WNOWAIT), status,
                                 kind_of(type == P_PID || type == P_PIDFD, options));
    return 0;
}

/* libc's waitid has no place for the usage. */
static long real_waitid(idtype_t type, id_t id, siginfo_t *info, int options, struct rusage *usage)
{
    return usage ? raw6(SYS_waitid, type, (long)id, (long)info, options, (long)usage, 0)
                 : real_result(REAL_LIBC(waitid)(type, id, info, options));
}

static long look_by_id(struct detrun_task *t, idtype_t type, id_t id, siginfo_t *info, int options,
                       struct rusage *usage)
{
    waits_pause(t, DETRUN_ON_OTHERS);
    long result = real_waitid(type, real_id(type, id), info, options, usage);
    waits_resume(t);
    return result;
}

static long wait_by_id(idtype_t type, id_t id, siginfo_t *info, int options, struct rusage *usage)
{
    struct detrun_task *t = task_self();
    siginfo_t unasked;
    if (!t)
        return real_waitid(type, id, info, options, usage);
    if (!info)
        info = &unasked;
    long result = look_by_id(t, type, id, info, options, usage);
    if (result == 0 && info->si_pid == 0 && looks_again(t, options))
        result = look_by_id(t, type, id, info, options, usage);
    if (result < 0)
        return result;
    if (usage && !task_leaves_real(DETRUN_CPUTIME))
        usage_fill(usage, 0);
    return told(t, info, type, options);
}

long libc_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    return wait_by_id(type, id, info, options, NULL);
}

long call_waitid(idtype_t type, id_t id, siginfo_t *info, int options, struct rusage *usage)
{
    return wait_by_id(type, id, info, options, usage);
}
