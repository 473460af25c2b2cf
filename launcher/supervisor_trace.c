/* SPDX-License-Identifier: MIT */
/*
 * The job's trace: its file for the shims, and the events of those who have none.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "guest.h"
#include "supervisor.h"
#include "trace.h"
#include "trace_file.h"

/* The launcher of a job inside another is a guest like others. @return 0 or less: none */
static int descriptor_of(struct supervisor_job *job)
{
    const struct detrun_params *p = &job->memory->params;
    if (!(p->flags & DETRUN_FLAG_TRACE))
        return -ENOENT;
    if (job->trace_fd == 0)
        job->trace_fd =
            job->outer ? guest_copy_descriptor(job->launcher, p->trace_fd) : p->trace_fd;
    return job->trace_fd;
}

long trace_send(struct question *q)
{
    int fd = descriptor_of(q->job);
    return fd > 0 ? supervisor_send_descriptor(q, fd, O_CLOEXEC) : -ENOENT;
}

long trace_grow(struct question *q)
{
    int fd = descriptor_of(q->job);
    return fd > 0 ? trace_file_grow(q->m, fd) : -ENOENT;
}
