/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_timer.h"

static long get(enum way way, int id, struct itimerspec *now)
{
    if (way == BY_LIBC)
        return LIBC(timer_gettime((timer_t)(intptr_t)id, now));
    return by((enum door)way, SYS_timer_gettime, id, (long)now);
}

static void check(enum way way)
{
    struct itimerspec *now = guarded(sizeof(*now));
    int id = make_timer(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGUSR1);
    CHECK(get(way, id + 1000, now) == -EINVAL);
    CHECK(get(way, id, bad_pointer()) == -EFAULT);
    CHECK(get(way, id, now) == 0 && guard_holds(now));
    check_spec(*now, 0, 0);
    set_timer(id, 0, 60000 * MS, 7 * MS);
    CHECK(usleep(20000) == 0 && get(way, id, now) == 0);
    check_spec(*now, 59980 * MS, 7 * MS);
    show("left", supervised() ? ns_of(now->it_value) : 0);
    set_timer(id, 0, 10 * MS, 0);
    wait_signal(SIGUSR1);
    CHECK(get(way, id, now) == 0);
    check_spec(*now, 0, 0);
    CHECK(syscall(SYS_timer_delete, id) == 0);
    CHECK(get(way, id, now) == -EINVAL);
}

/* Its signal is pending: what is left is the time to the next expiry all the same. */
static void check_pending(enum way way)
{
    struct itimerspec now;
    int id = make_timer(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGUSR1);
    set_timer(id, 0, 10 * MS, 50000 * MS);
    CHECK(usleep(100000) == 0 && is_pending(SIGUSR1));
    CHECK(get(way, id, &now) == 0);
    check_spec(now, 49910 * MS, 50000 * MS);
    wait_signal(SIGUSR1);
    CHECK(syscall(SYS_timer_delete, id) == 0);
}

static void check_silent(enum way way)
{
    struct itimerspec now;
    int id = make_timer(CLOCK_MONOTONIC, SIGEV_NONE, 0);
    set_timer(id, 0, 10 * MS, 0);
    CHECK(get(way, id, &now) == 0);
    check_spec(now, 10 * MS, 0);
    CHECK(usleep(50000) == 0);
    CHECK(get(way, id, &now) == 0);
    check_spec(now, 0, 0);
    set_timer(id, 0, 10 * MS, 30000 * MS);
    CHECK(usleep(50000) == 0);
    CHECK(get(way, id, &now) == 0);
    check_spec(now, 29960 * MS, 30000 * MS);
    CHECK(syscall(SYS_timer_delete, id) == 0);
}

int main(void)
{
    block(SIG_BLOCK, SIGUSR1);
    for (enum way way = 0; way < WAYS; way++) {
        check(way);
        check_pending(way);
        check_silent(way);
    }
    return guest_end();
}
