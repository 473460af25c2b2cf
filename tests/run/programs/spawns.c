/* SPDX-License-Identifier: MIT */
/* Four children at a time by posix_spawn, as make does: wait() must name one that is there. */
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#define AT_ONCE 4

extern char **environ;

static pid_t living[AT_ONCE];

static void start_one(int slot)
{
    char *argv[] = {"sh", "-c", "sleep 0.002; :", NULL};
    if (posix_spawn(&living[slot], "/bin/sh", NULL, NULL, argv, environ) != 0)
        exit(2);
}

static void reap_one(void)
{
    pid_t pid = wait(NULL);
    for (int i = 0; i < AT_ONCE; i++)
        if (living[i] == pid) {
            living[i] = 0;
            return;
        }
    printf("wait() named %d, which was not started\n", (int)pid);
    exit(1);
}

int main(int argc, char **argv)
{
    int total = argc > 1 ? atoi(argv[1]) : 100;
    int started = 0;
    for (int done = 0; done < total; done++) {
        for (int i = 0; i < AT_ONCE && started < total; i++)
            if (living[i] == 0) {
                start_one(i);
                started++;
            }
        reap_one();
    }
    return 0;
}
