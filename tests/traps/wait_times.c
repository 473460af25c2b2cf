/* SPDX-License-Identifier: MIT */
/* Waits of every kind with a time of zero, a negative one, a bad one, none, and a deadline that has
 * passed: the kernel's answers, at once. */
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "trap.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;
static int full[2], set;

static void descriptors(void)
{
    struct pollfd ready = {.fd = full[0], .events = POLLIN};
    struct epoll_event event;
    struct timespec zero = {0, 0}, negative = {-1, 0}, bad = {0, 1000000000}, huge = {1L << 40, 0};
    struct timeval tv_zero = {0, 0}, tv_negative = {-1, 0};
    fd_set in;
    CHECK(poll(NULL, 0, 0) == 0 && poll(&ready, 1, 0) == 1 && poll(&ready, 1, -1) == 1);
    CHECK(poll(&ready, 1, -5) == 1 && poll(&ready, 1, 0x7fffffff) == 1);
    CHECK(ppoll(NULL, 0, &zero, NULL) == 0 && ppoll(&ready, 1, NULL, NULL) == 1);
    CHECK(ppoll(&ready, 1, &huge, NULL) == 1);
    FAILS(EINVAL, ppoll(NULL, 0, &negative, NULL));
    FAILS(EINVAL, ppoll(NULL, 0, &bad, NULL));
    CHECK(epoll_wait(set, &event, 1, 0) == 1 && epoll_wait(set, &event, 1, -1) == 1);
    FAILS(EINVAL, epoll_wait(set, &event, 0, 0));
    CHECK(select(0, NULL, NULL, NULL, &tv_zero) == 0);
    FAILS(EINVAL, select(0, NULL, NULL, NULL, &tv_negative));
    FD_ZERO(&in);
    FD_SET(full[0], &in);
    CHECK(select(full[0] + 1, &in, NULL, NULL, NULL) == 1);
    CHECK(pselect(full[0] + 1, &in, NULL, NULL, &huge, NULL) == 1);
    FAILS(EINVAL, pselect(0, NULL, NULL, NULL, &bad, NULL));
}

static void sleeps(void)
{
    struct timespec zero = {0, 0}, negative = {-1, 0}, bad = {0, -1}, past = {1, 0};
    CHECK(nanosleep(&zero, NULL) == 0 && usleep(0) == 0 && sleep(0) == 0);
    FAILS(EINVAL, nanosleep(&negative, NULL));
    FAILS(EINVAL, nanosleep(&bad, NULL));
    static const clockid_t ids[] = {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI};
    for (int i = 0; i < 4; i++) {
        CHECK(clock_nanosleep(ids[i], TIMER_ABSTIME, &past, NULL) == 0);
        CHECK(clock_nanosleep(ids[i], 0, &zero, NULL) == 0);
        CHECK(clock_nanosleep(ids[i], 0, &negative, NULL) == EINVAL);
        CHECK(clock_nanosleep(ids[i], TIMER_ABSTIME, &bad, NULL) == EINVAL);
    }
    CHECK(clock_nanosleep(99, 0, &zero, NULL) == EINVAL);
    CHECK(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &zero, NULL) == EINVAL);
}

static void *hold_and_try(void *unused)
{
    struct timespec past = {1, 0}, zero = {0, 0};
    CHECK(pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &zero) == ETIMEDOUT);
    CHECK(pthread_rwlock_timedwrlock(&rwlock, &past) == ETIMEDOUT);
    CHECK(pthread_rwlock_timedrdlock(&rwlock, &past) == ETIMEDOUT);
    return unused;
}

static void locks(void)
{
    struct timespec past = {1, 0}, bad = {1, 1000000000}, negative = {-5, 0};
    pthread_t thread;
    CHECK(pthread_mutex_lock(&mutex) == 0 && pthread_rwlock_wrlock(&rwlock) == 0);
    CHECK(pthread_create(&thread, NULL, hold_and_try, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(pthread_cond_timedwait(&cond, &mutex, &past) == ETIMEDOUT);
    CHECK(pthread_cond_timedwait(&cond, &mutex, &negative) == ETIMEDOUT);
    CHECK(pthread_cond_timedwait(&cond, &mutex, &bad) == EINVAL);
    CHECK(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    CHECK(pthread_mutex_unlock(&mutex) == 0 && pthread_rwlock_unlock(&rwlock) == 0);
    CHECK(sem_init(&sem, 0, 0) == 0);
    FAILS(ETIMEDOUT, sem_timedwait(&sem, &past));
    FAILS(EINVAL, sem_timedwait(&sem, &bad));
    FAILS(ETIMEDOUT, sem_clockwait(&sem, CLOCK_MONOTONIC, &past));
}

static void signals(void)
{
    sigset_t usr1;
    siginfo_t info;
    struct timespec zero = {0, 0}, bad = {0, 1000000000}, huge = {1L << 40, 0};
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    CHECK(sigprocmask(SIG_BLOCK, &usr1, NULL) == 0);
    FAILS(EAGAIN, sigtimedwait(&usr1, &info, &zero));
    FAILS(EINVAL, sigtimedwait(&usr1, &info, &bad));
    CHECK(raise(SIGUSR1) == 0 && sigtimedwait(&usr1, &info, &huge) == SIGUSR1);
    CHECK(raise(SIGUSR1) == 0 && sigtimedwait(&usr1, NULL, NULL) == SIGUSR1);
}

int main(void)
{
    struct epoll_event event = {.events = EPOLLIN};
    CHECK(pipe(full) == 0 && write(full[1], "x", 1) == 1);
    set = epoll_create1(0);
    CHECK(epoll_ctl(set, EPOLL_CTL_ADD, full[0], &event) == 0);
    for (int i = 0; i < 3; i++) {
        descriptors();
        sleeps();
        locks();
        signals();
    }
    return guest_end();
}
