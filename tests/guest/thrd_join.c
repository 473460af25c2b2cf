/* SPDX-License-Identifier: MIT */
#include "guest_thread.h"

static int sleep_long(void *argument)
{
    (void)argument;
    usleep(50000);
    thrd_exit(-5);
}

int main(void)
{
    thrd_t thread;
    int value;
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(thrd_create(&thread, sleep_long, NULL) == thrd_success);
    CHECK(thrd_join(thread, &value) == thrd_success && value == -5);
    long long moved = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(moved >= 50000000);
    show("moved", moved);
    CHECK(thrd_create(&thread, sleep_long, NULL) == thrd_success);
    CHECK(thrd_join(thread, NULL) == thrd_success);
    show("pid", getpid());
    return guest_end();
}
