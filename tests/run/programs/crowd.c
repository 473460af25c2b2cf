/* SPDX-License-Identifier: MIT */
/*
 * crowd WHAT N: many processes, threads or images, at once or one after another. Each of them
 * writes what it was answered to a place of its own; at the end all must be there and none twice,
 * and a digest of all is printed.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%d: %s: %s\n", __LINE__, #condition, strerror(errno));                \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

#define BOMB 50

struct answer {
    uint8_t bytes[16];
    int64_t id;
    int64_t told; /* the id that its creator was told */
    int64_t wall;
};

static struct answer *answers;
static int gate[2];
static int arrived[2];

static void take_answer(struct answer *a, int64_t id)
{
    struct timespec ts;
    CHECK(getrandom(a->bytes, sizeof(a->bytes), 0) == sizeof(a->bytes));
    CHECK(clock_gettime(CLOCK_REALTIME, &ts) == 0);
    a->wall = ts.tv_sec * INT64_C(1000000000) + ts.tv_nsec;
    a->id = id;
}

/* Nobody goes on before everybody is there. */
static void wait_for_all(void)
{
    char byte;
    CHECK(write(arrived[1], "", 1) == 1);
    CHECK(read(gate[0], &byte, 1) == 0);
}

static void open_gate(long n)
{
    char byte;
    for (long i = 0; i < n; i++)
        CHECK(read(arrived[0], &byte, 1) == 1);
    close(gate[1]);
}

static void reap(pid_t expected)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(expected, &status, 0)) < 0 && errno == EINTR)
        ;
    CHECK(pid > 0 && (expected < 0 || pid == expected));
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static _Noreturn void one_of_many(struct answer *a)
{
    close(gate[1]);
    wait_for_all();
    take_answer(a, getpid());
    _exit(0);
}

static long processes(long n)
{
    for (long i = 0; i < n; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0)
            one_of_many(&answers[i]);
        answers[i].told = pid;
    }
    open_gate(n);
    for (long i = 0; i < n; i++)
        reap(-1);
    return n;
}

static void *thread(void *answer)
{
    wait_for_all();
    take_answer(answer, gettid());
    return NULL;
}

static long threads(long n)
{
    pthread_attr_t small;
    pthread_t *all = calloc((size_t)n, sizeof(*all));
    CHECK(all && pthread_attr_init(&small) == 0);
    CHECK(pthread_attr_setstacksize(&small, 65536) == 0);
    for (long i = 0; i < n; i++)
        CHECK((errno = pthread_create(&all[i], &small, thread, &answers[i])) == 0);
    open_gate(n);
    for (long i = 0; i < n; i++) {
        CHECK(pthread_join(all[i], NULL) == 0);
        answers[i].told = answers[i].id;
    }
    free(all);
    return n;
}

static long forks(long n)
{
    for (long i = 0; i < n; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            take_answer(&answers[i], getpid());
            _exit(0);
        }
        answers[i].told = pid;
        reap(pid);
    }
    return n;
}

/* The kernel reaps them when it likes. */
static long unwaited(long n)
{
    char byte;
    CHECK(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    for (long i = 0; i < n; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            take_answer(&answers[i], getpid());
            _exit(0);
        }
        answers[i].told = pid;
    }
    close(arrived[1]);
    CHECK(read(arrived[0], &byte, 1) == 0); /* all have ended */
    return n;
}

/* Until the kernel refuses: how many there were is its answer, the first are compared. */
static long bomb(long n)
{
    long i;
    for (i = 0; i < n; i++) {
        pid_t pid = fork();
        if (pid < 0)
            break;
        if (pid == 0)
            one_of_many(&answers[i]);
        answers[i].told = pid;
    }
    CHECK(i > 0 && i < n && errno == EAGAIN);
    pthread_t refused;
    CHECK(pthread_create(&refused, NULL, thread, NULL) == EAGAIN);
    open_gate(i);
    for (long k = 0; k < i; k++)
        reap(-1);
    CHECK(i > BOMB);
    return BOMB;
}

/* Each loses its creator at once. */
static long orphans(long n)
{
    for (long i = 0; i < n; i++) {
        pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            pid_t orphan = fork();
            CHECK(orphan >= 0);
            if (orphan == 0)
                one_of_many(&answers[i]);
            answers[i].told = orphan;
            _exit(0);
        }
        reap(pid);
    }
    open_gate(n);
    char byte;
    close(arrived[1]);
    CHECK(read(arrived[0], &byte, 1) == 0); /* all have ended */
    return n;
}

/* Started by a thread that is not the first one: images, and sleepers whose creator ends at once.
 */
static void *start_mixed(void *count)
{
    long n = *(long *)count;
    pid_t process = fork();
    CHECK(process >= 0);
    for (long i = 0; process == 0 && i < n; i++) {
        pid_t image;
        char *argv[] = {"true", NULL};
        CHECK(posix_spawn(&image, "/bin/true", NULL, NULL, argv, environ) == 0);
        pid_t middle = fork();
        CHECK(middle >= 0);
        if (middle == 0) {
            pid_t sleeper = fork();
            CHECK(sleeper >= 0);
            if (sleeper > 0)
                answers[i].told = sleeper;
            if (sleeper == 0) {
                usleep(50);
                take_answer(&answers[i], getpid());
            }
            _exit(0);
        }
        reap(middle);
        reap(image);
    }
    if (process == 0)
        _exit(0);
    reap(process);
    return NULL;
}

static long mixed(long n)
{
    char byte;
    pthread_t starter;
    CHECK(pthread_create(&starter, NULL, start_mixed, &n) == 0 && pthread_join(starter, NULL) == 0);
    close(arrived[1]);
    CHECK(read(arrived[0], &byte, 1) == 0);
    return n;
}

static int by_bytes(const void *a, const void *b)
{
    return memcmp(((const struct answer *)a)->bytes, ((const struct answer *)b)->bytes, 16);
}

static int by_id(const void *a, const void *b)
{
    int64_t x = ((const struct answer *)a)->id;
    int64_t y = ((const struct answer *)b)->id;
    return (x > y) - (x < y);
}

static uint64_t digest(long n)
{
    uint64_t hash = 14695981039346656037U;
    const uint8_t *at = (const uint8_t *)answers;
    for (size_t i = 0; i < (size_t)n * sizeof(*answers); i++)
        hash = (hash ^ at[i]) * 1099511628211U;
    return hash;
}

static void report(long n, int live_together)
{
    long missing = 0;
    long twice = 0;
    long again = 0;
    uint64_t all = digest(n);
    for (long i = 0; i < n; i++)
        missing += answers[i].id == 0 || answers[i].id != answers[i].told;
    qsort(answers, (size_t)n, sizeof(*answers), by_bytes);
    for (long i = 1; i < n; i++)
        twice += by_bytes(&answers[i - 1], &answers[i]) == 0;
    qsort(answers, (size_t)n, sizeof(*answers), by_id);
    for (long i = 1; i < n; i++)
        again += answers[i - 1].id == answers[i].id;
    if (live_together)
        twice += again;
    printf("missing %ld twice %ld\n", missing, twice);
    printf("ids used again %ld\n", again);
    printf("r %016" PRIx64 "\n", all);
    exit(missing + twice != 0);
}

/* Each image appends 16 bytes to standard input, a file, and the last one reads them all. */
static void image(char **argv)
{
    struct answer a = {.told = atol(argv[3])};
    long left = atol(argv[2]);
    char left_text[24];
    char pid_text[24];
    take_answer(&a, getpid());
    CHECK(a.told == 0 || a.told == a.id);
    CHECK(write(STDIN_FILENO, &a, sizeof(a)) == sizeof(a));
    if (left == 0)
        return;
    snprintf(left_text, sizeof(left_text), "%ld", left - 1);
    snprintf(pid_text, sizeof(pid_text), "%" PRId64, a.id);
    execv("/proc/self/exe", (char *[]){argv[0], argv[1], left_text, pid_text, NULL});
    CHECK(!"exec");
}

static void report_images(void)
{
    off_t size = lseek(STDIN_FILENO, 0, SEEK_END);
    long n = size / (off_t)sizeof(*answers);
    answers = malloc((size_t)size);
    CHECK(answers && pread(STDIN_FILENO, answers, (size_t)size, 0) == size);
    answers[0].told = answers[0].id;
    printf("images %ld\n", n);
    report(n, 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        long (*run)(long n);
        int live_together;
    } kinds[] = {
        {"processes", processes, 1}, {"threads", threads, 1}, {"forks", forks, 0},
        {"bomb", bomb, 1},           {"orphans", orphans, 1}, {"unwaited", unwaited, 0},
        {"mixed", mixed, 0},
    };
    CHECK(argc >= 3);
    if (strcmp(argv[1], "execs") == 0) {
        image(argv);
        report_images();
    }
    long n = atol(argv[2]);
    answers = mmap(NULL, (size_t)n * sizeof(*answers), PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(answers != MAP_FAILED && pipe(gate) == 0 && pipe(arrived) == 0);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            report(kinds[i].run(n), kinds[i].live_together);
    return 2;
}
