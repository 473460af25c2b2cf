/* SPDX-License-Identifier: MIT */
/*
 * Timers and CPU clocks of processes and threads that are named by their ids.
 */
#include <signal.h>
#include <unistd.h>

#include "calls.h"
#include "cpu_clock.h"
#include "pids.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "real.h"
#include "task.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

clockid_t cpu_clock_in(clockid_t id)
{
    return clock_id_names(id) ? clock_id_of(pids_in(clock_id_pid(id)), id) : id;
}

static clockid_t cpu_clock_out(clockid_t id)
{
    return clock_id_names(id) ? clock_id_of(pids_out(clock_id_pid(id)), id) : id;
}

bool cpu_clock_is_known(clockid_t id)
{
    struct timespec unused;
    return raw_own(SYS_clock_gettime, cpu_clock_in(id), (long)&unused) == 0;
}

long libc_clock_getcpuclockid(pid_t pid, clockid_t *id)
{
    long error = REAL_LIBC(clock_getcpuclockid)(pids_in(pid), id);
    if (error == 0)
        *id = cpu_clock_out(*id);
    return error;
}

long libc_pthread_getcpuclockid(pthread_t thread, clockid_t *id)
{
    long error = REAL_LIBC(pthread_getcpuclockid)(thread, id);
    if (error == 0)
        *id = cpu_clock_out(*id);
    return error;
}

/* The thread that is to get the signal, where one is named. */
static struct sigevent *event_in(struct sigevent *event, struct sigevent *own)
{
    if (!event || !reach_readable(event, sizeof(*event)) || event->sigev_notify != SIGEV_THREAD_ID)
        return event;
    *own = *event;
    own->sigev_notify_thread_id = pids_in(own->sigev_notify_thread_id);
    return own;
}

long libc_timer_create(clockid_t id, struct sigevent *restrict event, timer_t *restrict timer)
{
    struct sigevent own;
    return real_result(REAL_LIBC(timer_create)(cpu_clock_in(id), event_in(event, &own), timer));
}

long call_timer_create(clockid_t id, struct sigevent *event, int *timer)
{
    struct sigevent own;
    return raw3(SYS_timer_create, cpu_clock_in(id), (long)event_in(event, &own), (long)timer);
}
