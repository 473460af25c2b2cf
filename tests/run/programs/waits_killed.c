/* SPDX-License-Identifier: MIT */
/*
 * A program without the shim kills a sleeping one that tells what it waits for, and that may run
 * only when its processor has nothing else to do. It is waited for without that its sleep is over.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "waits_time.h"

int main(void)
{
    int64_t start = now(CLOCK_MONOTONIC);
    struct timespec ts = time_of(SECOND);
    pid_t child = fork();
    if (child == 0) {
        execlp("taskset", "taskset", "-c", "0", "chrt", "-i", "0", "sleep", "100", (char *)NULL);
        _exit(1);
    }
    nanosleep(&ts, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    printf("%lld ms\n", (long long)((now(CLOCK_MONOTONIC) - start) / MILLISECOND));
    return 0;
}
