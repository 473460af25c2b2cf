/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <linux/futex.h>
#include <pthread.h>

#include "guest_wait.h"

static uint32_t word = 1;

static void check_relative(enum door door)
{
    struct timespec timeout = timespec_ns(5000000);
    struct timespec bad = {.tv_nsec = 1000000000};
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(by(door, SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 1, (long)&timeout) == -ETIMEDOUT);
    if (moves(door))
        check_moved(before, 5000000);
    CHECK(by(door, SYS_futex, (long)&word, FUTEX_WAIT, 2, (long)&timeout) == -EAGAIN);
    CHECK(by(door, SYS_futex, (long)&word, FUTEX_WAIT, 1, (long)&bad) == -EINVAL);
    CHECK(by(door, SYS_futex, (long)&word, FUTEX_WAIT, 1, (long)bad_pointer()) == -EFAULT);
    CHECK(by(door, SYS_futex, (long)bad_pointer(), FUTEX_WAIT, 1, (long)&timeout) == -EFAULT);
    CHECK(by(door, SYS_futex, (long)&word, FUTEX_WAKE_PRIVATE, 1) == 0);
    CHECK(by(door, SYS_futex, (long)&word, 99, 1) == -ENOSYS);
    CHECK(by(door, SYS_futex, (long)&word + 1, FUTEX_WAIT, 1, (long)&timeout) == -EINVAL);
}

/* A deadline on a virtual clock. */
static void check_absolute(enum door door, int clock_flag, clockid_t id, long long ahead_ns)
{
    long long before = clock_ns(id);
    struct timespec deadline = timespec_ns(before + ahead_ns);
    long op = FUTEX_WAIT_BITSET_PRIVATE | clock_flag;
    CHECK(by(door, SYS_futex, (long)&word, op, 1, (long)&deadline, 0,
             (long)FUTEX_BITSET_MATCH_ANY) == -ETIMEDOUT);
    long long moved = clock_ns(id) - before;
    CHECK(moved >= ahead_ns);
    show("moved", moved);
}

static void *wake_later(void *argument)
{
    (void)argument;
    __atomic_store_n(&word, 2, __ATOMIC_SEQ_CST);
    while (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1) == 0)
        sched_yield();
    return NULL;
}

static void check_wake(enum door door)
{
    pthread_t waker;
    struct timespec ten = timespec_ns(10000000000);
    word = 1;
    CHECK(pthread_create(&waker, NULL, wake_later, NULL) == 0);
    long result = by(door, SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 2, (long)&ten);
    while (result == -EAGAIN)
        result = by(door, SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 2, (long)&ten);
    CHECK(result == 0);
    CHECK(pthread_join(waker, NULL) == 0);
    word = 1;
}

int main(void)
{
    static const long long ahead_ns[] = {-1000000000, 1, 20000000};
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        check_relative(door);
        check_wake(door);
        for (int i = 0; i < 3 && answered(door); i++) {
            check_absolute(door, 0, CLOCK_MONOTONIC, ahead_ns[i]);
            check_absolute(door, FUTEX_CLOCK_REALTIME, CLOCK_REALTIME, ahead_ns[i]);
        }
    }
    return guest_end();
}
