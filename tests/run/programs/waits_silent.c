/* SPDX-License-Identifier: MIT */
/*
 * Waits of a program that the shim is not in: alone, of several threads at once, interrupted, and
 * for what others do who sleep. Prints how long each took.
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8

static int64_t now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
}

static int64_t start;

static void took(const char *what)
{
    int64_t end = now();
    printf("%s %lld\n", what, (long long)(end - start));
    fflush(stdout);
    start = now();
}

static void ignore(int signal_number)
{
    (void)signal_number;
}

static void *sleep_and_poll(void *argument)
{
    useconds_t n = (useconds_t)(uintptr_t)argument;
    for (int i = 0; i < 5; i++) {
        usleep(50000 * n);
        poll(NULL, 0, 50 * (int)n);
    }
    return NULL;
}

static void sleep_together(void)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, sleep_and_poll, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    took("threads");
}

static void stop_and_go_on(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        sleep(10);
        _exit(0);
    }
    sleep(2);
    kill(child, SIGSTOP);
    waitpid(child, &status, WUNTRACED);
    took(WIFSTOPPED(status) ? "stopped" : "not stopped");
    sleep(3);
    kill(child, SIGCONT);
    waitpid(child, &status, 0);
    took("stopped sleeper");
}

static void wait_for_others(void)
{
    int fds[2];
    char c = 0;
    if (fork() == 0) {
        sleep(3);
        _exit(0);
    }
    wait(NULL);
    took("child");
    if (pipe(fds) == 0 && fork() == 0) {
        sleep(2);
        _exit(write(fds[1], "x", 1) != 1);
    }
    if (read(fds[0], &c, 1) == 1)
        took("pipe");
    wait(NULL);
}

int main(void)
{
    start = now();
    signal(SIGALRM, ignore);
    alarm(5);
    printf("left %u\n", sleep(10));
    took("alarm");
    alarm(5);
    struct timespec rest = {.tv_sec = 60};
    int result = nanosleep(&rest, &rest);
    printf("%d, left %lld.%09ld\n", result, (long long)rest.tv_sec, rest.tv_nsec);
    took("nanosleep");
    for (int i = 0; i < 100; i++)
        usleep(1000);
    took("short sleeps");
    sleep_together();
    stop_and_go_on();
    wait_for_others();
    return 0;
}
