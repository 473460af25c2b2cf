/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_timer.h"

static long set(enum way way, int id, int flags, const struct itimerspec *new,
                struct itimerspec *old)
{
    if (way == BY_LIBC)
        return LIBC(timer_settime((timer_t)(intptr_t)id, flags, new, old));
    return by((enum door)way, SYS_timer_settime, id, flags, (long)new, (long)old);
}

static void check_errors(enum way way, int id)
{
    struct itimerspec good = spec_ns(90000 * MS, 7 * MS);
    struct itimerspec bad[] = {
        {.it_value = {0, 1000000000}},    {.it_value = {0, -1}},    {.it_value = {-1, 0}},
        {.it_interval = {0, 1000000000}}, {.it_interval = {-1, 0}},
    };
    CHECK(set(way, id, 0, &good, NULL) == 0);
    for (int i = 0; i < 5; i++)
        CHECK(set(way, id, 0, &bad[i], NULL) == -EINVAL);
    CHECK(by(BY_SYSCALL, SYS_timer_settime, id, 0, 0, 0) == -EINVAL);
    CHECK(by(BY_INSTRUCTION, SYS_timer_settime, id, 0, 0, 0) == -EINVAL);
    CHECK(set(way, id, 0, bad_pointer(), NULL) == -EFAULT);
    CHECK(set(way, id + 1000, 0, bad_pointer(), NULL) == -EFAULT);
    CHECK(set(way, id + 1000, 0, &good, NULL) == -EINVAL);
    check_spec(get_timer(id), 90000 * MS, 7 * MS);
    good = spec_ns(80000 * MS, 0);
    CHECK(set(way, id, 0, &good, bad_pointer()) == -EFAULT);
    check_spec(get_timer(id), 80000 * MS, 0);
}

static void check_off(enum way way, int id)
{
    struct itimerspec on = spec_ns(50000 * MS, 3 * MS);
    struct itimerspec off = spec_ns(0, 3 * MS);
    struct itimerspec *old = guarded(sizeof(*old));
    CHECK(set(way, id, 0, &on, NULL) == 0);
    CHECK(set(way, id, 0, &off, old) == 0 && guard_holds(old));
    check_spec(*old, 50000 * MS, 3 * MS);
    CHECK(set(way, id, 0, &off, old) == 0);
    check_spec(*old, 0, 0);
}

static void check_expires(enum way way, int id)
{
    struct itimerspec ticks = spec_ns(30 * MS, 10 * MS);
    struct itimerspec off = spec_ns(0, 0);
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(set(way, id, 0, &ticks, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        siginfo_t info = wait_signal(SIGUSR1);
        CHECK(info.si_code == SI_TIMER && info.si_value.sival_int == 77 && info.si_timerid == id);
    }
    CHECK(set(way, id, 0, &off, NULL) == 0);
    if (supervised())
        check_since(before, 50 * MS);
}

/* What is over is told before the call is back. */
static void check_past(enum way way, int id, clockid_t clock)
{
    struct itimerspec past = spec_ns(1, 0);
    CHECK(set(way, id, TIMER_ABSTIME, &past, NULL) == 0);
    CHECK(is_pending(SIGUSR1));
    wait_signal(SIGUSR1);
    check_spec(get_timer(id), 0, 0);
    struct itimerspec long_ago = spec_ns(clock_ns(clock) - 95000 * MS, 10000 * MS);
    CHECK(set(way, id, TIMER_ABSTIME, &long_ago, NULL) == 0);
    CHECK(wait_signal(SIGUSR1).si_overrun == 9);
    check_spec(get_timer(id), 5000 * MS, 10000 * MS);
}

static void check_absolute(enum way way, int id, clockid_t clock)
{
    long long deadline = clock_ns(clock) + 40 * MS;
    struct itimerspec then = spec_ns(deadline, 0);
    CHECK(set(way, id, TIMER_ABSTIME, &then, NULL) == 0);
    wait_signal(SIGUSR1);
    if (children_share_time() && answered((enum door)way))
        CHECK(clock_ns(clock) >= deadline);
}

static void check(enum way way, clockid_t clock)
{
    int id = make_timer(clock, SIGEV_SIGNAL, SIGUSR1);
    check_errors(way, id);
    check_off(way, id);
    check_expires(way, id);
    if (!under_detrun() || supervised()) {
        check_past(way, id, clock);
        check_absolute(way, id, clock);
    }
    CHECK(syscall(SYS_timer_delete, id) == 0);
}

int main(void)
{
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME, CLOCK_BOOTTIME, CLOCK_TAI};
    block(SIG_BLOCK, SIGUSR1);
    for (unsigned i = 0; i < 4; i++)
        for (enum way way = 0; way < WAYS; way++)
            check(way, clocks[i]);
    return guest_end();
}
