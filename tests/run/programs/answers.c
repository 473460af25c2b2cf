/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void print_bytes(const unsigned char *bytes)
{
    printf("r ");
    for (int i = 0; i < 16; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

static void print_clocks(void)
{
    struct timespec ts;
    struct timeval tv;
    for (int id = 0; id < 12; id++)
        if (id != 10 && clock_gettime(id, &ts) == 0)
            printf("%d %ld.%09ld\n", id, (long)ts.tv_sec, ts.tv_nsec);
    gettimeofday(&tv, NULL);
    printf("%ld.%06ld %ld\n", (long)tv.tv_sec, (long)tv.tv_usec, (long)time(NULL));
}

int main(void)
{
    unsigned char bytes[16] = {0};
    struct timespec ms = {0, 1000000};
    int local;

    memcpy(bytes, (void *)getauxval(AT_RANDOM), sizeof bytes);
    print_bytes(bytes);
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return 1;
    print_bytes(bytes);
    if (syscall(SYS_getrandom, bytes, sizeof bytes, 0) != sizeof bytes)
        return 1;
    print_bytes(bytes);
    printf("r %ld\nr %ld\n", (long)getpid(), (long)syscall(SYS_getpid));
    print_clocks();
    nanosleep(&ms, NULL);
    print_clocks();
    printf("%p\n", (void *)&local);
    return 0;
}
