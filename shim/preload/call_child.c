/* SPDX-License-Identifier: MIT */
/*
 * Waiting for children: virtual ids in and out, and the ended child's time. A blocking wait takes
 * it over at once; one that polls leaves it pending, so that when it happened to be reaped does not
 * show.
 */
#include <errno.h>
#include <sys/wait.h>

#include "calls.h"
#include "clock.h"
#include "pids.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "task.h"
#include "poison.h"

/* While a group of that name has members its number must still be known. */
static bool leads_a_group(const struct detrun_task *child)
{
    int32_t pid = atomic_load_explicit(&child->real_pid, memory_order_relaxed);
    return pid > 0 && raw3(SYS_kill, -pid, 0, 0) != -ESRCH;
}

static void retire(struct detrun_task *child)
{
    lineage_end(child);
    if (!leads_a_group(child))
        lineage_free(shim.memory, child);
}

/* @return the virtual id of a child that wait reported under its real one */
static long reaped(struct detrun_task *t, int real, bool ended, bool blocking)
{
    struct detrun_task *child = lineage_by_real(shim.memory, real);
    if (!child || (atomic_load_explicit(&child->flags, memory_order_relaxed) & DETRUN_TASK_THREAD))
        return pids_to_virtual(real);
    long vpid = task_leaves_real(DETRUN_PID) ? real : (long)child->vpid;
    if (!ended)
        return vpid;
    if (blocking)
        clock_join(t, child);
    else
        clock_defer(t, child);
    retire(child);
    return vpid;
}

static void fix_usage(struct rusage *usage)
{
    usage->ru_utime = usage->ru_stime = (struct timeval){0};
}

long call_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
    struct detrun_task *t = task_self();
    if (!t)
        return real_result(REAL(wait4)(pid, status, options, usage));
    int own_status = 0;
    long result = real_result(REAL(wait4)(pids_to_real(pid), &own_status, options, usage));
    if (result < 0)
        return result;
    bool blocking = !(options & WNOHANG);
    if (result > 0) {
        bool ended = WIFEXITED(own_status) || WIFSIGNALED(own_status);
        result = reaped(t, (int)result, ended, blocking);
        if (usage && !task_leaves_real(DETRUN_CPUTIME))
            fix_usage(usage);
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

long libc_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    struct detrun_task *t = task_self();
    if (!t || !info)
        return real_result(REAL_LIBC(waitid)(type, id, info, options));
    long result = real_result(REAL_LIBC(waitid)(type, real_id(type, id), info, options));
    if (result < 0 || info->si_pid == 0)
        return result;
    bool ended = info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
                 info->si_code == CLD_DUMPED;
    info->si_pid = (pid_t)reaped(t, info->si_pid, ended && !(options & WNOWAIT),
                                 !(options & WNOHANG));
    return 0;
}

long call_waitid(idtype_t type, id_t id, siginfo_t *info, int options, struct rusage *usage)
{
    if (!usage)
        return libc_waitid(type, id, info, options);
    return raw6(SYS_waitid, type, (long)real_id(type, id), (long)info, options, (long)usage, 0);
}
