/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Futex calls that name the clock of their deadline.
 */
#ifndef DETRUN_GUEST_FUTEX2_H
#define DETRUN_GUEST_FUTEX2_H

#include <linux/futex.h>
#include <pthread.h>

#include "guest_wait.h"

#define FUTEX2_U32 2

static uint32_t word = 1;

/** Waits while `word` is 1; the value or -errno. */
typedef long futex_wait_function(enum door door, unsigned flags, const struct timespec *deadline,
                                 clockid_t id);

static inline void *change_word(void *unused)
{
    usleep(5000);
    __atomic_store_n(&word, 2, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return unused;
}

static inline void check_woken(futex_wait_function *wait, enum door door)
{
    struct timespec later = timespec_ns(clock_ns(CLOCK_MONOTONIC) + 10000000000);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, change_word, NULL) == 0);
    long result = wait(door, FUTEX2_U32, &later, CLOCK_MONOTONIC);
    CHECK(result == 0 || result == -EAGAIN);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(wait(door, FUTEX2_U32, &later, CLOCK_MONOTONIC) == -EAGAIN);
    word = 1;
}

static inline void check_deadline(futex_wait_function *wait, enum door door, clockid_t id,
                                  long long ahead_ns)
{
    long long before = clock_ns(id);
    struct timespec deadline = timespec_ns(before + ahead_ns);
    CHECK(wait(door, FUTEX2_U32 | FUTEX_PRIVATE_FLAG, &deadline, id) == -ETIMEDOUT);
    long long moved = clock_ns(id) - before;
    CHECK(!answered(door) || moved >= ahead_ns);
    if (answered(door))
        show("moved", under_detrun() ? moved : 0);
}

struct waiter {
    futex_wait_function *wait;
    enum door door;
    long long slept;
    bool goes_on;
};

static inline void *wait_and_sleep(void *argument)
{
    struct waiter *waiter = argument;
    waiter->wait(waiter->door, FUTEX2_U32, NULL, CLOCK_MONOTONIC);
    usleep(20000);
    __atomic_store_n(&waiter->goes_on, true, __ATOMIC_SEQ_CST);
    return argument;
}

/* Who wakes it tells nobody; who did so last, long ago, did. What the waiter then sleeps counts
 * from the present. */
static inline void check_untold_wake(futex_wait_function *wait, enum door door)
{
    struct waiter waiter = {.wait = wait, .door = door};
    pthread_t thread;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    usleep(100000);
    CHECK(pthread_create(&thread, NULL, wait_and_sleep, &waiter) == 0);
    usleep(5000);
    __atomic_store_n(&word, 2, __ATOMIC_SEQ_CST);
    by(BY_INSTRUCTION, SYS_futex, (long)&word, FUTEX_WAKE, 1);
    usleep(10000);
    CHECK(!under_detrun() || !__atomic_load_n(&waiter.goes_on, __ATOMIC_SEQ_CST));
    CHECK(pthread_join(thread, NULL) == 0);
    word = 1;
}

static inline int check_futexes(futex_wait_function *wait)
{
    struct timespec past = {0};
    struct timespec bad = {.tv_nsec = 1000000000};
    bool is_there = wait(BY_INSTRUCTION, FUTEX2_U32, &past, CLOCK_MONOTONIC) != -ENOSYS;
    for (enum door door = BY_SYSCALL; is_there && door < DOORS; door++) {
        struct timespec ten = timespec_ns(clock_ns(CLOCK_MONOTONIC) + 10000000000);
        for (clockid_t id = CLOCK_REALTIME; id <= CLOCK_MONOTONIC && answered(door); id++) {
            check_deadline(wait, door, id, -1000000);
            check_deadline(wait, door, id, 5000000);
        }
        if (answered(door)) {
            check_woken(wait, door);
            check_untold_wake(wait, door);
        }
        CHECK(wait(door, FUTEX2_U32, &bad, CLOCK_MONOTONIC) == -EINVAL);
        CHECK(wait(door, FUTEX2_U32, bad_pointer(), CLOCK_MONOTONIC) == -EFAULT);
        CHECK(wait(door, FUTEX2_U32, &ten, CLOCK_BOOTTIME) == -EINVAL);
        CHECK(wait(door, 77, &ten, CLOCK_MONOTONIC) == -EINVAL);
        if (!answered(door))
            continue; /* the kernel's clock may be beyond that time */
        alarm_in_ms(30);
        CHECK(wait(door, FUTEX2_U32, &ten, CLOCK_MONOTONIC) == -EINTR);
        alarm_off();
    }
    return guest_end();
}

#endif
