/* SPDX-License-Identifier: MIT */
#include "guest_thread.h"

#define MANY 2000

static int ended;

static void *count(void *argument)
{
    unsigned char byte;
    CHECK(getrandom(&byte, 1, 0) == 1);
    __atomic_fetch_add(&ended, 1, __ATOMIC_ACQ_REL);
    return argument;
}

/* More than could be kept if their records were not given back. */
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < MANY; i++) {
        CHECK(pthread_create(&thread, NULL, count, NULL) == 0);
        CHECK(pthread_detach(thread) == 0);
        while (__atomic_load_n(&ended, __ATOMIC_ACQUIRE) <= i)
            sched_yield();
    }
    CHECK(pthread_create(&thread, NULL, count, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    show("pid", getpid());
    return guest_end();
}
