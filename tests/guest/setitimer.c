/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_timer.h"

static long set(enum way way, int which, const struct itimerval *new, struct itimerval *old)
{
    if (way == BY_LIBC)
        return LIBC(setitimer((__itimer_which_t)which, new, old));
    return by((enum door)way, SYS_setitimer, which, (long)new, (long)old);
}

static struct itimerval ms(long value, long interval)
{
    return (struct itimerval){.it_value = {value / 1000, value % 1000 * 1000},
                              .it_interval = {interval / 1000, interval % 1000 * 1000}};
}

static void check_now(long value, long interval)
{
    struct itimerval now;
    CHECK(getitimer(ITIMER_REAL, &now) == 0);
    check_near(now.it_value.tv_sec * 1000 * MS + now.it_value.tv_usec * 1000, value * MS);
    CHECK(now.it_interval.tv_sec * 1000 + now.it_interval.tv_usec / 1000 == interval);
}

static void check_errors(enum way way)
{
    struct itimerval good = ms(90000, 7000);
    struct itimerval bad[] = {
        {.it_value = {0, 1000000}}, {.it_value = {0, -1}},
        {.it_value = {-1, 0}},      {.it_value = {1, 0}, .it_interval = {0, 1000000}},
        {.it_interval = {-1, 0}},
    };
    CHECK(set(way, ITIMER_REAL, &good, NULL) == 0);
    for (int i = 0; i < 5; i++)
        CHECK(set(way, ITIMER_REAL, &bad[i], NULL) == -EINVAL);
    CHECK(set(way, 3, &good, NULL) == -EINVAL);
    CHECK(set(way, -1, &good, NULL) == -EINVAL);
    CHECK(set(way, 3, bad_pointer(), NULL) == -EFAULT);
    CHECK(set(way, ITIMER_REAL, bad_pointer(), NULL) == -EFAULT);
    check_now(90000, 7000);
    good = ms(80000, 0);
    CHECK(set(way, ITIMER_REAL, &good, bad_pointer()) == -EFAULT);
    check_now(80000, 0);
}

static void check_off(enum way way)
{
    struct itimerval on = ms(50000, 3000);
    struct itimerval off = ms(0, 3000);
    struct itimerval *old = guarded(sizeof(*old));
    CHECK(set(way, ITIMER_REAL, &on, NULL) == 0);
    CHECK(set(way, ITIMER_REAL, &off, old) == 0 && guard_holds(old));
    check_near(old->it_value.tv_sec * 1000 * MS + old->it_value.tv_usec * 1000, 50000 * MS);
    CHECK(old->it_interval.tv_sec == 3 && old->it_interval.tv_usec == 0);
    CHECK(set(way, ITIMER_REAL, &on, old) == 0);
    CHECK(old->it_value.tv_sec == 0 && old->it_value.tv_usec == 0);
    CHECK(old->it_interval.tv_sec == 0 && old->it_interval.tv_usec == 0);
    CHECK(by(BY_SYSCALL, SYS_setitimer, ITIMER_REAL, 0, 0) == 0);
    CHECK(alarm(0) == 0);
}

static void check_ticks(enum way way)
{
    struct itimerval ticks = ms(20, 10);
    struct itimerval off = ms(0, 0);
    long long before = clock_ns(CLOCK_MONOTONIC);
    taken = 0;
    CHECK(set(way, ITIMER_REAL, &ticks, NULL) == 0);
    while (taken < 5) {
        FAILS(EINTR, pause());
        CHECK(taken_info.si_code == SI_KERNEL);
    }
    CHECK(set(way, ITIMER_REAL, &off, NULL) == 0);
    if (supervised())
        check_since(before, 60 * MS);
}

/* On CPU time it is the kernel's. */
static void check_cpu_time(enum way way)
{
    struct itimerval soon = ms(5, 0);
    CHECK(set(way, ITIMER_PROF, &soon, NULL) == 0);
    for (taken = 0; taken == 0;)
        ;
    CHECK(taken_number == SIGPROF);
}

int main(void)
{
    install(SIGALRM, take, 0);
    install(SIGPROF, take, 0);
    for (enum way way = 0; way < WAYS; way++) {
        check_errors(way);
        check_off(way);
        check_ticks(way);
        check_cpu_time(way);
    }
    return guest_end();
}
