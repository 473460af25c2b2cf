/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"

static pthread_cond_t cond;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int wait_until(clockid_t id, const struct timespec *deadline)
{
    (void)id;
    CHECK(pthread_mutex_lock(&mutex) == 0);
    int error = pthread_cond_timedwait(&cond, &mutex, deadline);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
    return error;
}

int main(void)
{
    static const clockid_t ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC};
    for (int i = 0; i < 2; i++) {
        pthread_condattr_t attributes;
        CHECK(pthread_condattr_init(&attributes) == 0);
        CHECK(pthread_condattr_setclock(&attributes, ids[i]) == 0);
        CHECK(pthread_cond_init(&cond, &attributes) == 0);
        check_deadlines(wait_until, ids[i]);
    }
    return guest_end();
}
