/* SPDX-License-Identifier: MIT */
/* Two threads, after a vfork: one sleeps 20 ms, the other computes for 50 ms and sleeps 5. If
 * computing takes no time the other is first. */
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t both;

static void sleep_ms(int ms)
{
    struct timespec time = {.tv_nsec = ms * 1000000L};
    nanosleep(&time, NULL);
}

/* By an instruction: what this thread really computed so far. */
static long computed_ns(void)
{
    struct timespec now = {0};
    long result;
    register long pass __asm__("r9") = 0x6465747275727f21;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"(SYS_clock_gettime), "D"(CLOCK_THREAD_CPUTIME_ID), "S"(&now), "r"(pass)
                     : "rcx", "r11", "memory");
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

static void *sleeper(void *name)
{
    pthread_barrier_wait(&both);
    sleep_ms(20);
    puts(name);
    return NULL;
}

static void *worker(void *name)
{
    pthread_barrier_wait(&both);
    while (computed_ns() < 50000000)
        ;
    sleep_ms(5);
    puts(name);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    pthread_barrier_init(&both, NULL, 3);
    pthread_create(&threads[0], NULL, sleeper, "sleeper");
    pthread_create(&threads[1], NULL, worker, "worker");
    pid_t child = vfork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(127);
    }
    waitpid(child, NULL, 0);
    pthread_barrier_wait(&both);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
