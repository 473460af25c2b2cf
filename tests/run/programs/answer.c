/* SPDX-License-Identifier: MIT */
/* Prints what the seed decides: random bytes, pids, time. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[8];
    struct timespec ts;
    if (getrandom(b, sizeof b, 0) != sizeof b || clock_gettime(CLOCK_REALTIME, &ts) != 0)
        return 1;
    printf("r %02x%02x%02x%02x%02x%02x%02x%02x\n", b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]);
    printf("r %ld\n%ld.%09ld\n", (long)getpid(), (long)ts.tv_sec, ts.tv_nsec);
    return 0;
}
