/* SPDX-License-Identifier: MIT */
/* turns [ROUNDS]: two processes that take turns through pipes; each prints the wall clock it reads.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Through the symbol and past it, by turns. */
static void print_time(int round)
{
    struct timespec now;
    if (round % 2)
        clock_gettime(CLOCK_REALTIME, &now);
    else
        syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    printf("%lld%09ld\n", (long long)now.tv_sec, now.tv_nsec);
    fflush(stdout);
}

static void play(int in, int out, int rounds)
{
    char turn;
    for (int i = 0; i < rounds && read(in, &turn, 1) == 1; i++) {
        print_time(i);
        if (write(out, &turn, 1) != 1)
            return;
    }
}

int main(int argc, char **argv)
{
    int there[2], back[2];
    int rounds = argc > 1 ? atoi(argv[1]) : 20;
    if (pipe(there) != 0 || pipe(back) != 0)
        return 1;
    pid_t child = fork();
    if (child == 0) {
        play(there[0], back[1], rounds);
        _exit(0);
    }
    if (write(there[1], "", 1) != 1)
        return 1;
    play(back[0], there[1], rounds);
    return waitpid(child, NULL, 0) == child ? 0 : 1;
}
