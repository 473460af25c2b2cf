/* SPDX-License-Identifier: MIT */
/* A handler jumps out of what it interrupted: sleeps, waits, clocks and bytes are usable
 * afterwards, and time goes on exactly. */
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <sys/time.h>

#include "trap.h"

static sigjmp_buf back;

static void jump(int number)
{
    siglongjmp(back, number);
}

static void soon(void)
{
    struct itimerval once = {{0, 0}, {0, 10000}};
    handle(SIGALRM, jump, 0);
    CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
}

static void by_symbol(void)
{
    struct timespec long_time = {5, 0};
    nanosleep(&long_time, NULL);
}

static void by_number(void)
{
    struct timespec long_time = {5, 0};
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &long_time, NULL);
}

static void by_poll(void)
{
    poll(NULL, 0, 5000);
}

static void by_bytes(void)
{
    for (;;)
        random_block();
}

static void by_clock(void)
{
    for (;;)
        clock_ns(CLOCK_MONOTONIC);
}

static void by_futex(void)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t none = PTHREAD_COND_INITIALIZER;
    struct timespec deadline = timespec_ns(clock_ns(CLOCK_REALTIME) + 5 * SECOND);
    pthread_mutex_lock(&mutex);
    pthread_cond_timedwait(&none, &mutex, &deadline);
}

static void *sleep_in_thread(void *argument)
{
    struct timespec ms = {0, 5000000};
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(nanosleep(&ms, NULL) == 0 && clock_ns(CLOCK_MONOTONIC) - before >= 5 * MILLISECOND);
    return argument;
}

static void check_usable(void)
{
    static long long taken;
    pthread_t thread;
    struct block blocks[2] = {random_block(), random_block()};
    struct timespec ms = {0, 5000000};
    long long before = clock_ns(CLOCK_MONOTONIC);
    CHECK(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ms, NULL) == 0);
    taken = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(taken >= 5 * MILLISECOND);
    before = clock_ns(CLOCK_MONOTONIC);
    CHECK(nanosleep(&ms, NULL) == 0 && poll(NULL, 0, 5) == 0);
    CHECK(clock_ns(CLOCK_MONOTONIC) - before >= 10 * MILLISECOND);
    check_distinct(blocks, 2);
    CHECK(pthread_create(&thread, NULL, sleep_in_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
}

int main(void)
{
    static void (*const interrupted[])(void) = {by_symbol, by_number, by_poll,
                                                by_bytes,  by_clock,  by_futex};
    for (volatile unsigned i = 0; i < sizeof(interrupted) / sizeof(*interrupted); i++) {
        soon();
        if (sigsetjmp(back, 1) == 0) {
            interrupted[i]();
            guest_fail(__FILE__, __LINE__, "not interrupted");
        }
        check_usable();
    }
    return guest_end();
}
