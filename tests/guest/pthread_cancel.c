/* SPDX-License-Identifier: MIT */
#include "guest_interrupt.h"

int main(void)
{
    pthread_t thread = sleeping_thread();
    CHECK(pthread_cancel(thread) == 0);
    CHECK(ended(thread) == PTHREAD_CANCELED && interrupted == 0);
    show("pid", getpid());
    return guest_end();
}
