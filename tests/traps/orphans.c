/* SPDX-License-Identifier: MIT */
/* A double fork with setsid: the orphan goes on, knows that its parent has ended, and is answered.
 */
#include "trap.h"

static void as_orphan(int end, pid_t parent)
{
    struct timespec ms = {0, 1000000};
    for (int i = 0; getppid() == parent && i < 2000; i++)
        nanosleep(&ms, NULL);
    CHECK(getppid() != parent && getsid(0) != getpid());
    struct block b = random_block();
    CHECK(write(end, &b, sizeof(b)) == sizeof(b));
    _exit(0);
}

static void as_daemon(int end)
{
    pid_t session = setsid();
    CHECK(session > 0 && getsid(0) == session && getpgid(0) == session);
    CHECK(session == getpid() || getenv("GUEST_STATIC"));
    pid_t self = getpid();
    pid_t pid = fork();
    if (pid == 0)
        as_orphan(end, self);
    CHECK(pid > 0);
    _exit(0);
}

int main(void)
{
    struct block blocks[4];
    int ends[2];
    CHECK(pipe(ends) == 0);
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0)
            as_daemon(ends[1]);
        child_exits(pid, 0);
        CHECK(read(ends[0], &blocks[i], sizeof(*blocks)) == sizeof(*blocks));
    }
    blocks[3] = random_block();
    check_distinct(blocks, 4);
    FAILS(ECHILD, wait(NULL));
    return guest_end();
}
