/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_wait.h"

static int libc_sleep(int ms)
{
    struct timespec request = timespec_ns(ms * 1000000LL);
    return nanosleep(&request, NULL);
}

static void check_arguments(enum door door)
{
    struct timespec bad[] = {{.tv_nsec = -1}, {.tv_nsec = 1000000000}, {.tv_sec = -1}};
    struct timespec request = timespec_ns(5000000);
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(by(door, SYS_nanosleep, (long)&request, 0) == 0);
    if (moves(door))
        check_moved(before, 5000000);
    for (int i = 0; i < 3; i++)
        CHECK(by(door, SYS_nanosleep, (long)&bad[i], 0) == -EINVAL);
    CHECK(by(door, SYS_nanosleep, 0, 0) == -EFAULT);
    CHECK(by(door, SYS_nanosleep, (long)bad_pointer(), 0) == -EFAULT);
    alarm_in_ms(30);
    request = timespec_ns(10000000000);
    struct timespec *left = guarded(sizeof(*left));
    CHECK(by(door, SYS_nanosleep, (long)&request, (long)left) == -EINTR && guard_holds(left));
    alarm_off();
    CHECK(left->tv_sec >= 0 && left->tv_sec < 10 && left->tv_nsec >= 0);
    alarm_in_ms(30);
    CHECK(by(door, SYS_nanosleep, (long)&request, (long)bad_pointer()) == -EFAULT);
    alarm_off();
}

int main(void)
{
    check_timeouts(libc_sleep);
    check_interrupted(libc_sleep);
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        check_arguments(door);
    return guest_end();
}
