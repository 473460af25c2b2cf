/* SPDX-License-Identifier: MIT */
/*
 * Ten ways in which two runs of a program part. Each leaves three stages in the working folder:
 * "input", the same in every run, "work", in which the fault is, and "result", which follows from
 * it. It prints the result.
 *
 *   faults NAME [PATH]
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ITEMS 64

static FILE *open_stage(const char *name)
{
    FILE *out = fopen(name, "w");
    if (!out) {
        perror(name);
        exit(1);
    }
    return out;
}

/* No library and no symbol is asked. */
static void clock_by_instruction(FILE *out, const char *path)
{
    struct timespec now = {0};
    long result;
    (void)path;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_clock_gettime), "D"(CLOCK_REALTIME), "S"(&now)
                     : "rcx", "r11", "memory");
    fprintf(out, "status %ld\ntime %ld.%09ld\n", result, (long)now.tv_sec, now.tv_nsec);
}

static pthread_barrier_t start;
static volatile uint64_t counter;

#define COUNTERS 4
#define STEPS    1000000

/* Read, add, write: what another thread wrote in between is lost. Until that has been seen in a few
 * rounds, on a machine where threads seldom meet. */
static void *count(void *unused)
{
    unsigned lossy = 0;
    for (unsigned round = 0; round < 500 && lossy < 5; round++) {
        uint64_t before = counter;
        pthread_barrier_wait(&start);
        for (unsigned i = 0; i < STEPS; i++)
            counter++;
        pthread_barrier_wait(&start);
        lossy += counter - before != COUNTERS * STEPS;
        pthread_barrier_wait(&start);
    }
    return unused;
}

static void run_threads(unsigned n, void *(*run)(void *), unsigned *numbers)
{
    pthread_t threads[8];
    pthread_barrier_init(&start, NULL, n);
    for (unsigned i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, run, numbers ? &numbers[i] : NULL) != 0)
            abort();
    for (unsigned i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

static void data_race(FILE *out, const char *path)
{
    (void)path;
    run_threads(COUNTERS, count, NULL);
    fprintf(out, "counter %llu\n", (unsigned long long)counter);
}

struct object {
    unsigned number;
    uint64_t hash;
};

static int by_hash(const void *a, const void *b)
{
    uint64_t x = (*(struct object *const *)a)->hash;
    uint64_t y = (*(struct object *const *)b)->hash;
    return (x > y) - (x < y);
}

/* A table that is keyed by address, walked from its first place to its last. */
static void fill_table(struct object *table[ITEMS])
{
    for (unsigned i = 0; i < ITEMS; i++) {
        table[i] = malloc(sizeof(*table[i]));
        if (!table[i])
            abort();
        *table[i] = (struct object){i, ((uintptr_t)table[i] >> 4) * 0x9e3779b97f4a7c15u};
    }
    qsort(table, ITEMS, sizeof(*table), by_hash);
}

static void pointers(FILE *out, const char *path)
{
    struct object *table[ITEMS];
    (void)path;
    fill_table(table);
    for (unsigned i = 0; i < ITEMS; i++)
        fprintf(out, "object %u\n", table[i]->number);
}

static void json_keys(FILE *out, const char *path)
{
    struct object *table[ITEMS];
    (void)path;
    fill_table(table);
    for (unsigned i = 0; i < ITEMS; i++)
        fprintf(out, "%s\"key%u\": %u", i ? ", " : "{", table[i]->number, table[i]->number);
    fputs("}\n", out);
}

/* As it is listed. What was listed last is then made anew, as a cache does that replaces its
 * oldest entry: the same names, but where a file system lists them as they came, in another order.
 */
static void directory(FILE *out, const char *path)
{
    char last[sizeof(((struct dirent *)0)->d_name)] = "";
    DIR *folder = opendir(path);
    if (!folder || chdir(path) != 0)
        abort();
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        fprintf(out, "%s\n", entry->d_name);
        snprintf(last, sizeof(last), "%s", entry->d_name);
    }
    closedir(folder);
    if (unlink(last) != 0)
        abort();
    fclose(open_stage(last));
}

static void random_number(FILE *out, const char *path)
{
    uint64_t number = 0;
    (void)path;
    if (getrandom(&number, sizeof(number), 0) != sizeof(number))
        abort();
    fprintf(out, "token %016llx\n", (unsigned long long)number);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;

/* Under a lock, so no number is lost; but to add numbers is not associative. All begin at once,
 * again and again. */
static void *add(void *own)
{
    double value = 1.0 + *(unsigned *)own / 7.0;
    for (unsigned round = 0; round < 2000; round++) {
        pthread_barrier_wait(&start);
        for (unsigned i = 1; i <= 100; i++) {
            pthread_mutex_lock(&lock);
            sum = sum * 0.9999 + value / i;
            pthread_mutex_unlock(&lock);
        }
    }
    return NULL;
}

static void thread_order(FILE *out, const char *path)
{
    unsigned numbers[] = {0, 1, 2, 3};
    (void)path;
    run_threads(4, add, numbers);
    fprintf(out, "sum %.17g\n", sum);
}

static void variable(FILE *out, const char *path)
{
    const char *value = getenv("BUILD_NUMBER");
    (void)path;
    fprintf(out, "build %s\n", value ? value : "unknown");
}

static void external_file(FILE *out, const char *path)
{
    char line[256] = "";
    FILE *in = fopen(path, "r");
    if (!in || !fgets(line, sizeof(line), in))
        abort();
    fclose(in);
    fprintf(out, "price %s", line);
}

static void file_time(FILE *out, const char *path)
{
    struct stat status;
    (void)path;
    fclose(open_stage("made"));
    if (stat("made", &status) != 0)
        abort();
    fprintf(out, "made %ld.%09ld\n", (long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

static const struct fault {
    const char *name;
    void (*work)(FILE *out, const char *path);
} faults[] = {
    {"clock", clock_by_instruction},
    {"race", data_race},
    {"pointers", pointers},
    {"directory", directory},
    {"random", random_number},
    {"sum", thread_order},
    {"environment", variable},
    {"external", external_file},
    {"mtime", file_time},
    {"json", json_keys},
};

/* All of it, so that what comes later is no less different. */
static void conclude(void)
{
    uint64_t hash = 14695981039346656037u;
    FILE *in = fopen("work", "r");
    FILE *out = open_stage("result");
    for (int c; in && (c = fgetc(in)) != EOF;)
        hash = (hash ^ (uint64_t)c) * 1099511628211u;
    if (!in)
        abort();
    fclose(in);
    fprintf(out, "result %016llx\n", (unsigned long long)hash);
    printf("result %016llx\n", (unsigned long long)hash);
    fclose(out);
}

int main(int argc, char **argv)
{
    FILE *input = open_stage("input");
    for (unsigned i = 0; i < ITEMS; i++)
        fprintf(input, "item %u\n", i * i);
    fclose(input);
    for (size_t i = 0; argc > 1 && i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (strcmp(faults[i].name, argv[1]) != 0)
            continue;
        FILE *work = open_stage("work");
        int folder = open(".", O_RDONLY | O_DIRECTORY);
        faults[i].work(work, argc > 2 ? argv[2] : "");
        if (folder < 0 || fchdir(folder) != 0)
            abort();
        fclose(work);
        conclude();
        return 0;
    }
    return 2;
}
