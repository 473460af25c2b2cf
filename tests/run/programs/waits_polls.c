/* SPDX-License-Identifier: MIT */
/*
 * Looks for a child's end again and again, by the clock. A child that computes comes to its end, or
 * to its next wait, before anybody looks; one that waits is not waited for.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "waits_time.h"

static void pause_ms(int ms)
{
    struct timespec ts = time_of(ms * MILLISECOND);
    nanosleep(&ts, NULL);
}

static void compute(long rounds)
{
    for (volatile long i = 0; i < rounds; i++)
        ;
}

static int by_wait4(pid_t pid)
{
    int status;
    return waitpid(pid, &status, WNOHANG) != 0;
}

static int by_any(pid_t pid)
{
    int status;
    (void)pid;
    return waitpid(-1, &status, WNOHANG) != 0;
}

static int by_waitid(pid_t pid)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG) != 0 || info.si_pid != 0;
}

static void reap(int signal)
{
    (void)signal;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ;
}

static int by_kill(pid_t pid)
{
    return kill(pid, 0) != 0;
}

static const struct way {
    const char *name;
    int (*has_ended)(pid_t pid);
    void (*handler)(int);
} ways[] = {
    {"wait4", by_wait4, SIG_DFL},   {"any", by_any, SIG_DFL}, {"waitid", by_waitid, SIG_DFL},
    {"ignored", by_wait4, SIG_IGN}, {"kill", by_kill, reap},
};

/* A child that computes, sleeps and computes. */
static pid_t start(long rounds, int ms)
{
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    signal(SIGCHLD, SIG_DFL);
    compute(rounds);
    if (ms != 0)
        pause_ms(ms);
    compute(rounds);
    _exit(0);
}

static int looks_until_end(const struct way *way, pid_t pid)
{
    int looks = 1;
    for (; !way->has_ended(pid); looks++)
        pause_ms(10);
    return looks;
}

static void look_by(const struct way *way)
{
    signal(SIGCHLD, way->handler);
    printf("%s:", way->name);
    for (long rounds = 1000; rounds < 1000000; rounds *= 7)
        printf(" %d %d", looks_until_end(way, start(rounds, 0)),
               looks_until_end(way, start(rounds, 35)));
    printf(" at %lld\n", (long long)now(CLOCK_MONOTONIC) / MILLISECOND);
    signal(SIGCHLD, SIG_DFL);
}

/* Each waits for the other: who looks must not wait for the child. */
static void look_at_blocked(void)
{
    int ends[2];
    char byte = 0;
    if (pipe(ends) != 0)
        exit(1);
    pid_t pid = fork();
    if (pid == 0)
        _exit(read(ends[0], &byte, 1) == 1 ? 3 : 1);
    int before = by_wait4(pid);
    int status = 0;
    if (write(ends[1], &byte, 1) != 1)
        exit(1);
    pid_t after = waitpid(pid, &status, WNOHANG);
    printf("blocked: %d then %d %d\n", before, after == pid, WEXITSTATUS(status));
}

/* Nor does a child that computes for ever keep who looks, nor who looks for ever its child. */
static void look_at_endless(void)
{
    pid_t pid = fork();
    if (pid == 0)
        for (;;)
            compute(1000000);
    int ended = by_wait4(pid);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    pid = start(0, 5);
    while (!by_wait4(pid))
        ;
    printf("endless: %d, and one without sleeps\n", ended);
}

int main(int argc, char **argv)
{
    (void)argv;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1) {
        look_at_endless();
        return 0;
    }
    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        look_by(&ways[i]);
    look_at_blocked();
    return 0;
}
