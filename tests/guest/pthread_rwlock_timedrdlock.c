/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_lock.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *hold(void *deadline)
{
    CHECK(pthread_rwlock_timedrdlock(&lock, deadline) == ETIMEDOUT);
    return NULL;
}

/* Of another thread: who holds it for writing gets EDEADLK. */
static void check_other_thread(long long ahead_ns)
{
    pthread_t thread;
    long long before = clock_ns(CLOCK_REALTIME);
    struct timespec deadline = timespec_ns(before + ahead_ns);
    CHECK(pthread_create(&thread, NULL, hold, &deadline) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    long long moved = clock_ns(CLOCK_REALTIME) - before;
    CHECK(moved >= ahead_ns);
    show("moved", moved);
}

int main(void)
{
    struct timespec past = {0};
    CHECK(pthread_rwlock_timedrdlock(&lock, &past) == 0);
    CHECK(pthread_rwlock_unlock(&lock) == 0 && pthread_rwlock_wrlock(&lock) == 0);
    check_other_thread(-1000000000);
    check_other_thread(20000000);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
    return guest_end();
}
