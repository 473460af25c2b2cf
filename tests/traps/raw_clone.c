/* SPDX-License-Identifier: MIT */
/* clone() by number and by hand: with a stack of its own, without CLONE_SETTLS, with a bad stack,
 * with CLONE_VFORK, in new namespaces. */
#include <sched.h>

#include "trap.h"

static char stack[65536] __attribute__((aligned(16)));
static volatile int written;
static volatile pid_t parent;

static int as_child(void *argument)
{
    struct block b = random_block();
    written = getppid() == parent && getpid() != parent ? 1 : 2;
    if (argument)
        *(struct block *)argument = b;
    return 7;
}

static void by_libc(int flags, int expected)
{
    struct block *seen = shared_memory(4096);
    written = 0;
    pid_t pid = clone(as_child, stack + sizeof(stack), flags | SIGCHLD, seen);
    child_exits(pid, 7);
    CHECK(written == expected);
    seen[1] = random_block();
    check_distinct(seen, 2);
}

/* Beside us, on one memory and one thread pointer: it may take itself for us, but its end is waited
 * for by the name that clone gave. */
static int beside(void *unused)
{
    written = 1;
    return unused == NULL ? 5 : 6;
}

static void on_one_memory(void)
{
    written = 0;
    pid_t pid = clone(beside, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
    CHECK(pid > 0 && kill(pid, 0) == 0);
    child_exits(pid, 5);
    CHECK(written == 1);
    FAILS(ESRCH, kill(pid, 0));
}

/* The stack is the parent's, copied: a fork. */
static void by_number(void)
{
    pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, 0L);
    if (pid == 0)
        _exit(getppid() == parent ? 8 : 9);
    CHECK(pid > 0);
    child_exits(pid, 8);
}

static void bad_ones(void)
{
    FAILS(EINVAL, clone(NULL, stack + sizeof(stack), SIGCHLD, NULL));
    FAILS(EINVAL, clone(as_child, NULL, SIGCHLD, NULL));
    FAILS(EINVAL, syscall(SYS_clone, CLONE_THREAD | SIGCHLD, NULL, NULL, NULL, 0L));
    FAILS(EINVAL, syscall(SYS_clone, CLONE_SIGHAND | SIGCHLD, NULL, NULL, NULL, 0L));
}

/* A stack that cannot be used kills the child, and only the child. */
static void bad_stack(void)
{
    int status = 0;
    char *nowhere = (char *)bad_pointer() + 2048;
    pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, nowhere, NULL, NULL, 0L);
    CHECK(pid > 0 && waitpid(pid, &status, 0) == pid);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

/* pid 1 in its own pid namespace, or not allowed: as the kernel says. */
static int in_namespace(void *unused)
{
    CHECK(unused == NULL && time(NULL) > 0);
    random_block();
    return 3;
}

static void namespaces(void)
{
    static const int flags[] = {CLONE_NEWUTS, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWIPC,
                                CLONE_NEWPID | CLONE_NEWNS};
    for (unsigned i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        pid_t pid = clone(in_namespace, stack + sizeof(stack), flags[i] | SIGCHLD, NULL);
        CHECK(pid > 0 || errno == EPERM);
        if (pid > 0)
            child_exits(pid, 3);
    }
}

int main(void)
{
    parent = getpid();
    by_libc(0, 0);
    by_libc(CLONE_VM | CLONE_VFORK, 1);
    by_libc(CLONE_VFORK, 0);
    by_libc(CLONE_VM | CLONE_VFORK | CLONE_FILES | CLONE_FS, 1);
    on_one_memory();
    by_number();
    bad_ones();
    bad_stack();
    for (int i = 0; i < 20; i++)
        namespaces();
    by_libc(0, 0);
    return guest_end();
}
