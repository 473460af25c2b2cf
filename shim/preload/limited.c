/* SPDX-License-Identifier: MIT */
#include "limited.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>

#include "poison.h"
#include "raw.h"
#include "task.h"
#include "timed.h"
#include "timespec.h"
#include "waits.h"

#define SLOTS 64

bool limited_any;

/* The kernel keeps a limit in ticks, rounded up, and says so: what was asked for is remembered. */
static struct {
    _Atomic int64_t asked, kept;
} memories[2][SLOTS];

static int64_t kept_in(int fd, bool sends)
{
    struct timeval tv = {0};
    socklen_t size = sizeof(tv);
    if (raw6(SYS_getsockopt, fd, SOL_SOCKET, sends ? SO_SNDTIMEO : SO_RCVTIMEO, (long)&tv,
             (long)&size, 0) != 0)
        return 0;
    struct timespec ts = {.tv_sec = tv.tv_sec, .tv_nsec = tv.tv_usec * 1000};
    return timed_ns(&ts);
}

void limited_set(int fd, int name, const struct timeval *limit)
{
    bool sends = name == SO_SNDTIMEO;
    struct timespec ts = {.tv_sec = limit->tv_sec, .tv_nsec = limit->tv_usec * 1000};
    if (ts.tv_sec < 0 || timed_ns(&ts) == 0)
        return;
    unsigned slot = (unsigned)fd % SLOTS;
    atomic_store_explicit(&memories[sends][slot].asked, timed_ns(&ts), memory_order_relaxed);
    atomic_store_explicit(&memories[sends][slot].kept, kept_in(fd, sends), memory_order_relaxed);
    __atomic_store_n(&limited_any, true, __ATOMIC_RELEASE);
}

static int64_t limit_of(int fd, bool sends)
{
    int64_t kept = kept_in(fd, sends);
    unsigned slot = (unsigned)fd % SLOTS;
    bool known = kept == atomic_load_explicit(&memories[sends][slot].kept, memory_order_relaxed);
    return known ? atomic_load_explicit(&memories[sends][slot].asked, memory_order_relaxed) : kept;
}

static bool waits(int fd, bool sends, int flags)
{
    struct pollfd input = {.fd = fd, .events = POLLIN};
    if ((flags & MSG_DONTWAIT) || (raw3(SYS_fcntl, fd, F_GETFL, 0) & O_NONBLOCK))
        return false;
    return sends || (flags & MSG_WAITALL) || raw3(SYS_poll, (long)&input, 1, 0) == 0;
}

struct limited limited_look(int fd, bool sends, int flags)
{
    struct limited l = {.task = shim.sandboxed ? NULL : task_self()};
    l.ns = l.task ? limit_of(fd, sends) : 0;
    if (l.ns == 0 || !waits(fd, sends, flags))
        return (struct limited){0};
    waits_sleep(l.task, DETRUN_ON_SOCKET, l.ns);
    return l;
}

bool limited_again(const struct limited *l, long result)
{
    return l->task && result == -EAGAIN && waits_are_kept(l->task) &&
           atomic_load_explicit(&l->task->released, memory_order_acquire) == 0;
}

long limited_end(const struct limited *l, long result)
{
    if (l->task)
        timed_end(result == -EAGAIN ? 0 : result == 0 ? 1 : result, l->ns);
    return result;
}
