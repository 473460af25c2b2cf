/* SPDX-License-Identifier: MIT */
/* Who sent a signal: the program itself, and those named as arguments. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%d: %s\n", __LINE__, #condition);                                     \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static volatile pid_t sender;

static void take(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    sender = info->si_pid;
}

static void check_program(char *program)
{
    char *argv[] = {program, NULL};
    int status;
    pid_t child = fork();
    if (child == 0) {
        execv(program, argv);
        _exit(127);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    CHECK(sender == child);
    printf("r %d\n", child);
}

int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = take, .sa_flags = SA_SIGINFO | SA_RESTART};
    CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
    for (int i = 1; i < argc; i++)
        check_program(argv[i]);
    CHECK(raise(SIGUSR1) == 0 && sender == getpid());
    printf("r %d\n", sender);
    return 0;
}
