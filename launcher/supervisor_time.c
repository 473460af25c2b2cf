/* SPDX-License-Identifier: MIT */
/*
 * Clocks. The same arithmetic as the shim's call_time.c, with the guest's memory at arm's length.
 */
#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

#include "clock.h"
#include "clock_id.h"
#include "guest.h"
#include "host.h"
#include "lineage.h"
#include "set_time.h"
#include "supervisor.h"
#include "timespec.h"
#include "usage.h"

#define TICK_NS 10000000 /* USER_HZ is 100 on every Linux */

/* The kernel's structs: musl's go on behind them, and a guest's may not. */
#define RUSAGE_SIZE  144
#define SYSINFO_SIZE 112
_Static_assert(offsetof(struct rusage, ru_nivcsw) + sizeof(long) == RUSAGE_SIZE, "as the kernel's");
_Static_assert(offsetof(struct sysinfo, mem_unit) + 8 == SYSINFO_SIZE, "as the kernel's");
_Static_assert(sizeof(struct timex) == 208 && sizeof(struct tms) == 32, "as the kernel's");

static long put(const struct question *q, uint64_t address, const void *data, size_t size)
{
    int error = guest_write(q, address, data, size);
    return error ? supervisor_unreachable(q, error) : 0;
}

static int64_t now(const struct question *q, enum detrun_family family)
{
    int64_t ns = clock_read(q->m, q->task, family);
    trace_clock(q, clock_source(family), ns);
    return ns;
}

static bool names_nobody(const struct question *q, clockid_t id)
{
    if (!clock_id_names(id))
        return false;
    int32_t pid = clock_id_pid(id);
    return lineage_is_virtual(pid) ? !lineage_by_vpid(q->m, pid) : !lineage_by_real(q->m, pid);
}

long answer_clock_gettime(struct question *q)
{
    clockid_t id = (clockid_t)q->args[0];
    int family = clock_family(id);
    if (family < 0)
        return ANSWER_CONTINUE;
    q->source = clock_source((enum detrun_family)family);
    if (supervisor_is_real(q, q->source))
        return ANSWER_CONTINUE;
    if (names_nobody(q, id))
        return -EINVAL;
    struct timespec ts = timespec_of(now(q, (enum detrun_family)family));
    return put(q, q->args[1], &ts, sizeof(ts));
}

long answer_gettimeofday(struct question *q)
{
    struct timezone zone = {0};
    if (supervisor_is_real(q, DETRUN_WALL))
        return ANSWER_CONTINUE;
    if (q->args[0] != 0) {
        struct timeval tv = timeval_of(now(q, DETRUN_FAMILY_WALL));
        long result = put(q, q->args[0], &tv, sizeof(tv));
        if (result != 0)
            return result;
    }
    return q->args[1] == 0 ? 0 : put(q, q->args[1], &zone, sizeof(zone));
}

long answer_time(struct question *q)
{
    if (supervisor_is_real(q, DETRUN_WALL))
        return ANSWER_CONTINUE;
    time_t seconds = timespec_of(now(q, DETRUN_FAMILY_WALL)).tv_sec;
    long result = q->args[0] == 0 ? 0 : put(q, q->args[0], &seconds, sizeof(seconds));
    return result == 0 ? seconds : result;
}

static long get(const struct question *q, uint64_t address, void *data, size_t size)
{
    int error = guest_read((int32_t)q->request->pid, address, data, size);
    return error ? supervisor_unreachable(q, error) : 0;
}

long answer_clock_settime(struct question *q)
{
    struct timespec ts;
    if ((clockid_t)q->args[0] != CLOCK_REALTIME || supervisor_is_real(q, DETRUN_WALL))
        return ANSWER_CONTINUE;
    long result = get(q, q->args[1], &ts, sizeof(ts));
    return result == 0 ? set_time(ts.tv_sec, ts.tv_nsec) : result;
}

long answer_settimeofday(struct question *q)
{
    struct timeval tv = {0};
    struct timezone zone;
    if (supervisor_is_real(q, DETRUN_WALL))
        return ANSWER_CONTINUE;
    long result = q->args[0] == 0 ? 0 : get(q, q->args[0], &tv, sizeof(tv));
    if (result == 0)
        result = set_time_of_day(&tv);
    long unread = q->args[1] == 0 ? 0 : get(q, q->args[1], &zone, sizeof(zone));
    return result == -EPERM && unread != 0 ? unread : result;
}

static long adjust(struct question *q, uint64_t address)
{
    struct timex tx;
    if (supervisor_is_real(q, DETRUN_WALL))
        return ANSWER_CONTINUE;
    long result = get(q, address, &tx, sizeof(tx));
    if (result != 0)
        return result;
    long state = set_time_adjust(&tx, now(q, DETRUN_FAMILY_WALL));
    result = state < 0 ? 0 : put(q, address, &tx, sizeof(tx));
    return result == 0 ? state : result;
}

long answer_adjtimex(struct question *q)
{
    return adjust(q, q->args[0]);
}

long answer_clock_adjtime(struct question *q)
{
    return (clockid_t)q->args[0] == CLOCK_REALTIME ? adjust(q, q->args[1]) : ANSWER_CONTINUE;
}

long answer_times(struct question *q)
{
    if (supervisor_is_real(q, DETRUN_CPUTIME))
        return ANSWER_CONTINUE;
    if (q->args[0] != 0) {
        struct tms tms = {.tms_utime = now(q, DETRUN_FAMILY_CPU) / TICK_NS};
        long result = put(q, q->args[0], &tms, sizeof(tms));
        if (result != 0)
            return result;
    }
    return now(q, DETRUN_FAMILY_MONO) / TICK_NS;
}

long answer_getrusage(struct question *q)
{
    int who = (int)q->args[0];
    bool own = who == RUSAGE_SELF || who == RUSAGE_THREAD;
    struct rusage usage;
    if (supervisor_is_real(q, DETRUN_CPUTIME))
        return ANSWER_CONTINUE;
    if (!own && who != RUSAGE_CHILDREN)
        return -EINVAL;
    usage_fill(&usage, own ? now(q, DETRUN_FAMILY_CPU) : 0);
    return put(q, q->args[1], &usage, RUSAGE_SIZE);
}

long answer_sysinfo(struct question *q)
{
    struct sysinfo info;
    if (sysinfo(&info) != 0)
        return ANSWER_CONTINUE;
    if (!supervisor_is_real(q, DETRUN_PROC))
        host_memory(&info);
    if (!supervisor_is_real(q, DETRUN_MONOTONIC))
        info.uptime = (__typeof__(info.uptime))(now(q, DETRUN_FAMILY_MONO) / TIMESPEC_SECOND);
    return put(q, q->args[0], &info, SYSINFO_SIZE);
}
