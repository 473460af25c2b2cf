/* SPDX-License-Identifier: MIT */
#include "guest_interrupt.h"

int main(void)
{
    pthread_t thread = sleeping_thread();
    union sigval value = {.sival_int = 4242};
    CHECK(pthread_sigqueue(thread, 0, value) == 0);
    CHECK(pthread_sigqueue(thread, 65, value) == EINVAL);
    CHECK(pthread_sigqueue(thread, SIGUSR1, value) == 0);
    CHECK(ended(thread) != NULL && value_seen == 4242);
    show("pid", getpid());
    return guest_end();
}
