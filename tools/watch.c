/* SPDX-License-Identifier: MIT */
#include "watch.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/wait.h>
#include <time.h>

static struct {
    bool begun;
    int interrupted;
    sigset_t signals;
    sigset_t old_mask;
    struct sigaction old_pipe;
} watch;

static bool is_ignored(int signal_number)
{
    struct sigaction action;
    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/* What the caller ignores, as nohup does, stays ignored. */
void watch_begin(void)
{
    static const int interrupting[] = {SIGINT, SIGTERM, SIGHUP};
    sigemptyset(&watch.signals);
    sigaddset(&watch.signals, SIGCHLD);
    for (size_t i = 0; i < sizeof(interrupting) / sizeof(interrupting[0]); i++)
        if (!is_ignored(interrupting[i]))
            sigaddset(&watch.signals, interrupting[i]);
    sigprocmask(SIG_BLOCK, &watch.signals, &watch.old_mask);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &watch.old_pipe);
    watch.begun = true;
}

void watch_give_back(void)
{
    if (!watch.begun)
        return;
    sigaction(SIGPIPE, &watch.old_pipe, NULL);
    sigprocmask(SIG_SETMASK, &watch.old_mask, NULL);
}

static void take(int signal_number)
{
    if (signal_number > 0 && signal_number != SIGCHLD && watch.interrupted == 0)
        watch.interrupted = signal_number;
}

int watch_interrupted(void)
{
    struct timespec at_once = {0, 0};
    int signal_number;
    while (watch.begun && (signal_number = sigtimedwait(&watch.signals, NULL, &at_once)) > 0)
        take(signal_number);
    return watch.interrupted;
}

/* Each look comes after a signal was taken: of a child that ends later another one comes. */
pid_t watch_wait(pid_t pid, int *status)
{
    for (;;) {
        int interrupted = watch_interrupted();
        pid_t ended = waitpid(pid, status, watch.begun ? WNOHANG : 0);
        if (ended != 0 && !(ended < 0 && errno == EINTR))
            return ended;
        if (interrupted != 0)
            return 0;
        if (watch.begun)
            take(sigwaitinfo(&watch.signals, NULL));
    }
}

void watch_die(void)
{
    sigset_t one;
    if (watch.interrupted == 0)
        return;
    sigemptyset(&one);
    sigaddset(&one, watch.interrupted);
    signal(watch.interrupted, SIG_DFL);
    raise(watch.interrupted);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}
