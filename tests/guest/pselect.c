/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_poll.h"

static int wait_on(int fd, int ms)
{
    fd_set reads;
    struct timespec timeout = timespec_ns(ms * 1000000LL);
    FD_ZERO(&reads);
    FD_SET(fd, &reads);
    return pselect(fd + 1, &reads, NULL, NULL, ms < 0 ? NULL : &timeout, NULL);
}

static int wait_ms(int ms)
{
    struct timespec timeout = timespec_ns(ms * 1000000LL);
    int n = pselect(0, NULL, NULL, NULL, &timeout, NULL);
    CHECK(timeout.tv_sec == ms / 1000);
    return n;
}

int main(void)
{
    struct timespec bad = {.tv_nsec = 1000000000};
    sigset_t all;
    check_descriptor_wait(wait_ms, wait_on);
    FAILS(EINVAL, pselect(0, NULL, NULL, NULL, &bad, NULL));
    /* The mask holds during the wait: a signal that it blocks does not end it. */
    sigfillset(&all);
    alarm_in_ms(5);
    struct timespec timeout = timespec_ns(40000000);
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(pselect(0, NULL, NULL, NULL, &timeout, &all) == 0);
    check_moved(before, 40000000);
    return guest_end();
}
