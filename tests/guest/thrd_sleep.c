/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <threads.h>

#include "guest_wait.h"

static int libc_sleep(int ms)
{
    struct timespec request = timespec_ns(ms * 1000000LL);
    return thrd_sleep(&request, NULL);
}

int main(void)
{
    struct timespec bad = {.tv_nsec = -1};
    struct timespec ten = timespec_ns(10000000000);
    struct timespec *left = guarded(sizeof(*left));
    check_timeouts(libc_sleep);
    CHECK(thrd_sleep(&bad, NULL) < -1);
    alarm_in_ms(30);
    CHECK(thrd_sleep(&ten, left) == -1 && guard_holds(left) && left->tv_sec < 10);
    return guest_end();
}
