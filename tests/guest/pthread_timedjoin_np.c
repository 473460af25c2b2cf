/* SPDX-License-Identifier: MIT */
#include "guest_thread.h"

static int go;

static void *wait_for_word(void *argument)
{
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
        usleep(1000);
    return argument;
}

int main(void)
{
    pthread_t thread;
    void *value;
    CHECK(pthread_create(&thread, NULL, wait_for_word, &go) == 0);
    long long before = clock_ns(CLOCK_REALTIME);
    struct timespec deadline = timespec_ns(before + 50000000);
    CHECK(pthread_timedjoin_np(thread, &value, &deadline) == ETIMEDOUT);
    long long moved = clock_ns(CLOCK_REALTIME) - before;
    CHECK(moved >= 50000000);
    show("moved", moved);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    deadline = timespec_ns(clock_ns(CLOCK_REALTIME) + 10000000000);
    CHECK(pthread_timedjoin_np(thread, &value, &deadline) == 0 && value == &go);
    show("pid", getpid());
    return guest_end();
}
