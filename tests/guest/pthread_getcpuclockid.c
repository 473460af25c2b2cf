/* SPDX-License-Identifier: MIT */
#include <pthread.h>

#include "guest_cpu_clock.h"

static pthread_barrier_t both;
static pid_t thread_id;

static void *look(void *argument)
{
    clockid_t id;
    thread_id = gettid();
    CHECK(pthread_getcpuclockid(pthread_self(), &id) == 0 && id == cpu_clock_of(gettid(), 6));
    check_cpu_clock(id);
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    return argument;
}

int main(void)
{
    clockid_t id;
    pthread_t thread;
    CHECK(pthread_barrier_init(&both, NULL, 2) == 0);
    CHECK(pthread_getcpuclockid(pthread_self(), &id) == 0 && id == cpu_clock_of(gettid(), 6));
    check_cpu_clock(id);
    CHECK(pthread_create(&thread, NULL, look, NULL) == 0);
    pthread_barrier_wait(&both);
    CHECK(pthread_getcpuclockid(thread, &id) == 0 && id == cpu_clock_of(thread_id, 6));
    show("thread", id);
    check_cpu_clock(id);
    pthread_barrier_wait(&both);
    CHECK(pthread_join(thread, NULL) == 0);
    return guest_end();
}
