/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <sys/timeb.h>
#include <unistd.h>

#include "calls.h"
#include "clock.h"
#include "cpu_clock.h"
#include "host.h"
#include "poison.h"
#include "raw.h"
#include "reach.h"
#include "set_time.h"
#include "task.h"
#include "timespec.h"
#include "tracing.h"
#include "usage.h"
#include "vdso.h"

#define TICK_NS 10000000 /* USER_HZ is 100 on every Linux */

/* @return the task that answers, or NULL: the kernel does. */
static struct detrun_task *answering(enum detrun_source source)
{
    struct detrun_task *t = task_self();
    return t && !task_leaves_real(source) ? t : NULL;
}

static inline int64_t read_family(struct detrun_task *t, enum detrun_family family,
                                  enum detrun_door door)
{
    int64_t ns = clock_read(shim.memory, t, family);
    tracing_clock(t, clock_source(family), door, ns);
    return ns;
}

/* What the kernel answers is what a trace is looked at for. */
static long real_clock(clockid_t id, enum detrun_source source, struct timespec *ts)
{
    long result = raw3(SYS_clock_gettime, id, (long)ts, 0);
    if (result == 0 && ts && task_current)
        tracing_clock(task_current, source, TRACING_REAL, timespec_ns(ts));
    return result;
}

static inline long read_clock(clockid_t id, enum detrun_family family, struct timespec *ts,
                              enum detrun_door door)
{
    enum detrun_source source = clock_source(family);
    struct detrun_task *t = answering(source);
    if (!t || !ts)
        return real_clock(id, source, ts);
    task_count(t, source, door);
    *ts = timespec_of(read_family(t, family, door));
    return 0;
}

/* The two common clocks by name: their family is then known when this is compiled. */
static inline long read_any_clock(clockid_t id, struct timespec *ts, enum detrun_door door)
{
    if (id == CLOCK_REALTIME)
        return read_clock(id, DETRUN_FAMILY_WALL, ts, door);
    if (id == CLOCK_MONOTONIC)
        return read_clock(id, DETRUN_FAMILY_MONO, ts, door);
    int family = clock_family(id);
    if (family < 0)
        return raw3(SYS_clock_gettime, id, (long)ts, 0);
    if (clock_id_names(id) && !cpu_clock_is_known(id))
        return -EINVAL;
    return read_clock(cpu_clock_in(id), (enum detrun_family)family, ts, door);
}

long call_clock_gettime(clockid_t id, struct timespec *ts)
{
    return read_any_clock(id, ts, DETRUN_DOOR_SYMBOL);
}

long vdso_clock_gettime(clockid_t id, struct timespec *ts)
{
    return read_any_clock(id, ts, DETRUN_DOOR_VDSO);
}

static long real_time_of_day(struct timeval *tv, void *zone)
{
    long result = raw3(SYS_gettimeofday, (long)tv, (long)zone, 0);
    if (result == 0 && tv && task_current)
        tracing_clock(task_current, DETRUN_WALL, TRACING_REAL,
                      tv->tv_sec * TIMESPEC_SECOND + tv->tv_usec * 1000);
    return result;
}

long call_gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
    struct detrun_task *t = answering(DETRUN_WALL);
    if (!t)
        return real_time_of_day(tv, zone);
    if (tv)
        *tv = timeval_of(read_family(t, DETRUN_FAMILY_WALL, DETRUN_DOOR_SYMBOL));
    if (zone)
        *(struct timezone *)zone = (struct timezone){0};
    return 0;
}

static long real_time(time_t *out)
{
    long now = raw3(SYS_time, (long)out, 0, 0);
    if (now > 0 && task_current)
        tracing_clock(task_current, DETRUN_WALL, TRACING_REAL, now * TIMESPEC_SECOND);
    return now;
}

long call_time(time_t *out)
{
    struct detrun_task *t = answering(DETRUN_WALL);
    if (!t)
        return real_time(out);
    time_t now = timespec_of(read_family(t, DETRUN_FAMILY_WALL, DETRUN_DOOR_SYMBOL)).tv_sec;
    if (out)
        *out = now;
    return now;
}

/* The coarse clocks tick with the host's HZ: always say 250, Debian's. */
long call_clock_getres(clockid_t id, struct timespec *ts)
{
    bool coarse = id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE;
    if (!coarse || !ts || !answering(DETRUN_MONOTONIC))
        return raw3(SYS_clock_getres, cpu_clock_in(id), (long)ts, 0);
    *ts = (struct timespec){.tv_nsec = 4000000};
    return 0;
}

long call_clock_settime(clockid_t id, const struct timespec *ts)
{
    if (id != CLOCK_REALTIME || !answering(DETRUN_WALL))
        return raw3(SYS_clock_settime, cpu_clock_in(id), (long)ts, 0);
    return reach_readable(ts, sizeof(*ts)) ? set_time(ts->tv_sec, ts->tv_nsec) : -EFAULT;
}

long call_settimeofday(const struct timeval *tv, const struct timezone *zone)
{
    if (!answering(DETRUN_WALL))
        return raw3(SYS_settimeofday, (long)tv, (long)zone, 0);
    if (tv && !reach_readable(tv, sizeof(*tv)))
        return -EFAULT;
    long error = tv ? set_time_of_day(tv) : -EPERM;
    return zone && error == -EPERM && !reach_readable(zone, sizeof(*zone)) ? -EFAULT : error;
}

/* libc sets one of the two. */
long libc_settimeofday(const struct timeval *tv, const struct timezone *zone)
{
    return tv && zone ? -EINVAL : call_settimeofday(tv, zone);
}

long call_times(struct tms *out)
{
    struct detrun_task *t = answering(DETRUN_CPUTIME);
    if (!t)
        return raw3(SYS_times, (long)out, 0, 0);
    if (out && reach_writable(out, sizeof(*out)) != sizeof(*out))
        return -EFAULT;
    if (out)
        *out = (struct tms){
            .tms_utime = read_family(t, DETRUN_FAMILY_CPU, DETRUN_DOOR_SYMBOL) / TICK_NS,
        };
    return read_family(t, DETRUN_FAMILY_MONO, DETRUN_DOOR_SYMBOL) / TICK_NS;
}

long call_getrusage(__rusage_who_t who, struct rusage *out)
{
    long result = raw_own(SYS_getrusage, (long)who, (long)out);
    struct detrun_task *t = result == 0 ? answering(DETRUN_CPUTIME) : NULL;
    if (!t)
        return result;
    bool own = who == RUSAGE_SELF || who == RUSAGE_THREAD;
    usage_fill(out, own ? read_family(t, DETRUN_FAMILY_CPU, DETRUN_DOOR_SYMBOL) : 0);
    return 0;
}

long call_sysinfo(struct sysinfo *out)
{
    long result = raw_own(SYS_sysinfo, (long)out, 0);
    struct detrun_task *t = result == 0 ? answering(DETRUN_MONOTONIC) : NULL;
    if (result == 0 && answering(DETRUN_PROC))
        host_memory(out);
    if (t)
        out->uptime = read_family(t, DETRUN_FAMILY_MONO, DETRUN_DOOR_SYMBOL) / TIMESPEC_SECOND;
    return result;
}

long libc_clock(void)
{
    struct timespec ts;
    long result = call_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return result == 0 ? ts.tv_sec * CLOCKS_PER_SEC + ts.tv_nsec / 1000 : -1;
}

long libc_timespec_get(struct timespec *ts, int base)
{
    return base == TIME_UTC && call_clock_gettime(CLOCK_REALTIME, ts) == 0 ? base : 0;
}

long libc_ftime(struct timeb *out)
{
    struct timespec ts;
    long result = call_clock_gettime(CLOCK_REALTIME, &ts);
    if (result == 0)
        *out = (struct timeb){.time = ts.tv_sec, .millitm = (unsigned short)(ts.tv_nsec / 1000000)};
    return result;
}
