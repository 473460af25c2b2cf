/* SPDX-License-Identifier: MIT */
/* SA_RESTART and EINTR: which calls go on after a handler and which end is as the kernel says. */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>

#include "trap.h"

static int ends[2];
static volatile sig_atomic_t seen;

static void take(int number)
{
    (void)number;
    seen++;
    CHECK(write(ends[1], "x", 1) == 1);
}

static void soon(int flags)
{
    struct itimerval once = {{0, 0}, {0, 20000}};
    seen = 0;
    handle(SIGALRM, take, flags);
    CHECK(setitimer(ITIMER_REAL, &once, NULL) == 0);
}

static void drain(void)
{
    char byte[8];
    CHECK(read(ends[0], byte, sizeof(byte)) == 1);
}

/* Go on with SA_RESTART, end without. */
static void reads(void)
{
    char byte;
    soon(SA_RESTART);
    CHECK(read(ends[0], &byte, 1) == 1 && seen == 1);
    soon(0);
    FAILS(EINTR, read(ends[0], &byte, 1));
    drain();
}

static void waits_for_children(void)
{
    int status;
    for (int restart = 0; restart < 2; restart++) {
        pid_t pid = fork();
        if (pid == 0) {
            usleep(60000);
            _exit(4);
        }
        soon(restart ? SA_RESTART : 0);
        pid_t got = waitpid(pid, &status, 0);
        CHECK(restart ? got == pid : got == -1 && errno == EINTR);
        CHECK(seen == 1);
        if (!restart)
            child_exits(pid, 4);
        drain();
    }
}

/* End whatever the flag says. */
static void never_restarted(void)
{
    struct timespec second = {1, 0};
    struct timeval tv = {1, 0};
    int set = epoll_create1(0);
    struct epoll_event event;
    sigset_t none;
    sigemptyset(&none);
    for (int flags = 0; flags <= SA_RESTART; flags += SA_RESTART) {
        soon(flags);
        FAILS(EINTR, nanosleep(&second, NULL));
        drain();
        soon(flags);
        FAILS(EINTR, poll(NULL, 0, 1000));
        drain();
        soon(flags);
        FAILS(EINTR, select(0, NULL, NULL, NULL, &tv));
        drain();
        soon(flags);
        FAILS(EINTR, epoll_wait(set, &event, 1, 1000));
        drain();
        soon(flags);
        FAILS(EINTR, ppoll(NULL, 0, &second, NULL));
        drain();
        soon(flags);
        FAILS(EINTR, sigsuspend(&none));
        drain();
        soon(flags);
        FAILS(EINTR, pause());
        drain();
        soon(flags);
        CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL) == EINTR);
        drain();
        soon(flags);
        CHECK(sleep(1) <= 1 && seen == 1);
        drain();
    }
    close(set);
}

int main(void)
{
    CHECK(pipe(ends) == 0);
    reads();
    waits_for_children();
    never_restarted();
    return guest_end();
}
