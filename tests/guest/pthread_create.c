/* SPDX-License-Identifier: MIT */
#include "guest_thread.h"

static void *with_little_stack(void *argument)
{
    CHECK(clock_ns(CLOCK_REALTIME) > 0 && getpid() > 0);
    return argument;
}

int main(void)
{
    struct thread_view views[8];
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, thread_look, &views[i]) == 0);
    for (int i = 0; i < 8; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    check_views(views, 8);
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, 16384) == 0);
    CHECK(pthread_create(&threads[0], &attributes, with_little_stack, &views) == 0);
    void *value;
    CHECK(pthread_join(threads[0], &value) == 0 && value == &views);
    CHECK(pthread_attr_setstacksize(&attributes, 1UL << 46) == 0);
    CHECK(pthread_create(&threads[0], &attributes, with_little_stack, NULL) == EAGAIN);
    return guest_end();
}
