/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <threads.h>

#include "guest_lock.h"

static mtx_t mutex;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    (void)id;
    int result = mtx_timedlock(&mutex, deadline);
    return result == thrd_timedout ? ETIMEDOUT : result == thrd_error ? EINVAL : result;
}

int main(void)
{
    struct timespec past = {0};
    CHECK(mtx_init(&mutex, mtx_timed) == thrd_success);
    CHECK(mtx_timedlock(&mutex, &past) == thrd_success);
    check_deadlines(wait_until, CLOCK_REALTIME);
    CHECK(mtx_unlock(&mutex) == thrd_success);
    return guest_end();
}
