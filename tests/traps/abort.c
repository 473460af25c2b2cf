/* SPDX-License-Identifier: MIT */
/* abort, raise, kill and tgkill of oneself, and of groups: the right one gets it, and dies of it.
 */
#include <sys/resource.h>

#include "trap.h"

static volatile sig_atomic_t seen;

static void count(int number)
{
    seen += number == SIGUSR1;
}

static void dies_of(void (*way)(void), int number)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        way();
        _exit(99);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == number);
}

static void raise_term(void)
{
    raise(SIGTERM);
}

static void kill_self(void)
{
    kill(getpid(), SIGHUP);
}

static void tgkill_self(void)
{
    syscall(SYS_tgkill, getpid(), gettid(), SIGQUIT);
}

static void fault(void)
{
    *(volatile int *)bad_pointer() = 1;
}

static void whole_group(void)
{
    if (setpgid(0, 0) == 0)
        kill(0, SIGUSR2);
}

static void named_group(void)
{
    if (setpgid(0, 0) == 0)
        kill(-getpgrp(), SIGUSR2);
}

/* A group of three: each of them gets it, and we do not. */
static void others_group(void)
{
    int status;
    pid_t group[3] = {0};
    handle(SIGUSR1, SIG_DFL, 0);
    for (int i = 0; i < 3; i++) {
        group[i] = fork();
        if (group[i] == 0)
            for (;;)
                pause();
        CHECK(setpgid(group[i], group[0]) == 0);
    }
    CHECK(getpgid(group[2]) == getpgid(group[0]) && getpgid(group[0]) != getpgrp());
    handle(SIGUSR1, count, 0);
    CHECK(kill(-group[0], SIGUSR1) == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(waitpid(group[i], &status, 0) == group[i]);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
    }
    FAILS(ESRCH, kill(-group[0], 0));
    CHECK(seen == 0);
}

int main(void)
{
    struct rlimit none = {0, 0};
    CHECK(setrlimit(RLIMIT_CORE, &none) == 0);
    dies_of(abort, SIGABRT);
    dies_of(raise_term, SIGTERM);
    dies_of(kill_self, SIGHUP);
    dies_of(tgkill_self, SIGQUIT);
    dies_of(fault, SIGSEGV);
    dies_of(whole_group, SIGUSR2);
    dies_of(named_group, SIGUSR2);
    others_group();
    CHECK(kill(getpid(), SIGUSR1) == 0 && seen == 1);
    CHECK(raise(SIGUSR1) == 0 && seen == 2);
    return guest_end();
}
