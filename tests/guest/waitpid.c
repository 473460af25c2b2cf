/* SPDX-License-Identifier: MIT */
#include <sys/resource.h>

#include "guest_child.h"

/* A child that slept: what it slept has passed for who waited for it. */
static void check_time(void)
{
    long long before = clock_ns(CLOCK_MONOTONIC);
    pid_t child = fork();
    if (child == 0) {
        usleep(50000);
        _exit(0);
    }
    check_exit(child, 0);
    long long moved = clock_ns(CLOCK_MONOTONIC) - before;
    CHECK(moved >= 50000000);
    show("moved", moved);
}

int main(void)
{
    int *status = guarded(sizeof(*status));
    pid_t first = child_that_exits(1);
    pid_t second = child_that_waits();
    CHECK(waitpid(second, status, WNOHANG) == 0);
    CHECK(waitpid(first, status, 0) == first && WEXITSTATUS(*status) == 1);
    CHECK(kill(second, SIGSTOP) == 0 && waitpid(second, status, WUNTRACED) == second);
    CHECK(WIFSTOPPED(*status) && WSTOPSIG(*status) == SIGSTOP);
    CHECK(kill(second, SIGCONT) == 0 && waitpid(-1, status, WCONTINUED) == second);
    CHECK(kill(second, SIGKILL) == 0 && waitpid(0, status, 0) == second);
    CHECK(WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL && guard_holds(status));
    pid_t grouped = child_that_waits();
    CHECK(setpgid(grouped, grouped) == 0 && kill(grouped, SIGKILL) == 0);
    CHECK(waitpid(-grouped, status, 0) == grouped);
    FAILS(ECHILD, waitpid(-1, status, 0));
    FAILS(ECHILD, waitpid(999999999, status, 0));
    FAILS(EINVAL, waitpid(-1, status, 0x40000));
    show("first", first);
    show("second", second);
    check_time();
    return guest_end();
}
