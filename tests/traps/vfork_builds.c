/* SPDX-License-Identifier: MIT */
/* A vfork child writes its parent's variables, asks for everything, fails to exec and execs with an
 * environment that it built: the parent finds what the child wrote, and nothing else changed. */
#include "trap.h"

static volatile int step;
static struct block blocks[3];

static char **build(char **at)
{
    at[0] = "PATH=/usr/bin:/bin";
    at[1] = "TRAP_BUILT=yes";
    at[2] = NULL;
    return at;
}

static void once(void)
{
    char *envp[3];
    char *argv[] = {"sh", "-c", "test \"$TRAP_BUILT\" = yes", NULL};
    pid_t parent = getpid();
    int own = 42;
    step = 0;
    blocks[0] = random_block();
    pid_t pid = vfork();
    if (pid == 0) {
        step = getpid() != parent && getppid() == parent ? 1 : 100;
        blocks[1] = random_block();
        if (execve("/nonexistent", argv, build(envp)) == -1 && errno == ENOENT)
            step++;
        execve("/bin/sh", argv, envp);
        _exit(99);
    }
    CHECK(own == 42 && step == 2 && getpid() == parent);
    CHECK(strcmp(envp[1], "TRAP_BUILT=yes") == 0);
    blocks[2] = random_block();
    child_exits(pid, 0);
    check_distinct(blocks, 3);
}

int main(void)
{
    for (int i = 0; i < 20; i++)
        once();
    return guest_end();
}
