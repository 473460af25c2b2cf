/* SPDX-License-Identifier: MIT */
/* With an argument there is no descriptor, or no memory, left when it first asks for anything. */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    struct rlimit descriptors = {3, 3};
    struct rlimit memory = {20 << 20, 20 << 20};
    unsigned long word = 0;
    struct timespec now;
    if (argc > 1 && strcmp(argv[1], "descriptor") == 0)
        setrlimit(RLIMIT_NOFILE, &descriptors);
    if (argc > 1 && strcmp(argv[1], "memory") == 0)
        setrlimit(RLIMIT_AS, &memory);
    if (getrandom(&word, sizeof(word), 0) != sizeof(word))
        return 1;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("%d %lx %ld.%09ld\n", (int)getpid(), word, (long)now.tv_sec, now.tv_nsec);
    return 0;
}
