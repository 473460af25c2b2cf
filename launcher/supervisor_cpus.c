/* SPDX-License-Identifier: MIT */
/*
 * Processors. As the shim's call_cpus.c.
 */
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpus.h"
#include "guest.h"
#include "lineage.h"
#include "supervisor.h"
#include "supervisor_pid.h"

/* Whose set is the job's; NULL: the kernel's answer. */
static struct detrun_task *owner(const struct question *q)
{
    int32_t pid = (int32_t)q->args[0];
    if (cpus_count(&q->m->params) == 0 || supervisor_is_real(q, DETRUN_CPUS))
        return NULL;
    if (pid == 0)
        return q->task;
    return lineage_is_virtual(pid) ? lineage_by_vpid(q->m, pid) : lineage_by_real(q->m, pid);
}

/* The kernel knows the caller itself, and real ids. */
static long leave(const struct question *q)
{
    if (!lineage_is_virtual((int32_t)q->args[0]))
        return ANSWER_CONTINUE;
    supervisor_gap(q, DETRUN_GAP_PID_UNTRANSLATED);
    return -ESRCH;
}

long answer_sched_getaffinity(struct question *q)
{
    const struct detrun_task *t = owner(q);
    if (!t)
        return leave(q);
    long written = cpus_written((unsigned)q->args[1]);
    uint64_t set = cpus_of(&q->m->params, t);
    int error = written < 0 ? 0 : guest_write(q, q->args[2], &set, sizeof(set));
    return error ? supervisor_unreachable(q, error) : written;
}

long answer_sched_setaffinity(struct question *q)
{
    struct detrun_task *t = owner(q);
    uint64_t set = 0;
    if (!t)
        return leave(q);
    size_t n = (unsigned)q->args[1] < sizeof(set) ? (unsigned)q->args[1] : sizeof(set);
    int error = guest_read((int32_t)q->request->pid, q->args[2], &set, n);
    return error ? supervisor_unreachable(q, error) : cpus_set(&q->m->params, t, set);
}

static uint32_t present(const struct question *q)
{
    uint64_t set[CPUS_MACHINE_WORDS] = {0};
    if (cpus_count(&q->m->params) != 0)
        return cpus_first(cpus_of(&q->m->params, q->task));
    (void)syscall(SYS_sched_getaffinity, (pid_t)q->request->pid, sizeof(set), set);
    return cpus_first_of_machine(set);
}

long answer_getcpu(struct question *q)
{
    if (supervisor_is_real(q, DETRUN_CPUS))
        return ANSWER_CONTINUE;
    const uint32_t numbers[2] = {present(q), 0}; /* and the node */
    int error = 0;
    for (int i = 0; i < 2 && !error; i++)
        if (q->args[i] != 0)
            error = guest_write(q, q->args[i], &numbers[i], sizeof(numbers[i]));
    return error ? supervisor_unreachable(q, error) : 0;
}
