/* SPDX-License-Identifier: MIT */
#include "pids.h"

#include <errno.h>

#include "pidmap.h"
#include "poison.h"
#include "raw.h"
#include "task.h"

/* With --real pid nothing is translated. */
static bool translating(void)
{
    return task_self() && !task_leaves_real(DETRUN_PID);
}

/* A record's real ids appear a moment after its virtual one: the creator's fork has to return. */
static struct detrun_task *named(int vpid)
{
    if (!lineage_is_virtual(vpid) || !task_self())
        return NULL;
    struct detrun_task *t = lineage_by_vpid(shim.memory, vpid);
    if (!t)
        lineage_count_gap(shim.memory, DETRUN_GAP_PID_UNTRANSLATED);
    return t;
}

int pids_to_real(int pid)
{
    if (pid < -1)
        return -pids_to_real(-pid);
    struct detrun_task *t = named(pid);
    int real = t ? task_real_id(t) : 0;
    return real > 0 ? real : pid;
}

int pids_for_kernel(int pid)
{
    int real = pids_to_real(pid);
    return real > 0 && task_self() && real == task_real_id(task_current) ? 0 : real;
}

static int virtual_or_counted(int pid)
{
    const struct detrun_task *t = task_current && task_current->space ? task_by_real(pid) : NULL;
    uint32_t vpid = t ? lineage_tid(shim.memory, t) : lineage_virtual(shim.memory, pid);
    if (vpid != 0)
        return (int)vpid;
    lineage_count_gap(shim.memory, DETRUN_GAP_PID_OUTSIDE);
    return pid;
}

int pids_to_virtual(int pid)
{
    if (pid <= 0 || lineage_is_virtual(pid) || !translating())
        return pid;
    return virtual_or_counted(pid);
}

static bool names_virtual(int pid)
{
    return lineage_is_virtual(pid) || (pid > -DETRUN_VPID_END && lineage_is_virtual(-pid));
}

int pids_in(int pid)
{
    return names_virtual(pid) && translating() ? pids_to_real(pid) : pid;
}

static bool is_attached(void)
{
    return __atomic_load_n(&shim.memory, __ATOMIC_ACQUIRE) || task_self();
}

int pids_out(int pid)
{
    if (pid < -1 && pid > -DETRUN_REAL_PID_LIMIT)
        return -pids_out(-pid);
    if (pid <= 0 || lineage_is_virtual(pid) || !is_attached() || task_leaves_real(DETRUN_PID))
        return pid;
    return virtual_or_counted(pid);
}

/* Not by a call that a filter of the program's may refuse, nor by ids of another namespace. A
 * thread is not looked for: the process frees it. */
bool pidmap_is_gone(const struct detrun_task *t)
{
    int pid = atomic_load_explicit(&t->real_pid, memory_order_relaxed);
    bool foreign = t->space != 0 || (task_current && task_current->space != 0);
    return pid > 1 && !foreign && !shim.sandboxed && raw3(SYS_kill, pid, 0, 0) == -ESRCH &&
           raw3(SYS_kill, -pid, 0, 0) == -ESRCH;
}

/* Its end is reported to the tracer after the tracee itself knows of it. */
static void mark_traced(int tid)
{
    struct detrun_task *t = task_by_real(tid);
    if (t && t->vpid != task_current->vpid)
        atomic_fetch_or_explicit(&t->flags, DETRUN_TASK_TRACED, memory_order_relaxed);
}

int pids_of_tracee(int pid)
{
    if (pid <= 0 || !translating())
        return pid;
    if (task_current->space == 0 && !task_by_real(pid))
        raw_private(DETRUN_OP_NAME, pid, 0, 0);
    mark_traced(pid);
    return pids_to_virtual(pid);
}
