/* SPDX-License-Identifier: MIT */
/*
 * The private call of the shim and of launchers inside the job.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include "guest.h"
#include "keeper.h"
#include "lineage.h"
#include "supervisor.h"

long supervisor_put_descriptor(const struct question *q, int fd, uint64_t flags)
{
    struct seccomp_notif_addfd add = {
        .id = q->request->id,
        .flags = SECCOMP_ADDFD_FLAG_SEND,
        .srcfd = (__u32)fd,
        .newfd_flags = (__u32)flags,
    };
    int number = ioctl(q->s->listener, SECCOMP_IOCTL_NOTIF_ADDFD, &add);
    if (number >= 0)
        return number;
    return errno == EMFILE ? -EMFILE : -ENOSYS;
}

long supervisor_send_descriptor(const struct question *q, int fd, uint64_t flags)
{
    long number = supervisor_put_descriptor(q, fd, flags);
    return number < 0 ? number : ANSWER_SENT;
}

/* Refused, the shim stays out, and the image is answered here as one without. */
static long refuse(struct question *q, enum detrun_gap gap, long error)
{
    supervisor_gap(q, gap);
    atomic_fetch_and_explicit(&q->process->flags, ~(DETRUN_TASK_SHIM | DETRUN_TASK_ATTACHED),
                              memory_order_release);
    return error;
}

/* The shim says which layout it was built for. */
static long attach(struct question *q)
{
    if (q->args[2] != DETRUN_ABI_VERSION || q->args[3] != sizeof(struct detrun_memory))
        return refuse(q, DETRUN_GAP_MISMATCH, -EPROTO);
    /* Where that cannot be written the shim finds its record by its pid. */
    uint32_t index = lineage_index(q->m, q->process);
    if (q->args[4] != 0)
        guest_write(q, q->args[4], &index, sizeof(index));
    if (supervisor_send_descriptor(q, q->job->memory_fd, O_CLOEXEC) != ANSWER_SENT)
        return refuse(q, DETRUN_GAP_NO_MEMORY_MAP, -EMFILE);
    atomic_fetch_or_explicit(&q->process->flags, DETRUN_TASK_SHIM | DETRUN_TASK_ATTACHED,
                             memory_order_release);
    return ANSWER_SENT;
}

static long unmapped(struct question *q)
{
    return refuse(q, DETRUN_GAP_NO_MEMORY_MAP, 0);
}

static long query(struct question *q)
{
    (void)q;
    return DETRUN_ABI_VERSION;
}

static long decline(struct question *q)
{
    image_without_shim(q);
    return 0;
}

static long watch(struct question *q)
{
    keeper_watch(q->s);
    return 0;
}

static long name_tracee(struct question *q)
{
    const struct detrun_task *t = task_of_tracee(q, (int32_t)q->args[2]);
    return t ? (long)t->vtid : -ESRCH;
}

long answer_prctl(struct question *q)
{
    static long (*const operations[])(struct question *) = {
        [DETRUN_OP_ATTACH] = attach,
        [DETRUN_OP_QUERY] = query,
        [DETRUN_OP_DECLINE] = decline,
        [DETRUN_OP_NAME] = name_tracee,
        [DETRUN_OP_JOB] = job_make,
        [DETRUN_OP_LEAVE] = job_leave,
        [DETRUN_OP_KILL] = job_kill,
        [DETRUN_OP_UNMAPPED] = unmapped,
        [DETRUN_OP_WAIT] = watch,
        [DETRUN_OP_BEGIN] = record_begin_test,
        [DETRUN_OP_RECORD] = record_write,
        [DETRUN_OP_COUNT] = record_count,
        [DETRUN_OP_INFO] = record_tell,
        [DETRUN_OP_TRACE] = trace_send,
        [DETRUN_OP_TRACE_GROW] = trace_grow,
    };
    uint64_t operation = q->args[1];
    if (operation >= sizeof(operations) / sizeof(operations[0]) || !operations[operation])
        return -EINVAL;
    return operations[operation](q);
}
