/* SPDX-License-Identifier: MIT */
/* reach WAY PROGRAM: starts PROGRAM in one of the ways there are; the environment is empty where
 * the way allows it. */
#define _GNU_SOURCE
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *no_environment[] = {NULL};

static int ended_well(pid_t child)
{
    int status = -1;
    if (waitpid(child, &status, 0) != child) {
        perror("waitpid");
        return 1;
    }
    return status == 0 ? 0 : 1;
}

static int by_empty_environment(char **argv)
{
    execve(argv[0], argv, no_environment);
    return 1;
}

static int by_system(char **argv)
{
    return system(argv[0]);
}

static int by_popen(char **argv)
{
    char line[128];
    FILE *pipe = popen(argv[0], "r");
    if (pipe == NULL)
        return 1;
    while (fgets(line, sizeof line, pipe) != NULL)
        fputs(line, stdout);
    return pclose(pipe);
}

static int by_spawn(char **argv)
{
    pid_t child;
    if (posix_spawn(&child, argv[0], NULL, NULL, argv, no_environment) != 0)
        return 1;
    return ended_well(child);
}

static int by_vfork(char **argv)
{
    volatile int seen = 0;
    pid_t child = vfork();
    if (child == 0) {
        seen = 1;
        execve(argv[0], argv, no_environment);
        _exit(1);
    }
    if (seen != 1) {
        puts("vfork did not share memory");
        return 1;
    }
    return ended_well(child);
}

/* A hundred images in one process; the last is PROGRAM. */
static int by_hundred_execs(char **argv, const char *self)
{
    const char *left = getenv("LEFT");
    char number[16];
    int n = left == NULL ? 100 : atoi(left);
    if (n == 0)
        return by_empty_environment(argv);
    snprintf(number, sizeof number, "%d", n - 1);
    setenv("LEFT", number, 1);
    execl(self, self, "hundred_execs", argv[0], (char *)NULL);
    return 1;
}

static int by_failed_exec(char **argv)
{
    char *nothing[] = {"/nonexistent", NULL};
    for (int i = 0; i < 3; i++)
        if (execve(nothing[0], nothing, no_environment) != -1 || errno != ENOENT)
            return 1;
    return by_spawn(argv);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*start)(char **);
    } ways[] = {
        {"empty_environment", by_empty_environment},
        {"system", by_system},
        {"popen", by_popen},
        {"spawn", by_spawn},
        {"vfork", by_vfork},
        {"failed_exec", by_failed_exec},
    };

    if (argc < 3)
        return 2;
    setvbuf(stdout, NULL, _IONBF, 0);
    if (strcmp(argv[1], "hundred_execs") == 0)
        return by_hundred_execs(argv + 2, argv[0]);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(argv[1], ways[i].name) == 0)
            return ways[i].start(argv + 2);
    return 2;
}
