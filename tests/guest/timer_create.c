/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "guest_cpu_clock.h"
#include "guest_signal.h"

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static volatile pid_t taken_by;

static void take_here(int number, siginfo_t *info, void *context)
{
    taken_by = gettid();
    take(number, info, context);
}

static struct sigevent for_thread(pid_t tid)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGRTMIN};
    event.sigev_value.sival_int = 31;
    event.sigev_notify_thread_id = tid;
    return event;
}

static int create_by_number(struct sigevent *event, int *timer)
{
    return (int)by(BY_SYSCALL, SYS_timer_create, CLOCK_MONOTONIC, (long)event, (long)timer);
}

static void check_expired(void)
{
    while (taken == 0)
        usleep(1000);
    CHECK(taken_by == gettid() && taken_info.si_code == SI_TIMER);
    CHECK(taken_info.si_value.sival_int == 31);
    taken = 0;
}

/* Each timer signals the thread that made it. */
static void *use_timers(void *argument)
{
    struct itimerspec soon = {.it_value.tv_nsec = 1};
    struct sigevent event = for_thread(gettid());
    timer_t timer;
    int number;
    CHECK(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    CHECK(event.sigev_notify_thread_id == gettid());
    CHECK(timer_settime(timer, 0, &soon, NULL) == 0);
    check_expired();
    CHECK(timer_delete(timer) == 0);
    CHECK(create_by_number(&event, &number) == 0);
    CHECK(syscall(SYS_timer_settime, number, 0, &soon, NULL) == 0);
    check_expired();
    CHECK(syscall(SYS_timer_delete, number) == 0);
    return argument;
}

/* A timer of libc's own thread. */
static pthread_barrier_t called;

static void call(union sigval value)
{
    CHECK(value.sival_int == 32 && getpid() != gettid());
    pthread_barrier_wait(&called);
}

static void check_own_thread(void)
{
    struct itimerspec soon = {.it_value.tv_nsec = 1};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value.sival_int = 32};
    timer_t timer;
    event.sigev_notify_function = call;
    CHECK(pthread_barrier_init(&called, NULL, 2) == 0);
    CHECK(timer_create(CLOCK_REALTIME, &event, &timer) == 0);
    CHECK(timer_settime(timer, 0, &soon, NULL) == 0);
    pthread_barrier_wait(&called);
    CHECK(timer_delete(timer) == 0);
}

static void check_errors(void)
{
    timer_t timer;
    int number;
    struct sigevent stranger = for_thread(getppid());
    struct sigevent nobody = for_thread(999999999);
    struct sigevent own = for_thread(gettid());
    FAILS(EINVAL, timer_create(CLOCK_MONOTONIC, &stranger, &timer));
    FAILS(EINVAL, timer_create(CLOCK_MONOTONIC, &nobody, &timer));
    FAILS(EINVAL, timer_create(99, &own, &timer));
    CHECK(create_by_number(&nobody, &number) == -EINVAL);
    CHECK(create_by_number(bad_pointer(), &number) == -EFAULT);
    CHECK(create_by_number(&own, bad_pointer()) == -EFAULT);
    CHECK(timer_create(cpu_clock_of(getpid(), 2), &own, &timer) == 0 && timer_delete(timer) == 0);
    CHECK(create_by_number(NULL, &number) == 0 && syscall(SYS_timer_delete, number) == 0);
}

int main(void)
{
    pthread_t thread;
    struct sigaction action = {.sa_sigaction = take_here, .sa_flags = SA_SIGINFO};
    CHECK(sigaction(SIGRTMIN, &action, NULL) == 0);
    use_timers(NULL);
    CHECK(pthread_create(&thread, NULL, use_timers, NULL) == 0 && pthread_join(thread, NULL) == 0);
    check_own_thread();
    check_errors();
    show("tid", gettid());
    return guest_end();
}
