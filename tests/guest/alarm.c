/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "guest_timer.h"

static long set(enum way way, unsigned seconds)
{
    return way == BY_LIBC ? (long)alarm(seconds) : by((enum door)way, SYS_alarm, seconds);
}

static void check_values(enum way way)
{
    CHECK(set(way, 100) == 0);
    check_seconds(set(way, 50), 100);
    check_seconds(set(way, 0), 50);
    CHECK(set(way, 0) == 0);
    CHECK(set(way, 4294967295U) == 0);
    check_seconds(set(way, 0), 4294967295L);
}

static void check_rings(enum way way)
{
    long long before = clock_ns(CLOCK_MONOTONIC);
    taken = 0;
    CHECK(set(way, 1) == 0);
    pause();
    CHECK(taken == 1 && taken_info.si_code == SI_KERNEL);
    CHECK(taken_info.si_pid == 0 && taken_info.si_uid == 0);
    if (supervised())
        check_since(before, 1000 * MS);
    CHECK(set(way, 0) == 0);
}

static void ring_soon(void)
{
    struct itimerval soon = {.it_value.tv_usec = 100000};
    CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

/* The same as with SIGALRM blocked: from sigwaitinfo. */
static void check_waited_for(void)
{
    block(SIG_BLOCK, SIGALRM);
    ring_soon();
    siginfo_t info = wait_signal(SIGALRM);
    CHECK(info.si_code == SI_KERNEL && info.si_pid == 0 && info.si_uid == 0);
    block(SIG_UNBLOCK, SIGALRM);
}

/* And from a descriptor. */
static void check_read(void)
{
    struct signalfd_siginfo record;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    block(SIG_BLOCK, SIGALRM);
    int fd = signalfd(-1, &set, 0);
    ring_soon();
    CHECK(read(fd, &record, sizeof(record)) == sizeof(record));
    CHECK(record.ssi_signo == SIGALRM && record.ssi_code == SI_KERNEL);
    CHECK(record.ssi_pid == 0 && record.ssi_uid == 0 && record.ssi_tid == 0);
    close(fd);
    block(SIG_UNBLOCK, SIGALRM);
}

static void check_rounded(void)
{
    struct itimerval soon = {.it_value.tv_usec = 400000};
    CHECK(setitimer(ITIMER_REAL, &soon, NULL) == 0);
    CHECK(!supervised() || alarm(0) == 1);
    struct itimerval more = {.it_value = {5, 900000}};
    CHECK(setitimer(ITIMER_REAL, &more, NULL) == 0);
    check_seconds(alarm(0), 6);
}

static void check_child(void)
{
    CHECK(alarm(1000) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0)
        _exit((int)alarm(0));
    check_exit(pid, 0);
    check_seconds(alarm(0), 1000);
}

/* It rings in the next image. */
static void check_image(void)
{
    pid_t pid = fork();
    int status;
    CHECK(pid >= 0);
    if (pid == 0) {
        ring_soon();
        execl("/bin/sh", "sh", "-c", "read line; exit 3", NULL);
        _exit(2);
    }
    CHECK(waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
}

int main(void)
{
    install(SIGALRM, take, 0);
    for (enum way way = 0; way < WAYS; way++) {
        check_values(way);
        if (supervised() || way == BY_LIBC)
            check_rings(way);
    }
    check_waited_for();
    check_read();
    check_rounded();
    check_child();
    int fds[2];
    CHECK(pipe(fds) == 0 && dup2(fds[0], 0) == 0);
    check_image();
    return guest_end();
}
