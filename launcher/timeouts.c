/* SPDX-License-Identifier: MIT */
#include "timeouts.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

#include "detrun/calls_numbers.h"
#include "guest.h"
#include "process.h"
#include "release.h"

#define ON(what) (1U << DETRUN_ON_##what)

/* What each call returns when its time is up, and for what kinds of waits it is made. Tasks on a
 * futex count as on others: they may be in any call that has no descriptors. */
static const struct {
    short number;
    short result;
    unsigned on;
} calls[] = {
    {SYS_nanosleep, 0, ON(NOBODY)},
    {SYS_clock_nanosleep, 0, ON(NOBODY)},
    {SYS_futex, -ETIMEDOUT, ON(NOBODY) | ON(OTHERS)},
    {SYS_futex_waitv, -ETIMEDOUT, ON(OTHERS)},
    {SYS_futex_wait, -ETIMEDOUT, ON(OTHERS)},
    {SYS_mq_timedsend, -ETIMEDOUT, ON(OTHERS)},
    {SYS_mq_timedreceive, -ETIMEDOUT, ON(OTHERS)},
    {SYS_semtimedop, -EAGAIN, ON(OTHERS) | ON(FILES)},
    {SYS_rt_sigtimedwait, -EAGAIN, ON(OTHERS) | ON(FILES)},
    {SYS_io_getevents, 0, ON(OTHERS) | ON(FILES)},
    {SYS_io_pgetevents, 0, ON(OTHERS) | ON(FILES)},
    {SYS_poll, 0, ON(FILES)},
    {SYS_ppoll, 0, ON(FILES)},
    {SYS_select, 0, ON(FILES)},
    {SYS_pselect6, 0, ON(FILES)},
    {SYS_epoll_wait, 0, ON(FILES)},
    {SYS_epoll_pwait, 0, ON(FILES)},
    {SYS_epoll_pwait2, 0, ON(FILES)},
    {SYS_read, -EAGAIN, ON(SOCKET)},
    {SYS_write, -EAGAIN, ON(SOCKET)},
    {SYS_readv, -EAGAIN, ON(SOCKET)},
    {SYS_writev, -EAGAIN, ON(SOCKET)},
    {SYS_accept, -EAGAIN, ON(SOCKET)},
    {SYS_accept4, -EAGAIN, ON(SOCKET)},
    {SYS_connect, -EINPROGRESS, ON(SOCKET)},
    {SYS_recvfrom, -EAGAIN, ON(SOCKET)},
    {SYS_recvmsg, -EAGAIN, ON(SOCKET)},
    {SYS_recvmmsg, -EAGAIN, ON(SOCKET)},
    {SYS_sendto, -EAGAIN, ON(SOCKET)},
    {SYS_sendmsg, -EAGAIN, ON(SOCKET)},
    {SYS_sendmmsg, -EAGAIN, ON(SOCKET)},
};

static unsigned waits_on(const struct sleeper *sleeper)
{
    uint32_t on = atomic_load_explicit(&sleeper->task->waits_on, memory_order_relaxed);
    return on < DETRUN_ON_FUTEX ? on : DETRUN_ON_OTHERS;
}

/* @return its row; -1: it is in no such call */
static int row_of(const struct sleeper *sleeper, long number)
{
    for (unsigned i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
        if (calls[i].number == number)
            return sleeper->wait || (calls[i].on >> waits_on(sleeper) & 1) ? (int)i : -1;
    return -1;
}

/* Interrupted once, a wait has the number of restart_syscall until it ends. */
static long restarted(const struct sleeper *sleeper)
{
    if (sleeper->wait)
        return sleeper->wait->number;
    unsigned on = waits_on(sleeper);
    return on == DETRUN_ON_FILES ? SYS_poll : on == DETRUN_ON_NOBODY ? SYS_nanosleep : SYS_futex;
}

/* @param number  the call it is in; -1: none
 * @return false: nobody may look */
static bool look(const struct sleeper *sleeper, long *number)
{
    struct process_call call;
    if (sleeper->tid <= 0)
        return false;
    int error = process_call(sleeper->tid, &call);
    if (error == -EACCES || error == -EPERM)
        return false;
    *number = error ? -1 : call.number;
    if (*number == SYS_restart_syscall)
        *number = restarted(sleeper);
    return true;
}

bool timeouts_is_waiting(const struct sleeper *sleeper)
{
    long number;
    if (sleeper->hold || sleeper->timer || !look(sleeper, &number))
        return true;
    bool same = !sleeper->wait || number == sleeper->wait->number;
    /* One that runs is about to begin, or has been woken. */
    return number < 0 || (same && row_of(sleeper, number) >= 0);
}

/* Had the event come first it would not be asleep any more, or be so anew. */
static bool is_still_asleep(void *of)
{
    const struct sleeper *sleeper = of;
    const struct detrun_task *t = sleeper->task;
    if (sleeper->wait && sleeper->wait->rest)
        guest_clear(sleeper->tid, sleeper->wait->rest, sizeof(struct timespec));
    return sleeper->wait ||
           (atomic_load_explicit(&t->activity, memory_order_acquire) == DETRUN_RELEASED &&
            atomic_load_explicit(&t->beat, memory_order_relaxed) == sleeper->beat);
}

bool timeouts_end(const struct sleeper *sleeper)
{
    struct sleeper copy = *sleeper;
    long number;
    if (!look(sleeper, &number))
        return false;
    int row = row_of(sleeper, number);
    return row < 0 || release_wait_if(sleeper->tid, number, calls[row].result, is_still_asleep,
                                      &copy) != RELEASE_REFUSED;
}
