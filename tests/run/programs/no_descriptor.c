/* SPDX-License-Identifier: MIT */
/* With an argument it leaves no descriptor free before it asks for anything. */
#include <stdio.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    (void)argv;
    struct rlimit none = {3, 3};
    unsigned long word = 0;
    struct timespec now;
    if (argc > 1)
        setrlimit(RLIMIT_NOFILE, &none);
    if (getrandom(&word, sizeof(word), 0) != sizeof(word))
        return 1;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%d %lx %ld.%09ld\n", (int)getpid(), word, (long)now.tv_sec, now.tv_nsec);
    return 0;
}
