/* SPDX-License-Identifier: MIT */
/* Every signal is blocked, SIGSYS among them: threads, children, clocks and bytes are as ever, and
 * the mask is what it was. */
#include <pthread.h>
#include <spawn.h>

#include "trap.h"

static sigset_t all;

/* What cannot be blocked, and what libc keeps for itself, apart. */
static void check_mask(void)
{
    sigset_t now;
    CHECK(pthread_sigmask(SIG_SETMASK, NULL, &now) == 0);
    for (int i = 1; i < 65; i++)
        if (i != SIGKILL && i != SIGSTOP && i != 32 && i != 33)
            CHECK(sigismember(&now, i) == 1);
}

static void *as_thread(void *argument)
{
    check_mask();
    *(struct block *)argument = random_block();
    CHECK(time(NULL) > 0 && gettid() != getpid());
    return NULL;
}

int main(void)
{
    struct block blocks[3];
    struct timespec ms = {0, 1000000};
    pthread_t thread;
    pid_t pid;
    char *argv[] = {"sh", "-c", "sleep 0.01; exit 5", NULL};
    sigfillset(&all);
    CHECK(sigprocmask(SIG_SETMASK, &all, NULL) == 0);
    for (int i = 0; i < 5; i++) {
        CHECK(pthread_create(&thread, NULL, as_thread, &blocks[0]) == 0);
        CHECK(pthread_join(thread, NULL) == 0);
        CHECK(posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) == 0);
        child_exits(pid, 5);
        pid = fork();
        if (pid == 0) {
            check_mask();
            random_block();
            _exit(6);
        }
        child_exits(pid, 6);
        CHECK(nanosleep(&ms, NULL) == 0);
        blocks[1] = random_block();
        blocks[2] = random_block();
        check_distinct(blocks, 3);
        check_mask();
    }
    return guest_end();
}
