/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Ways to fork: parents and children agree about who is who, and share no stream.
 */
#ifndef DETRUN_GUEST_FORK_H
#define DETRUN_GUEST_FORK_H

#include "guest_pid.h"

struct fork_view {
    pid_t pid;
    pid_t parent;
    unsigned char bytes[16];
};

static inline struct fork_view fork_look(void)
{
    struct fork_view view = {.pid = getpid(), .parent = getppid()};
    CHECK(getrandom(view.bytes, sizeof(view.bytes), 0) == sizeof(view.bytes));
    return view;
}

/** named: does the call itself return detrun's id of the child? */
static inline void check_fork(pid_t (*make)(void), bool named)
{
    struct fork_view *seen =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 3; i++) {
        pid_t pid = make();
        CHECK(pid >= 0);
        if (pid == 0) {
            seen[i] = fork_look();
            _exit(i);
        }
        int status;
        pid_t waited = waitpid(named ? pid : -1, &status, 0);
        CHECK(waited > 0 && (!named || waited == pid));
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == i);
        CHECK(seen[i].pid == waited && seen[i].parent == getpid());
        CHECK(i == 0 || memcmp(seen[i].bytes, seen[i - 1].bytes, 16) != 0);
        if (named) {
            show("child", pid);
            show_bytes("child random", seen[i].bytes, 16);
        }
    }
    struct fork_view mine = fork_look();
    CHECK(mine.pid != seen[0].pid && memcmp(mine.bytes, seen[2].bytes, 16) != 0);
    show_bytes("own random", mine.bytes, 16);
}

#endif
