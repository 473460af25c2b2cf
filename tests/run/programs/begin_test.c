/* SPDX-License-Identifier: MIT */
/* Tests in one process: for each argument a test of that name begins by the private call, and what
 * it sees is printed; before them, argument "-n" bytes are drawn and time is slept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "detrun/abi.h"

static void look(const char *who)
{
    unsigned char bytes[8];
    struct timespec wall;
    struct timespec mono;
    if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
        puts("no random bytes");
    clock_gettime(CLOCK_REALTIME, &wall);
    clock_gettime(CLOCK_MONOTONIC, &mono);
    printf("%s ", who);
    for (size_t i = 0; i < sizeof(bytes); i++)
        printf("%02x", bytes[i]);
    printf(" %lld.%09ld %lld.%09ld\n", (long long)wall.tv_sec, wall.tv_nsec, (long long)mono.tv_sec,
           mono.tv_nsec);
    fflush(stdout);
}

static void rest(void)
{
    nanosleep(&(struct timespec){0, 30000000}, NULL);
}

static int run(const char *name)
{
    struct detrun_begin test = {.key = {0}};
    strncpy((char *)test.key, name, sizeof(test.key));
    if (prctl(DETRUN_OPTION, DETRUN_OP_BEGIN, &test, 0, 0) != 0) {
        perror("begin");
        return 1;
    }
    look(name);
    rest();
    pid_t child = fork();
    if (child == 0) {
        look("child");
        _exit(0);
    }
    waitpid(child, NULL, 0);
    look(name);
    printf("pid of child %d\n", (int)child);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    void *volatile first = malloc(1); /* glibc's draws random bytes at its first call */
    free(first);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-n") != 0) {
            failed |= run(argv[i]);
            continue;
        }
        look("-");
        rest();
    }
    return failed;
}
