/* SPDX-License-Identifier: MIT */
/*
 * Identity. Calls that take a pid come here only with a virtual one: they are done on the caller's
 * behalf where the kernel lets another process do them.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include "cleanup.h"
#include "lineage.h"
#include "supervisor.h"
#include "supervisor_pid.h"

/* libc's own raw calls stay real: raise() and abort() compare them with what the kernel knows. */
static bool stays_real(const struct question *q)
{
    const struct detrun_task *p = q->process;
    uint64_t ip = q->request->data.instruction_pointer;
    if (supervisor_is_real(q, DETRUN_PID))
        return true;
    if (atomic_load_explicit(&p->flags, memory_order_acquire) & DETRUN_TASK_RAW_IDS)
        return true;
    return supervisor_has_shim(q) &&
           (p->libc_start == 0 || (ip >= p->libc_start && ip < p->libc_end));
}

static bool has_own_record(const struct question *q)
{
    return atomic_load_explicit(&q->task->real_tid, memory_order_relaxed) ==
           (int32_t)q->request->pid;
}

long answer_getpid(struct question *q)
{
    if (stays_real(q))
        return ANSWER_CONTINUE;
    int32_t sender = signal_compared(q);
    return sender > 0 ? sender : (long)lineage_pid(q->m, q->process);
}

/* A thread without record has no virtual id, and does not change its id when it gets one: valgrind
 * knows its threads by it before their programs' shim does. */
long answer_gettid(struct question *q)
{
    if (stays_real(q) || !has_own_record(q) || task_began_without_record(q))
        return ANSWER_CONTINUE;
    return (long)lineage_tid(q->m, q->task);
}

long answer_getppid(struct question *q)
{
    if (stays_real(q))
        return ANSWER_CONTINUE;
    return lineage_parent(q->m, q->process, q->process->space);
}

int32_t pid_real(const struct question *q, int32_t id)
{
    int32_t sign = id < 0 ? -1 : 1;
    if (!lineage_is_virtual(id * sign))
        return id;
    const struct detrun_task *t = lineage_by_vpid(q->m, id * sign);
    int32_t real = t ? atomic_load_explicit(&t->real_tid, memory_order_relaxed) : 0;
    if (real > 0)
        return real * sign;
    supervisor_gap(q, DETRUN_GAP_PID_UNTRANSLATED);
    return -ESRCH;
}

bool pid_is_unknown(int32_t asked, int32_t real)
{
    return real == -ESRCH && asked != -ESRCH;
}

static long virtual_id(const struct question *q, long real)
{
    const struct detrun_task *t = real > 0 ? lineage_by_real(q->m, (int32_t)real) : NULL;
    if (real > 0 && !t)
        supervisor_gap(q, DETRUN_GAP_PID_OUTSIDE);
    if (!t)
        return real;
    return (long)(t->space == q->process->space ? lineage_tid(q->m, t) : t->vtid);
}

static long result_of(long result)
{
    return result < 0 ? -errno : result;
}

long answer_getpgid(struct question *q)
{
    int32_t pid = pid_real(q, (int32_t)q->args[0]);
    return pid < 0 ? -ESRCH : virtual_id(q, result_of(getpgid(pid)));
}

long answer_getsid(struct question *q)
{
    int32_t pid = pid_real(q, (int32_t)q->args[0]);
    return pid < 0 ? -ESRCH : virtual_id(q, result_of(getsid(pid)));
}

/* Calls that one process may make for another of its user: the supervisor makes them, with the real
 * id in its place. */
static long on_behalf(struct question *q, unsigned pid_argument)
{
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = (long)q->args[i];
    int32_t asked = (int32_t)a[pid_argument];
    int32_t real = pid_real(q, asked);
    if (pid_is_unknown(asked, real))
        return -ESRCH;
    a[pid_argument] = real;
    return result_of(syscall(q->request->data.nr, a[0], a[1], a[2], a[3], a[4], a[5]));
}

#define ON_BEHALF(name, pid_argument)                                                              \
    long answer_##name(struct question *q)                                                         \
    {                                                                                              \
        return on_behalf(q, pid_argument);                                                         \
    }

ON_BEHALF(sched_getscheduler, 0)
ON_BEHALF(getpriority, 1)
ON_BEHALF(setpriority, 1)
ON_BEHALF(ioprio_get, 1)
ON_BEHALF(ioprio_set, 1)

long answer_pidfd_open(struct question *q)
{
    AUTO_CLOSE int fd = (int)on_behalf(q, 0);
    return fd < 0 ? fd : supervisor_send_descriptor(q, fd, O_CLOEXEC);
}

/* Nobody but the caller itself can do these, and its arguments cannot be changed. */
static long untranslated(const struct question *q, long error)
{
    supervisor_gap(q, DETRUN_GAP_PID_UNTRANSLATED);
    return error;
}

#define UNTRANSLATED(name, error)                                                                  \
    long answer_##name(struct question *q)                                                         \
    {                                                                                              \
        return untranslated(q, -(error));                                                          \
    }

UNTRANSLATED(setpgid, ESRCH)
UNTRANSLATED(wait4, ECHILD)
UNTRANSLATED(waitid, ECHILD)
UNTRANSLATED(ptrace, ESRCH)
UNTRANSLATED(kcmp, ESRCH)
UNTRANSLATED(get_robust_list, ESRCH)
UNTRANSLATED(prlimit64, ESRCH)
UNTRANSLATED(process_vm_readv, ESRCH)
UNTRANSLATED(process_vm_writev, ESRCH)
UNTRANSLATED(migrate_pages, ESRCH)
UNTRANSLATED(move_pages, ESRCH)
UNTRANSLATED(perf_event_open, ESRCH)
UNTRANSLATED(sched_getparam, ESRCH)
UNTRANSLATED(sched_setparam, ESRCH)
UNTRANSLATED(sched_setscheduler, ESRCH)
UNTRANSLATED(sched_rr_get_interval, ESRCH)
UNTRANSLATED(sched_getattr, ESRCH)
UNTRANSLATED(sched_setattr, ESRCH)
