/* SPDX-License-Identifier: MIT */
/*
 * Waits for semaphores, message queues and asynchronous input.
 */
#include <errno.h>
#include <mqueue.h>
#include <sys/sem.h>
#include <unistd.h>

#include "calls.h"
#include "clock_id.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "task.h"
#include "timed.h"
#include "waits.h"

#define MAX_OPERATIONS 500U /* the kernel's SEMOPM */

/* EAGAIN is the end of the time only if nothing else in the call can be. */
static bool may_be_refused(const struct sembuf *operations, size_t n)
{
    if (n > MAX_OPERATIONS || !reach_readable(operations, n * sizeof(*operations)))
        return true;
    for (size_t i = 0; i < n; i++)
        if (operations[i].sem_flg & IPC_NOWAIT)
            return true;
    return false;
}

long call_semtimedop(int id, struct sembuf *operations, size_t n, const struct timespec *timeout)
{
    int64_t ns = timed_limit(timeout);
    if (ns == 0 || may_be_refused(operations, n))
        return raw6(SYS_semtimedop, id, (long)operations, (long)n, (long)timeout, 0,
                    (long)DETRUN_PASS);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    long result =
        raw6(SYS_semtimedop, id, (long)operations, (long)n, (long)timeout, 0, (long)DETRUN_PASS);
    if (result == -EAGAIN)
        timed_end(0, ns);
    else
        timed_end(result == 0 ? 1 : result, ns);
    return result;
}

/* @return the record of who waits until this time; NULL: the kernel sees to it */
static struct detrun_task *waiting_until(const struct timespec *deadline)
{
    struct detrun_task *t = task_self();
    bool ours = t && timed_is_valid(deadline) && !task_leaves_real(DETRUN_WALL);
    return ours ? t : NULL;
}

static struct timed_until begin(struct detrun_task *t, const struct timespec *deadline)
{
    return timed_begin_until(t, DETRUN_ON_OTHERS, DETRUN_FAMILY_WALL, deadline);
}

static long end(struct detrun_task *t, const struct timed_until *until, long result)
{
    result = timed_end_until(t, until, result, NULL, 0);
    if (result != -ETIMEDOUT)
        waits_resume(t);
    return result;
}

long call_mq_timedsend(mqd_t queue, const char *message, size_t len, unsigned priority,
                       const struct timespec *deadline)
{
    struct detrun_task *t = waiting_until(deadline);
    if (!t)
        return real_result(REAL(mq_timedsend)(queue, message, len, priority, deadline));
    struct timed_until until = begin(t, deadline);
    struct timespec real = timed_real(until.family, until.real_ns);
    return end(t, &until, real_result(REAL(mq_timedsend)(queue, message, len, priority, &real)));
}

long call_mq_timedreceive(mqd_t queue, char *restrict message, size_t len,
                          unsigned *restrict priority, const struct timespec *restrict deadline)
{
    struct detrun_task *t = waiting_until(deadline);
    if (!t)
        return real_result(REAL(mq_timedreceive)(queue, message, len, priority, deadline));
    struct timed_until until = begin(t, deadline);
    struct timespec real = timed_real(until.family, until.real_ns);
    return end(t, &until, real_result(REAL(mq_timedreceive)(queue, message, len, priority, &real)));
}

/* The kernel takes any nanoseconds here. */
static int64_t limit_of_events(const struct timespec *timeout)
{
    if (!timeout)
        return -1;
    int64_t ns = reach_readable(timeout, sizeof(*timeout)) ? timed_ns(timeout) : 0;
    return ns > 0 ? ns : 0;
}

long call_io_getevents(unsigned long context, long least, long n, void *events,
                       struct timespec *timeout)
{
    int64_t ns = limit_of_events(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    return timed_end(
        raw6(SYS_io_getevents, (long)context, least, n, (long)events, (long)timeout, 0), ns);
}

long call_io_pgetevents(unsigned long context, long least, long n, void *events,
                        struct timespec *timeout, const void *mask)
{
    int64_t ns = limit_of_events(timeout);
    struct timespec real;
    timeout = timed_begin_ts(timeout, ns, &real);
    return timed_end(
        raw6(SYS_io_pgetevents, (long)context, least, n, (long)events, (long)timeout, (long)mask),
        ns);
}
