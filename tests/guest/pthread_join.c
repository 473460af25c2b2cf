/* SPDX-License-Identifier: MIT */
#include "guest_thread.h"

static void *leave(void *argument)
{
    pthread_exit(argument);
}

int main(void)
{
    struct thread_view view;
    pthread_t thread;
    void *value;
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(pthread_create(&thread, NULL, thread_look, &view) == 0);
    CHECK(pthread_join(thread, &value) == 0 && value == &view);
    long long moved = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(moved >= 20000000);
    show("moved", moved);
    check_views(&view, 1);
    CHECK(pthread_create(&thread, NULL, leave, &view) == 0);
    CHECK(pthread_join(thread, &value) == 0 && value == &view);
    CHECK(pthread_join(pthread_self(), NULL) == EDEADLK);
    return guest_end();
}
