/* SPDX-License-Identifier: MIT */
/* Every clock id by symbol, by syscall() and by a bare instruction: good ones, bad ones, NULL, bad
 * pointers; what is written has the kernel's exact size, what fails writes nothing. */
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>

#include "trap.h"

static const clockid_t good[] = {0, 1, 2, 3, 4, 5, 6, 7, 11};
static const clockid_t bad[] = {10, 12, 16, 99, 0x7fffffff, -1000000 * 8 + 2};

static bool untouched(const void *object, size_t size)
{
    const unsigned char *at = object;
    for (size_t i = 0; i < size; i++)
        if (at[i] != 0xa5)
            return false;
    return true;
}

static void by_number(enum door door)
{
    struct timespec *ts = guarded(sizeof(*ts));
    for (unsigned i = 0; i < sizeof(good) / sizeof(*good); i++) {
        CHECK(by(door, SYS_clock_gettime, good[i], (long)ts) == 0 && guard_holds(ts));
        CHECK(ts->tv_sec >= 0 && ts->tv_nsec >= 0 && ts->tv_nsec < SECOND);
        CHECK(by(door, SYS_clock_gettime, good[i], 0) == -EFAULT);
        CHECK(by(door, SYS_clock_gettime, good[i], (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_clock_getres, good[i], (long)ts) == 0 && guard_holds(ts));
        CHECK(ts->tv_sec == 0 && ts->tv_nsec > 0);
        CHECK(by(door, SYS_clock_getres, good[i], 0) == 0);
    }
    for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        struct timespec *none = guarded(sizeof(*none));
        CHECK(by(door, SYS_clock_gettime, bad[i], (long)none) == -EINVAL);
        CHECK(by(door, SYS_clock_gettime, bad[i], 0) == -EINVAL);
        CHECK(by(door, SYS_clock_getres, bad[i], (long)none) == -EINVAL);
        CHECK(by(door, SYS_clock_getres, bad[i], 0) == -EINVAL);
        CHECK(untouched(none, sizeof(*none)));
    }
    /* The alarm clocks are there where the machine has one that can wake it. */
    for (clockid_t id = 8; id < 10; id++) {
        long result = by(door, SYS_clock_gettime, id, (long)ts);
        CHECK(result == 0 || result == -EINVAL);
    }
}

static void others_by_number(enum door door)
{
    struct timeval *tv = guarded(sizeof(*tv));
    struct timezone *zone = guarded(sizeof(*zone));
    time_t *seconds = guarded(sizeof(*seconds));
    struct tms *cpu = guarded(sizeof(*cpu));
    struct sysinfo *info = guarded(sizeof(*info));
    struct rusage *usage = guarded(sizeof(*usage));
    CHECK(by(door, SYS_gettimeofday, (long)tv, (long)zone) == 0);
    CHECK(guard_holds(tv) && guard_holds(zone) && tv->tv_usec >= 0 && tv->tv_usec < 1000000);
    CHECK(zone->tz_minuteswest == 0 && zone->tz_dsttime == 0);
    CHECK(by(door, SYS_gettimeofday, 0, 0) == 0);
    CHECK(by(door, SYS_gettimeofday, (long)bad_pointer(), 0) == -EFAULT);
    CHECK(by(door, SYS_gettimeofday, 0, (long)bad_pointer()) == -EFAULT);
    CHECK(by(door, SYS_time, (long)seconds) == *seconds && guard_holds(seconds));
    CHECK(by(door, SYS_time, (long)bad_pointer()) == -EFAULT);
    CHECK(by(door, SYS_times, (long)cpu) > 0 && guard_holds(cpu));
    CHECK(by(door, SYS_times, 0) > 0 && by(door, SYS_times, (long)bad_pointer()) == -EFAULT);
    CHECK(by(door, SYS_sysinfo, (long)info) == 0 && guard_holds(info) && info->uptime >= 0);
    CHECK(by(door, SYS_sysinfo, (long)bad_pointer()) == -EFAULT);
    for (int who = RUSAGE_CHILDREN; who <= RUSAGE_THREAD; who++)
        CHECK(by(door, SYS_getrusage, who, (long)usage) == 0 && guard_holds(usage));
    CHECK(by(door, SYS_getrusage, 7, (long)usage) == -EINVAL);
    CHECK(by(door, SYS_getrusage, RUSAGE_SELF, (long)bad_pointer()) == -EFAULT);
}

static void by_symbol(void)
{
    struct timespec *ts = guarded(sizeof(*ts));
    struct timeb *tb = guarded(sizeof(*tb));
    FAILS(EINVAL, clock_gettime(99, ts));
    CHECK(untouched(ts, sizeof(*ts)));
    CHECK(timespec_get(ts, TIME_UTC) == TIME_UTC && guard_holds(ts));
    CHECK(timespec_get(ts, 99) == 0);
    CHECK(clock_getres(CLOCK_MONOTONIC, NULL) == 0);
    FAILS(EINVAL, clock_settime(99, ts));
    CHECK(tb != NULL && clock() >= 0);
}

int main(void)
{
    by_symbol();
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        by_number(door);
        others_by_number(door);
    }
    return guest_end();
}
