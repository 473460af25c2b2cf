/* SPDX-License-Identifier: MIT */
/*
 * timerfd_settime and timerfd_gettime, in the order of fs/timerfd.c.
 */
#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "cleanup.h"
#include "clock_id.h"
#include "guest.h"
#include "lineage.h"
#include "supervisor.h"
#include "timer_time.h"
#include "timerfds.h"
#include "timers.h"

#define KNOWN_FLAGS (TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)

static struct itimerspec timer_now(const struct question *q, const struct supervisor_timer *t)
{
    struct itimerspec now;
    int64_t left = timers_left(q, t);
    if (left < 0 && t->interval_ns)
        left += (int64_t)(((uint64_t)-left / t->interval_ns + 1) * t->interval_ns);
    now.it_value = timespec_of(left > 0 ? left : 0);
    now.it_interval = timespec_of((int64_t)t->interval_ns);
    return now;
}

static long arm(const struct question *q, struct supervisor_timer *t, int copy, int family,
                const struct timer_setting *setting)
{
    if (!t && setting->value_ns == 0)
        return 0;
    if (!t)
        t = timers_add(q, TIMER_DESCRIPTOR, (int32_t)q->args[0], (enum detrun_family)family);
    if (!t)
        return timers_leave(q);
    if (t->fd < 0)
        t->fd = dup(copy);
    timers_arm(q, t, setting);
    if (!t->armed)
        timers_drop(q->s, t);
    return 0;
}

/* The kernel's own is disarmed, which also forgets what has not been read; it remembers the
 * interval of one that is not armed. */
static long set(const struct question *q, int copy, const struct timer_setting *setting)
{
    struct itimerspec old;
    struct itimerspec off = {.it_interval = timespec_of((int64_t)setting->interval_ns)};
    int family = clock_family(timerfds_clock(copy));
    if (family < 0)
        return timerfd_gettime(copy, &old) == 0 ? timers_leave(q) : ANSWER_CONTINUE;
    if (supervisor_is_real(q, clock_source((enum detrun_family)family)))
        return ANSWER_CONTINUE;
    if (timerfd_settime(copy, 0, &off, &old) != 0)
        return -errno;
    struct supervisor_timer *t = timerfds_find(q->s, copy);
    if (t)
        old = timer_now(q, t);
    long error = arm(q, t, copy, family, setting);
    if (error || !q->args[3])
        return error;
    int unwritten = guest_write(q, q->args[3], &old, sizeof(old));
    return unwritten ? supervisor_unreachable(q, unwritten) : 0;
}

long answer_timerfd_settime(struct question *q)
{
    struct itimerspec new;
    struct timer_setting setting = {.absolute = (q->args[1] & TFD_TIMER_ABSTIME) != 0};
    if (timers_are_real(q))
        return ANSWER_CONTINUE;
    int error = guest_read((int32_t)q->request->pid, q->args[2], &new, sizeof(new));
    if (error)
        return supervisor_unreachable(q, error);
    if (((int)q->args[1] & ~KNOWN_FLAGS) || !timer_read_setting(&new, &setting))
        return -EINVAL;
    AUTO_CLOSE int copy = timerfds_copy(q, (int)q->args[0]);
    if (copy < 0)
        return copy == -EBADF ? -EBADF : timers_leave(q);
    return set(q, copy, &setting);
}

/* One that is not armed the kernel can tell of. */
long answer_timerfd_gettime(struct question *q)
{
    if (timers_are_real(q))
        return ANSWER_CONTINUE;
    AUTO_CLOSE int copy = timerfds_copy(q, (int)q->args[0]);
    const struct supervisor_timer *t = copy < 0 ? NULL : timerfds_find(q->s, copy);
    if (!t)
        return ANSWER_CONTINUE;
    struct itimerspec now = timer_now(q, t);
    int error = guest_write(q, q->args[1], &now, sizeof(now));
    return error ? supervisor_unreachable(q, error) : 0;
}
