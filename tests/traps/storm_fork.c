/* SPDX-License-Identifier: MIT */
/* A handler asks for ids, time and bytes while its process forks, spawns and reaps: the children
 * know who they are, and nobody gets another's bytes. */
#include <spawn.h>

#include "storm.h"

#define FORKS 60

extern char **environ;

static struct seen {
    _Atomic unsigned n;
    struct block blocks[100000];
} * seen;
static pid_t own_pid;

static void look(void)
{
    CHECK(getpid() == own_pid && gettid() == own_pid && time(NULL) > 0);
    unsigned at = seen->n++;
    if (at < 100000)
        seen->blocks[at] = random_block();
}

/* Here the handler may be first to run in the child: it has to wait until the child knows itself.
 */
static void fork_once(void)
{
    sigset_t all, before;
    sigfillset(&all);
    CHECK(sigprocmask(SIG_BLOCK, &all, &before) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        CHECK(getppid() == own_pid);
        own_pid = getpid();
        CHECK(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
        look();
        _exit(3);
    }
    CHECK(sigprocmask(SIG_SETMASK, &before, NULL) == 0);
    look();
    child_exits(pid, 3);
}

static void fork_unmasked(void)
{
    pid_t pid = fork();
    if (pid == 0) {
        random_block();
        _exit(4);
    }
    child_exits(pid, 4);
}

static void spawn_once(void)
{
    pid_t pid;
    char *argv[] = {"true", NULL};
    CHECK(posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ) == 0);
    child_exits(pid, 0);
}

static void look_unless_child(void)
{
    if (getpid() == own_pid)
        look();
}

int main(void)
{
    own_pid = getpid();
    seen = shared_memory(sizeof(*seen));
    storm_begin(look, 200);
    for (int i = 0; i < FORKS; i++)
        fork_once();
    storm_begin(look_unless_child, 200);
    for (int i = 0; i < FORKS; i++)
        fork_unmasked();
    for (int i = 0; i < 10; i++)
        spawn_once();
    storm_end();
    check_distinct(seen->blocks, seen->n < 100000 ? seen->n : 100000);
    return guest_end();
}
