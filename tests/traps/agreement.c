/* SPDX-License-Identifier: MIT */
/* All ways to ask for the time agree: the wall clocks among each other, the monotonic ones among
 * each other, the two families not; time() is never 0, the monotonic clock starts after the machine
 * did. */
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>

#include "trap.h"

static bool near(long long a, long long b, long long most)
{
    return (a > b ? a - b : b - a) <= most;
}

static void wall(void)
{
    struct timespec ts;
    struct timeval tv;
    long long real = clock_ns(CLOCK_REALTIME);
    CHECK(time(NULL) != 0 && near(time(NULL) * SECOND, real, 3 * SECOND));
    CHECK(gettimeofday(&tv, NULL) == 0 && near(tv.tv_sec * SECOND, real, 3 * SECOND));
    CHECK(timespec_get(&ts, TIME_UTC) == TIME_UTC && near(ts.tv_sec * SECOND, real, 3 * SECOND));
    CHECK(near(clock_ns(CLOCK_REALTIME_COARSE), real, 2 * SECOND));
    CHECK(near(clock_ns(CLOCK_TAI), real, 60 * SECOND));
    CHECK(near(syscall(SYS_time, NULL) * SECOND, real, 3 * SECOND));
    CHECK(!near(real, clock_ns(CLOCK_MONOTONIC), 86400 * SECOND));
}

static void monotonic(void)
{
    struct sysinfo info;
    struct tms cpu;
    long long mono = clock_ns(CLOCK_MONOTONIC);
    CHECK(mono > 0 && mono < clock_ns(CLOCK_REALTIME) / 2);
    CHECK(near(clock_ns(CLOCK_MONOTONIC_COARSE), mono, SECOND));
    CHECK(near(clock_ns(CLOCK_MONOTONIC_RAW), mono, mono / 2 + SECOND));
    long long boot = clock_ns(CLOCK_BOOTTIME);
    CHECK(boot >= mono - SECOND);
    CHECK(sysinfo(&info) == 0 && near(info.uptime * SECOND, boot, 3 * SECOND));
    CHECK(times(&cpu) > 0);
}

static void deadline_of_a_sleep(void)
{
    struct timespec ms = {0, 20000000};
    long long wall_before = clock_ns(CLOCK_REALTIME);
    long long mono_before = clock_ns(CLOCK_MONOTONIC);
    clock_t ticks = times(&(struct tms){0});
    CHECK(nanosleep(&ms, NULL) == 0);
    CHECK(clock_ns(CLOCK_REALTIME) - wall_before >= 20 * MILLISECOND);
    CHECK(clock_ns(CLOCK_MONOTONIC) - mono_before >= 20 * MILLISECOND);
    CHECK(times(&(struct tms){0}) - ticks >= 1);
}

static void never_back(void)
{
    long long before = 0;
    for (int i = 0; i < 2000; i++) {
        long long now = clock_ns(CLOCK_MONOTONIC);
        CHECK(now >= before);
        before = now;
    }
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        wall();
        monotonic();
        deadline_of_a_sleep();
    }
    never_back();
    return guest_end();
}
