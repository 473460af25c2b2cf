/* SPDX-License-Identifier: MIT */
/*
 * More absolute waits of images without shim, and of instructions that escape it: for several
 * futexes, for one by its newer call, for a message queue.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "clock_id.h"
#include "guest.h"
#include "process.h"
#include "supervisor_hold.h"

/* @return the family of a clock that futexes may have, or -1 */
static int futex_family(uint64_t id)
{
    bool may = (clockid_t)id == CLOCK_REALTIME || (clockid_t)id == CLOCK_MONOTONIC;
    return may ? clock_family((clockid_t)id) : -1;
}

/* What the kernel would refuse it shall refuse itself. */
static bool are_words(const struct question *q, const struct supervisor_hold *h)
{
    struct futex_waitv words[FUTEX_WAITV_MAX];
    uint32_t word;
    int32_t tid = (int32_t)q->request->pid;
    if (h->words == 0 || h->words > FUTEX_WAITV_MAX || q->args[2] != 0 ||
        guest_read(tid, h->word, words, h->words * sizeof(*words)) != 0)
        return false;
    for (unsigned i = 0; i < h->words; i++)
        if ((words[i].flags & ~(uint32_t)FUTEX_PRIVATE_FLAG) != FUTEX_32 || words[i].__reserved ||
            guest_read(tid, words[i].uaddr, &word, sizeof(word)) != 0 || word != words[i].val)
            return false;
    return true;
}

long answer_futex_waitv(struct question *q)
{
    int family = futex_family(q->args[4]);
    if (family < 0 || supervisor_is_real(q, clock_source((enum detrun_family)family)))
        return ANSWER_CONTINUE;
    struct supervisor_hold h = {
        .word = q->args[0],
        .words = (unsigned)q->args[1],
        .family = (enum detrun_family)family,
        .deadline_ns = wait_read_time(q, q->args[3]),
        .at_deadline = -ETIMEDOUT,
        .restarts = ERESTARTNOHAND,
    };
    return h.deadline_ns < 0 || !are_words(q, &h) ? ANSWER_CONTINUE : wait_hold(q, h);
}

long answer_futex_wait(struct question *q)
{
    int family = futex_family(q->args[5]);
    if (family < 0 || supervisor_is_real(q, clock_source((enum detrun_family)family)))
        return ANSWER_CONTINUE;
    struct supervisor_hold h = {
        .word = q->args[0],
        .expected = (uint32_t)q->args[1],
        .family = (enum detrun_family)family,
        .deadline_ns = wait_read_time(q, q->args[4]),
        .at_deadline = -ETIMEDOUT,
        .restarts = ERESTARTNOHAND,
    };
    uint32_t word;
    bool sound = (q->args[3] & ~(uint64_t)FUTEX_PRIVATE_FLAG) == FUTEX_32 && q->args[2] != 0 &&
                 h.deadline_ns >= 0 &&
                 guest_read((int32_t)q->request->pid, h.word, &word, sizeof(word)) == 0;
    return !sound || word != h.expected ? ANSWER_CONTINUE : wait_hold(q, h);
}

/* @return a copy of the guest's queue, if it will wait there; else -1 */
static int waiting_queue(const struct question *q, bool sends)
{
    struct mq_attr attributes;
    struct process_ids ids;
    if (process_ids((int32_t)q->request->pid, &ids) != 0)
        return -1;
    int fd = guest_copy_descriptor(ids.tgid, (int)q->args[0]);
    if (fd < 0)
        return -1;
    if (syscall(SYS_mq_getsetattr, fd, NULL, &attributes) == 0 &&
        (attributes.mq_flags & O_NONBLOCK) == 0 &&
        (sends ? q->args[2] <= (uint64_t)attributes.mq_msgsize
               : q->args[2] >= (uint64_t)attributes.mq_msgsize))
        return fd;
    close(fd);
    return -1;
}

/* Until then the supervisor looks at the queue; what has come there is the kernel's to take. */
static long wait_for_queue(struct question *q, short events)
{
    struct supervisor_hold h = {
        .events = events,
        .family = DETRUN_FAMILY_WALL,
        .deadline_ns = wait_read_time(q, q->args[4]),
        .at_deadline = -ETIMEDOUT,
        .restarts = ERESTARTSYS,
    };
    if (wait_is_kernels(q) || supervisor_is_real(q, DETRUN_WALL) || h.deadline_ns < 0)
        return ANSWER_CONTINUE;
    h.fd = waiting_queue(q, events == POLLOUT);
    if (h.fd < 0)
        return ANSWER_CONTINUE;
    long answer = wait_has_come(&h, 0) == ANSWER_HELD ? wait_hold(q, h) : ANSWER_CONTINUE;
    if (answer != ANSWER_HELD)
        close(h.fd);
    return answer;
}

long answer_mq_timedsend(struct question *q)
{
    return wait_for_queue(q, POLLOUT);
}

long answer_mq_timedreceive(struct question *q)
{
    return wait_for_queue(q, POLLIN);
}
