/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    return pthread_mutex_clocklock(&mutex, id, deadline);
}

int main(void)
{
    struct timespec past = {0};
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past) == 0);
    check_deadlines(wait_until, CLOCK_REALTIME);
    check_deadlines(wait_until, CLOCK_MONOTONIC);
    CHECK(wait_until(CLOCK_PROCESS_CPUTIME_ID, &past) == EINVAL);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return guest_end();
}
