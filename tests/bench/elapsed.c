/* SPDX-License-Identifier: MIT */
/* elapsed N COMMAND...: runs it N times in a row, prints nanoseconds a run. Its output goes
 * nowhere. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now_ns(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec * 1e9 + (double)ts.tv_nsec;
}

int main(int argc, char **argv)
{
    posix_spawn_file_actions_t quiet;
    int n = argc > 2 ? atoi(argv[1]) : 0;
    if (n < 1)
        return 2;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    double start = now_ns();
    for (int i = 0; i < n; i++) {
        pid_t child;
        int status;
        if (posix_spawnp(&child, argv[2], &quiet, NULL, argv + 2, environ) != 0)
            return 127;
        if (waitpid(child, &status, 0) != child || status != 0)
            return 1;
    }
    printf("%.0f\n", (now_ns() - start) / n);
    return 0;
}
