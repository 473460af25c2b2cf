/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    (void)id;
    return pthread_mutex_timedlock(&mutex, deadline);
}

int main(void)
{
    struct timespec past = {0};
    CHECK(pthread_mutex_timedlock(&mutex, &past) == 0);
    check_deadlines(wait_until, CLOCK_REALTIME);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return guest_end();
}
