/* SPDX-License-Identifier: MIT */
#include "guest_thread.h"

static int go;

static void *wait_for_word(void *argument)
{
    while (!__atomic_load_n(&go, __ATOMIC_ACQUIRE))
        sched_yield();
    return thread_look(argument);
}

int main(void)
{
    struct thread_view view;
    pthread_t thread;
    void *value;
    CHECK(pthread_create(&thread, NULL, wait_for_word, &view) == 0);
    CHECK(pthread_tryjoin_np(thread, &value) == EBUSY);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    while (pthread_tryjoin_np(thread, &value) == EBUSY)
        sched_yield();
    CHECK(value == &view);
    show("tid", view.tid);
    show_bytes("random", view.bytes, 16);
    return guest_end();
}
