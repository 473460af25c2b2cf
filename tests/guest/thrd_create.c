/* SPDX-License-Identifier: MIT */
#include "guest_thread.h"

static int look(void *argument)
{
    thread_look(argument);
    return 42;
}

int main(void)
{
    struct thread_view views[3];
    thrd_t threads[3];
    for (int i = 0; i < 3; i++)
        CHECK(thrd_create(&threads[i], look, &views[i]) == thrd_success);
    for (int i = 0; i < 3; i++) {
        int value;
        CHECK(thrd_join(threads[i], &value) == thrd_success && value == 42);
    }
    check_views(views, 3);
    return guest_end();
}
