/* SPDX-License-Identifier: MIT */
/*
 * micro WORK: prints what one operation costs, in cycles of the time stamp counter, which is the
 * only clock that is real under detrun. The best of several batches, each long enough to count.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define BATCHES 9

static int (*vdso_clock_gettime)(clockid_t, struct timespec *);
static struct timespec ts;
static char buffer[1 << 20];
static int device = -1;
static volatile long sink;

static void op_clock(void)
{
    clock_gettime(CLOCK_MONOTONIC, &ts);
}

static void op_vdso(void)
{
    vdso_clock_gettime(CLOCK_MONOTONIC, &ts);
}

static void op_time(void)
{
    sink = time(NULL);
}

static void op_getrandom(void)
{
    sink = getrandom(buffer, 16, 0);
}

static void op_getpid(void)
{
    sink = getpid();
}

static void op_urandom(void)
{
    for (int i = 0; i < 64; i++)
        if (read(device, buffer, sizeof buffer) <= 0)
            abort();
}

static void op_write(void)
{
    sink = write(device, buffer, 1);
}

static void op_getuid(void)
{
    sink = getuid();
}

static const struct work {
    const char *name;
    void (*op)(void);
    long count;
    const char *device;
} works[] = {
    {"clock", op_clock, 200000, NULL},       {"vdso", op_vdso, 200000, NULL},
    {"time", op_time, 500000, NULL},         {"getrandom", op_getrandom, 20000, NULL},
    {"getpid", op_getpid, 20000, NULL},      {"urandom", op_urandom, 1, "/dev/urandom"},
    {"write", op_write, 20000, "/dev/null"}, {"getuid", op_getuid, 50000, NULL},
    {"notify", op_clock, 500, NULL},
};

static double best_batch(const struct work *work)
{
    double best = 1e300;
    for (int batch = 0; batch < BATCHES; batch++) {
        unsigned long long start = __rdtsc();
        for (long i = 0; i < work->count; i++)
            work->op();
        double each = (double)(__rdtsc() - start) / (double)work->count;
        if (each < best)
            best = each;
    }
    return best;
}

/* KiB of memory that this process dirtied and shares with nobody. */
static int print_dirty(void)
{
    char line[256];
    long kib;
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    if (file == NULL)
        return 1;
    while (fgets(line, sizeof line, file) != NULL)
        if (sscanf(line, "Private_Dirty: %ld", &kib) == 1)
            printf("%ld\n", kib);
    return fclose(file);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "dirty") == 0)
        return print_dirty();
    void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
    if (vdso != NULL)
        *(void **)&vdso_clock_gettime = dlsym(vdso, "__vdso_clock_gettime");
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (strcmp(argv[1], works[i].name) != 0)
            continue;
        if (works[i].device != NULL)
            device = open(works[i].device, O_RDWR);
        if (works[i].op == op_vdso && vdso_clock_gettime == NULL)
            return 77;
        printf("%.2f\n", best_batch(&works[i]));
        return 0;
    }
    return 2;
}
