/* SPDX-License-Identifier: MIT */
#include <sys/resource.h>

#include "guest_child.h"

static void check_usage(enum door door)
{
    siginfo_t info = {0};
    struct rusage usage;
    pid_t child = child_that_exits(9);
    memset(&usage, 0xa5, sizeof(usage));
    CHECK(by(door, SYS_waitid, P_ALL, 0, (long)&info, WEXITED, (long)&usage) == 0);
    CHECK(info.si_status == 9 && usage.ru_maxrss > 0 && usage.ru_utime.tv_sec == 0);
    CHECK(!translated(door) || info.si_pid == child);
    CHECK(by(door, SYS_waitid, P_ALL, 0, 0, WEXITED, (long)&usage) == -ECHILD);
}

static void check_door(enum door door)
{
    siginfo_t info = {0};
    pid_t child = child_that_exits(9);
    if (translated(door)) {
        CHECK(by(door, SYS_waitid, P_PID, child, (long)&info, WEXITED | WNOWAIT, 0) == 0);
        CHECK(info.si_status == 9 && info.si_pid == child);
    }
    CHECK(by(door, SYS_waitid, P_ALL, 0, (long)&info, WEXITED, 0) == 0 && info.si_status == 9);
    CHECK(by(door, SYS_waitid, P_ALL, 0, (long)&info, WEXITED, 0) == -ECHILD);
    CHECK(by(door, SYS_waitid, P_ALL, 0, (long)&info, 0, 0) == -EINVAL);
    CHECK(by(door, SYS_waitid, 99, 0, (long)&info, WEXITED, 0) == -EINVAL);
}

/* A child that its descriptor names: its time has passed, whoever else there is. */
static void check_descriptor(void)
{
    siginfo_t *info = guarded(sizeof(*info));
    pid_t other = child_that_waits();
    long long before = clock_ns(CLOCK_MONOTONIC);
    pid_t child = fork();
    if (child == 0) {
        usleep(20000);
        _exit(11);
    }
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    pid_t newest = child_that_waits();
    for (int options = WEXITED | WNOWAIT; options; options = options & WNOWAIT ? WEXITED : 0) {
        memset(info, 0, sizeof(*info));
        CHECK(waitid(P_PIDFD, (id_t)fd, info, options) == 0 && guard_holds(info));
        CHECK(info->si_pid == child && info->si_status == 11);
    }
    CHECK(clock_ns(CLOCK_MONOTONIC) - before >= 20000000);
    FAILS(ECHILD, waitid(P_PIDFD, (id_t)fd, info, WEXITED));
    FAILS(EBADF, waitid(P_PIDFD, 999, info, WEXITED));
    close(fd);
    CHECK(kill(other, SIGKILL) == 0 && kill(newest, SIGKILL) == 0);
    CHECK(waitpid(other, NULL, 0) == other && waitpid(newest, NULL, 0) == newest);
}

/* Who does not ask what became of it has waited all the same. */
static void check_unasked(void)
{
    struct rusage usage;
    for (int i = 0; i < 3; i++) {
        long long before = clock_ns(CLOCK_MONOTONIC);
        pid_t child = fork();
        if (child == 0) {
            usleep(20000);
            _exit(12);
        }
        if (i == 0)
            CHECK(waitid(P_PID, (id_t)child, NULL, WEXITED) == 0);
        else
            CHECK(by(BY_SYSCALL, SYS_waitid, P_PID, child, 0, WEXITED,
                     (long)(i == 1 ? NULL : &usage)) == 0);
        CHECK(clock_ns(CLOCK_MONOTONIC) - before >= 20000000);
        FAILS(ECHILD, waitid(P_PID, (id_t)child, NULL, WEXITED));
    }
}

int main(void)
{
    check_unasked();
    check_descriptor();
    siginfo_t *info = guarded(sizeof(*info));
    pid_t child = child_that_exits(7);
    CHECK(waitid(P_PID, (id_t)child, info, WEXITED | WNOWAIT) == 0 && guard_holds(info));
    CHECK(info->si_pid == child && info->si_code == CLD_EXITED && info->si_status == 7);
    show("child", info->si_pid);
    CHECK(waitid(P_ALL, 0, info, WEXITED) == 0 && info->si_pid == child);
    child = child_that_waits();
    CHECK(waitid(P_PID, (id_t)child, info, WEXITED | WNOHANG) == 0 && info->si_pid == 0);
    CHECK(setpgid(child, child) == 0 && kill(child, SIGKILL) == 0);
    CHECK(waitid(P_PGID, (id_t)child, info, WEXITED) == 0 && info->si_pid == child);
    CHECK(info->si_code == CLD_KILLED && info->si_status == SIGKILL);
    FAILS(ECHILD, waitid(P_ALL, 0, info, WEXITED));
    FAILS(EINVAL, waitid(P_ALL, 0, info, 0));
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        check_door(door);
        check_usage(door);
    }
    return guest_end();
}
