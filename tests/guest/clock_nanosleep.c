/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_wait.h"

static int libc_sleep(int ms)
{
    struct timespec request = timespec_ns(ms * 1000000LL);
    int error = clock_nanosleep(CLOCK_MONOTONIC, 0, &request, NULL);
    errno = error;
    return error ? -1 : 0;
}

/* A deadline on a virtual clock: reached, however far the kernel's own clock is. */
static void check_absolute(clockid_t id, long long ahead_ns)
{
    long long before = clock_ns(id);
    struct timespec deadline = timespec_ns(before + ahead_ns);
    CHECK(clock_nanosleep(id, TIMER_ABSTIME, &deadline, NULL) == 0);
    long long moved = clock_ns(id) - before;
    CHECK(moved >= ahead_ns);
    show("moved", moved);
}

static void check_door(enum door door)
{
    struct timespec request = timespec_ns(5000000);
    struct timespec bad = {.tv_nsec = 1000000000};
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(by(door, SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&request, 0) == 0);
    if (moves(door))
        check_moved(before, 5000000);
    CHECK(by(door, SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&bad, 0) == -EINVAL);
    CHECK(by(door, SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)bad_pointer(), 0) == -EFAULT);
    CHECK(by(door, SYS_clock_nanosleep, 99, 0, (long)&request, 0) == -EINVAL);
    CHECK(by(door, SYS_clock_nanosleep, CLOCK_THREAD_CPUTIME_ID, 0, (long)&request, 0) ==
          -EOPNOTSUPP);
    if (!answered(door))
        return;
    request = timespec_ns(clock_ns(CLOCK_MONOTONIC) + 5000000);
    before = clock_ns(CLOCK_MONOTONIC);
    CHECK(by(door, SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, (long)&request, 0) == 0);
    CHECK(clock_ns(CLOCK_MONOTONIC) >= before + 4000000 || !under_detrun());
}

int main(void)
{
    static const clockid_t ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI};
    check_timeouts(libc_sleep);
    check_interrupted(libc_sleep);
    for (int i = 0; i < 4; i++) {
        check_absolute(ids[i], -1000000000);
        check_absolute(ids[i], 20000000);
    }
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        check_door(door);
    return guest_end();
}
