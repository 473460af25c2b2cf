/* SPDX-License-Identifier: MIT */
#include "guest_interrupt.h"

int main(void)
{
    pthread_t thread = sleeping_thread();
    CHECK(pthread_kill(thread, 0) == 0);
    CHECK(pthread_kill(thread, 65) == EINVAL);
    CHECK(pthread_kill(thread, SIGUSR1) == 0);
    CHECK(ended(thread) != NULL && interrupted == 1);
    show("pid", getpid());
    return guest_end();
}
