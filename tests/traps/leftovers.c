/* SPDX-License-Identifier: MIT */
/* System calls by bare instructions that leave the registers of arguments they do not have as they
 * are, right after calls of libc's: what those left there makes no difference. */
#include <poll.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include "trap.h"

static struct timespec wall;

/* clock_gettime has two arguments. */
__attribute__((always_inline)) static inline long read_wall(void)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"((long)SYS_clock_gettime), "D"((long)CLOCK_REALTIME), "S"(&wall)
                     : "rcx", "r11", "memory");
    return result;
}

#define CHECK_AFTER(call)                                                                          \
    do {                                                                                           \
        (void)(call);                                                                              \
        CHECK(read_wall() == 0 && same_day(wall.tv_sec, time(NULL)));                              \
    } while (0)

static void after_waits(void)
{
    struct timespec ms = {0, 1000000};
    CHECK_AFTER(nanosleep(&ms, NULL));
    CHECK_AFTER(clock_nanosleep(CLOCK_MONOTONIC, 0, &ms, NULL));
    CHECK_AFTER(syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &ms, NULL));
    CHECK_AFTER(syscall(SYS_nanosleep, &ms, NULL));
    CHECK_AFTER(poll(NULL, 0, 1));
    CHECK_AFTER(ppoll(NULL, 0, &ms, NULL));
    CHECK_AFTER(syscall(SYS_ppoll, NULL, 0, &ms, NULL, 0));
    CHECK_AFTER(select(0, NULL, NULL, NULL, &(struct timeval){0, 1000}));
}

static void after_looks(void)
{
    struct sysinfo info;
    struct rusage usage;
    CHECK_AFTER(getpid());
    CHECK_AFTER(gettid());
    CHECK_AFTER(getppid());
    CHECK_AFTER(sysinfo(&info));
    CHECK_AFTER(getrusage(RUSAGE_SELF, &usage));
    CHECK_AFTER(random_block());
    CHECK_AFTER(system("true"));
}

static void *in_thread(void *unused)
{
    after_waits();
    after_looks();
    return unused;
}

int main(void)
{
    pthread_t thread;
    CHECK_AFTER(0);
    in_thread(NULL);
    CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0);
    CHECK_AFTER(pthread_join(thread, NULL));
    return guest_end();
}
