/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_timer.h"

static long get(enum way way, int which, struct itimerval *now)
{
    if (way == BY_LIBC)
        return LIBC(getitimer((__itimer_which_t)which, now));
    return by((enum door)way, SYS_getitimer, which, (long)now);
}

static long long us_of(struct timeval tv)
{
    return tv.tv_sec * 1000000LL + tv.tv_usec;
}

static void check_errors(enum way way)
{
    CHECK(get(way, 3, bad_pointer()) == -EINVAL);
    CHECK(get(way, -1, bad_pointer()) == -EINVAL);
    CHECK(get(way, ITIMER_REAL, bad_pointer()) == -EFAULT);
    CHECK(get(way, ITIMER_VIRTUAL, bad_pointer()) == -EFAULT);
}

static void check_left(enum way way)
{
    struct itimerval set = {.it_value = {60, 0}, .it_interval = {7, 5}};
    struct itimerval *now = guarded(sizeof(*now));
    CHECK(get(way, ITIMER_REAL, now) == 0 && guard_holds(now));
    CHECK(us_of(now->it_value) == 0 && us_of(now->it_interval) == 0);
    CHECK(setitimer(ITIMER_REAL, &set, NULL) == 0 && usleep(20000) == 0);
    CHECK(get(way, ITIMER_REAL, now) == 0 && us_of(now->it_interval) == 7000005);
    check_near(us_of(now->it_value) * 1000, 60000 * MS - 20 * MS);
    show("left", supervised() ? us_of(now->it_value) : 0);
    check_seconds(alarm(0), 60);
    CHECK(get(way, ITIMER_REAL, now) == 0 && us_of(now->it_value) == 0);
    CHECK(get(way, ITIMER_PROF, now) == 0 && us_of(now->it_value) == 0);
}

/* As long as its signal has not been taken it does not go on. */
static void check_pending(enum way way)
{
    struct itimerval ticks = {.it_value.tv_usec = 10000, .it_interval.tv_sec = 50};
    struct itimerval now;
    block(SIG_BLOCK, SIGALRM);
    CHECK(setitimer(ITIMER_REAL, &ticks, NULL) == 0 && usleep(100000) == 0);
    CHECK(is_pending(SIGALRM));
    CHECK(get(way, ITIMER_REAL, &now) == 0);
    CHECK(us_of(now.it_value) == 0 && us_of(now.it_interval) == 50000000);
    wait_signal(SIGALRM);
    CHECK(get(way, ITIMER_REAL, &now) == 0);
    check_near(us_of(now.it_value) * 1000, 50000 * MS - 90 * MS);
    check_seconds(alarm(0), 50);
    block(SIG_UNBLOCK, SIGALRM);
}

int main(void)
{
    for (enum way way = 0; way < WAYS; way++) {
        check_errors(way);
        check_left(way);
        check_pending(way);
    }
    return guest_end();
}
