/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    CHECK(pthread_mutex_lock(&mutex) == 0);
    int error = pthread_cond_clockwait(&cond, &mutex, id, deadline);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return error;
}

int main(void)
{
    struct timespec soon = {.tv_sec = 1};
    check_deadlines(wait_until, CLOCK_REALTIME);
    check_deadlines(wait_until, CLOCK_MONOTONIC);
    CHECK(wait_until(CLOCK_PROCESS_CPUTIME_ID, &soon) == EINVAL);
    return guest_end();
}
