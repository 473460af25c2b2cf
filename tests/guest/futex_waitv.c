/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_futex2.h"

static long wait_by(enum door door, unsigned flags, const struct timespec *deadline, clockid_t id)
{
    static uint32_t other = 7;
    struct futex_waitv words[2] = {
        {.val = 1, .uaddr = (uintptr_t)&word, .flags = flags},
        {.val = 7, .uaddr = (uintptr_t)&other, .flags = flags},
    };
    return by(door, SYS_futex_waitv, (long)words, 2, 0, (long)deadline, id);
}

int main(void)
{
    struct timespec past = {0};
    CHECK(by(BY_SYSCALL, SYS_futex_waitv, 0, 0, 0, (long)&past, CLOCK_MONOTONIC) < 0);
    return check_futexes(wait_by);
}
