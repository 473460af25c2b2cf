/* SPDX-License-Identifier: MIT */
#include "guest_fork.h"

static void check_daemon(int keep_folder, int keep_descriptors)
{
    int ends[2];
    struct fork_view before = {0};
    struct fork_view after = {0};
    CHECK(pipe(ends) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        before = fork_look();
        CHECK(write(ends[1], &before, sizeof(before)) == sizeof(before));
        CHECK(daemon(keep_folder, keep_descriptors) == 0);
        after = fork_look();
        CHECK(getsid(0) == after.pid);
        CHECK(write(ends[1], &after, sizeof(after)) == sizeof(after));
        _exit(0);
    }
    check_exit(pid, 0);
    CHECK(read(ends[0], &before, sizeof(before)) == sizeof(before) && before.pid == pid);
    CHECK(read(ends[0], &after, sizeof(after)) == sizeof(after) && after.pid != pid);
    CHECK(memcmp(before.bytes, after.bytes, 16) != 0);
    show("daemon", after.pid);
    show_bytes("daemon random", after.bytes, 16);
}

int main(void)
{
    check_daemon(1, 1);
    check_daemon(0, 0);
    return guest_end();
}
