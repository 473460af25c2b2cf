/* SPDX-License-Identifier: MIT */
/* A library that the linker was told to start first (-z initfirst): its constructor is before ours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "early_library.h"

struct early early;

/* Stores of a type that a constructor must not have to allocate for. */
__attribute__((constructor)) static void ask_first(void)
{
    int status = -1;
    struct timespec ms = {0, 2000000};
    early.seconds = time(NULL);
    clock_gettime(CLOCK_MONOTONIC, &early.before);
    nanosleep(&ms, NULL);
    clock_gettime(CLOCK_MONOTONIC, &early.after);
    early.pid = getpid();
    early.got = getrandom(early.bytes, sizeof(early.bytes), 0);
    pid_t child = fork();
    if (child == 0)
        _exit(getppid() == early.pid && getpid() != early.pid ? 7 : 8);
    early.reaped =
        waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
