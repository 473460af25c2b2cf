/* SPDX-License-Identifier: MIT */
#include "guest_pid.h"

/* The parent of a child whose parent ended is another one. */
static void check_orphan(void)
{
    int ends[2];
    pid_t seen[2];
    CHECK(pipe(ends) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() != 0)
            _exit(0);
        pid_t parent = getppid();
        while (getppid() == parent && getppid() != 1)
            usleep(1000);
        pid_t now[2] = {parent, getppid()};
        CHECK(write(ends[1], now, sizeof(now)) == sizeof(now));
        _exit(0);
    }
    check_exit(pid, 0);
    CHECK(read(ends[0], seen, sizeof(seen)) == sizeof(seen) && seen[1] != pid);
}

int main(void)
{
    pid_t parent = getpid();
    CHECK(getppid() > 0);
    show("parent", getppid());
    check_same(SYS_getppid, 0, getppid());
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(getppid() == parent);
        check_same(SYS_getppid, 0, parent);
        _exit(0);
    }
    check_exit(pid, 0);
    check_orphan();
    return guest_end();
}
