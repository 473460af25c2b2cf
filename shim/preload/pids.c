/* SPDX-License-Identifier: MIT */
#include "pids.h"

#include "poison.h"
#include "task.h"

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
    int real = t ? atomic_load_explicit(&t->real_tid, memory_order_acquire) : 0;
    return real > 0 ? real : pid;
}

int pids_to_virtual(int pid)
{
    if (pid <= 0 || !task_self())
        return pid;
    const struct detrun_task *t = lineage_by_real(shim.memory, pid);
    if (t)
        return (int)t->vtid;
    lineage_count_gap(shim.memory, DETRUN_GAP_PID_OUTSIDE);
    return pid;
}
