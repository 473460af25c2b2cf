/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <threads.h>

#include "guest_lock.h"

static mtx_t mutex;
static cnd_t cond;
static int given;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    (void)id;
    int result = cnd_timedwait(&cond, &mutex, deadline);
    return result == thrd_timedout ? ETIMEDOUT : result == thrd_error ? EINVAL : result;
}

static int give(void *unused)
{
    (void)unused;
    struct timespec soon = timespec_ns(100000000);
    CHECK(thrd_sleep(&soon, NULL) == 0);
    CHECK(mtx_lock(&mutex) == thrd_success);
    given = 1;
    CHECK(cnd_signal(&cond) == thrd_success);
    CHECK(mtx_unlock(&mutex) == thrd_success);
    return 0;
}

/* What comes before the deadline ends the wait, with the job's time. */
static void check_event(void)
{
    thrd_t thread;
    long long before = clock_ns(CLOCK_MONOTONIC);
    struct timespec deadline = timespec_ns(clock_ns(CLOCK_REALTIME) + 3600000000000);
    CHECK(thrd_create(&thread, give, NULL) == thrd_success);
    while (!given)
        CHECK(cnd_timedwait(&cond, &mutex, &deadline) == thrd_success);
    show("given", clock_ns(CLOCK_MONOTONIC) - before);
    CHECK(mtx_unlock(&mutex) == thrd_success);
    CHECK(thrd_join(thread, NULL) == thrd_success);
}

int main(void)
{
    CHECK(mtx_init(&mutex, mtx_plain) == thrd_success && cnd_init(&cond) == thrd_success);
    CHECK(mtx_lock(&mutex) == thrd_success);
    check_deadlines(wait_until, CLOCK_REALTIME);
    check_event();
    return guest_end();
}
