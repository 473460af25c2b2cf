/* SPDX-License-Identifier: MIT */
/*
 * tree grow SEED NODES STATIC: a tree of processes and threads that a seed of its own decides, in
 * all ways to start one. Each of them appends lines to descriptor 3: its place in the tree, 32
 * random bytes, its id and its clocks. STATIC is a static build of this program; leaves are.
 * tree check FILE...: no eight random bytes in a row are in these lines twice.
 * (tree node ... is what grow executes.)
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LINES_FD     3
#define BYTES        32
#define WINDOW       8
#define MAX_CHILDREN 8
#define MAX_THREADS  3
#define PATH_ROOM    128
#define LINE_ROOM    320

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%d: %s: %s\n", __LINE__, #condition, strerror(errno));                \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

extern char **environ;
static const char *self;
static const char *static_self;

struct node {
    uint64_t dice;
    char path[PATH_ROOM];
    int budget; /* nodes still to be made below this one, itself included */
    bool is_thread;
    unsigned lines;
    unsigned started;
    unsigned waiting;
    pid_t children[MAX_CHILDREN]; /* not yet waited for, the oldest first */
};

static uint64_t throw(struct node * n)
{
    n->dice += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = n->dice;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static unsigned throw_below(struct node *n, unsigned end)
{
    return (unsigned)(throw(n) % end);
}

static long long read_clock(clockid_t id)
{
    struct timespec ts;
    CHECK(clock_gettime(id, &ts) == 0);
    return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* A skip first: two that draw from one stream do not do it in step. */
static void write_line(struct node *n)
{
    char line[LINE_ROOM];
    unsigned char bytes[64];
    CHECK(getrandom(bytes, throw_below(n, 40) + 1, 0) > 0);
    CHECK(getrandom(bytes, BYTES, 0) == BYTES);
    int length = snprintf(line, sizeof(line), "%s/%03u r ", n->path, n->lines++);
    for (int i = 0; i < BYTES; i++)
        length += snprintf(line + length, sizeof(line) - (size_t)length, "%02x", bytes[i]);
    length +=
        snprintf(line + length, sizeof(line) - (size_t)length, " %d %d %lld %lld\n", (int)getpid(),
                 (int)gettid(), read_clock(CLOCK_REALTIME), read_clock(CLOCK_MONOTONIC));
    CHECK(write(LINES_FD, line, (size_t)length) == length);
}

static void live(struct node *n);

/* A part of the budget goes to the child. */
static struct node make_child(struct node *n, char kind)
{
    struct node child = {.dice = throw(n)};
    int length = snprintf(child.path, PATH_ROOM, "%s.%c%u", n->path, kind, n->started++);
    CHECK(length < PATH_ROOM);
    child.budget = 1 + (int)throw_below(n, (unsigned)n->budget);
    n->budget -= child.budget;
    return child;
}

static void keep(struct node *n, pid_t pid)
{
    CHECK(pid > 0 && n->waiting < MAX_CHILDREN);
    n->children[n->waiting++] = pid;
}

static void check_end(int status)
{
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void forget(struct node *n, pid_t pid)
{
    unsigned i = 0;
    while (i < n->waiting && n->children[i] != pid)
        i++;
    CHECK(i < n->waiting);
    memmove(&n->children[i], &n->children[i + 1], (--n->waiting - i) * sizeof(pid_t));
}

static void wait_for(struct node *n, pid_t pid)
{
    int status;
    pid_t got;
    while ((got = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
        ;
    CHECK(got > 0 && (pid < 0 || got == pid));
    check_end(status);
    forget(n, got);
}

static void wait_for_oldest(struct node *n)
{
    if (n->waiting > 0)
        wait_for(n, n->children[0]);
}

static void wait_for_newest(struct node *n)
{
    if (n->waiting > 0)
        wait_for(n, n->children[n->waiting - 1]);
}

/* Other threads' children are not ours to take. */
static void wait_for_any(struct node *n)
{
    if (n->waiting > 0)
        wait_for(n, n->is_thread ? n->children[0] : -1);
}

static _Noreturn void live_and_exit(struct node *n)
{
    live(n);
    _exit(0);
}

/* In the order of their ends, which is timing: nothing is shown before the last. */
static void wait_for_all(struct node *n)
{
    while (n->waiting > 0)
        wait_for_any(n);
}

static void start_fork(struct node *n)
{
    struct node child = make_child(n, 'f');
    pid_t pid = fork();
    if (pid == 0)
        live_and_exit(&child);
    keep(n, pid);
}

struct image {
    char dice[24];
    char budget[16];
    char lines[16];
    struct node node;
    const char *program;
    char *argv[8];
};

static void describe(struct image *i, const struct node *node)
{
    i->node = *node;
    i->program = node->budget == 1 && node->dice % 4 == 0 ? static_self : self;
    snprintf(i->dice, sizeof(i->dice), "%" PRIu64, node->dice);
    snprintf(i->budget, sizeof(i->budget), "%d", node->budget);
    snprintf(i->lines, sizeof(i->lines), "%u", node->lines);
    char *argv[] = {(char *)(uintptr_t)self,        "node",   i->node.path, i->dice, i->budget,
                    (char *)(uintptr_t)static_self, i->lines, NULL};
    memcpy(i->argv, argv, sizeof(argv));
}

static void start_vfork(struct node *n)
{
    struct image image;
    struct node child = make_child(n, 'v');
    describe(&image, &child);
    pid_t pid = vfork();
    if (pid == 0) {
        execv(image.program, image.argv);
        _exit(9);
    }
    keep(n, pid);
}

static void start_spawn(struct node *n)
{
    struct image image;
    struct node child = make_child(n, 's');
    pid_t pid;
    describe(&image, &child);
    CHECK(posix_spawn(&pid, image.program, NULL, NULL, image.argv, environ) == 0);
    keep(n, pid);
}

/* Its creator ends at once; the root waits for its end by the pipe that all hold. */
static void start_orphan(struct node *n)
{
    struct node child = make_child(n, 'o');
    pid_t pid = fork();
    if (pid == 0) {
        pid = fork();
        CHECK(pid >= 0);
        if (pid == 0)
            live_and_exit(&child);
        _exit(0);
    }
    keep(n, pid);
}

/* It is killed where it waits for that. */
static void start_victim(struct node *n)
{
    static const int signals[] = {SIGKILL, SIGTERM, SIGUSR1, SIGALRM};
    struct node child = make_child(n, 'k');
    int number = signals[throw_below(n, 4)];
    int ready[2];
    int status;
    char byte;
    CHECK(pipe(ready) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        write_line(&child);
        CHECK(write(ready[1], "", 1) == 1);
        for (;;)
            pause();
    }
    CHECK(read(ready[0], &byte, 1) == 1 && kill(pid, number) == 0);
    CHECK(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == number);
    close(ready[0]);
    close(ready[1]);
}

static void *run_thread(void *node)
{
    live(node);
    return NULL;
}

static void start_threads(struct node *n)
{
    struct node nodes[MAX_THREADS];
    pthread_t threads[MAX_THREADS];
    unsigned count = 0;
    while (count < MAX_THREADS && n->budget > 0) {
        nodes[count] = make_child(n, 't');
        nodes[count].is_thread = true;
        count++;
    }
    for (unsigned i = 0; i < count; i++)
        CHECK((errno = pthread_create(&threads[i], NULL, run_thread, &nodes[i])) == 0);
    for (unsigned i = 0; i < count; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
}

static void sleep_a_little(struct node *n)
{
    struct timespec ts = {.tv_nsec = 50000 + throw_below(n, 2000000)};
    CHECK(nanosleep(&ts, NULL) == 0);
}

/* What needs a child, or room for one. */
static void act(struct node *n)
{
    static void (*const starts[])(struct node *) = {
        start_fork, start_fork, start_vfork, start_spawn, start_orphan, start_victim, start_threads,
    };
    static void (*const others[])(struct node *) = {
        write_line, sleep_a_little, wait_for_oldest, wait_for_newest, wait_for_all,
    };
    if (n->budget > 0 && n->waiting < MAX_CHILDREN && throw_below(n, 2) == 0)
        starts[throw_below(n, sizeof(starts) / sizeof(starts[0]))](n);
    else
        others[throw_below(n, sizeof(others) / sizeof(others[0]))](n);
}

/* The rest of the budget goes to the next image of the same process. */
static void maybe_execute(struct node *n)
{
    struct image image;
    if (n->is_thread || n->budget <= 0 || throw_below(n, 2) != 0)
        return;
    struct node next = make_child(n, 'x');
    describe(&image, &next);
    execv(image.program, image.argv);
    CHECK(!"exec");
}

static void live(struct node *n)
{
    n->budget--;
    write_line(n);
    for (unsigned turns = 2 + throw_below(n, 6); turns > 0; turns--)
        act(n);
    wait_for_all(n);
    write_line(n);
    maybe_execute(n);
}

static int run_node(char **argv)
{
    struct node n = {.dice = strtoull(argv[3], NULL, 10)};
    snprintf(n.path, sizeof(n.path), "%s", argv[2]);
    n.budget = atoi(argv[4]);
    static_self = argv[5];
    n.lines = (unsigned)atoi(argv[6]);
    live(&n);
    return 0;
}

/* The end of the pipe is read when nobody of the tree is left, orphans included. */
static int grow(char **argv)
{
    struct node root = {.dice = strtoull(argv[2], NULL, 10), .path = "0"};
    int left[2];
    char byte;
    int budget = atoi(argv[3]);
    static_self = argv[4];
    CHECK(pipe(left) == 0);
    while (budget > 0) {
        root.budget = budget < 40 ? budget : 40;
        budget -= root.budget;
        start_fork(&root);
        if (root.waiting == 4)
            wait_for_oldest(&root);
    }
    wait_for_all(&root);
    close(left[1]);
    CHECK(read(left[0], &byte, 1) == 0);
    write_line(&root);
    return 0;
}

static uint64_t *windows;
static size_t window_count;

static void take_windows(const char *hex)
{
    unsigned char bytes[BYTES];
    windows = realloc(windows, (window_count + BYTES) * sizeof(*windows));
    CHECK(windows);
    for (int i = 0; i < BYTES; i++)
        CHECK(sscanf(hex + 2 * i, "%2hhx", &bytes[i]) == 1);
    for (int i = 0; i + WINDOW <= BYTES; i++)
        memcpy(&windows[window_count++], bytes + i, WINDOW);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int check(char **files)
{
    char line[LINE_ROOM];
    size_t twice = 0;
    for (; *files; files++) {
        FILE *file = fopen(*files, "r");
        CHECK(file);
        while (fgets(line, sizeof(line), file)) {
            const char *hex = strstr(line, " r ");
            CHECK(hex);
            take_windows(hex + 3);
        }
        fclose(file);
    }
    qsort(windows, window_count, sizeof(*windows), by_value);
    for (size_t i = 1; i < window_count; i++)
        twice += windows[i] == windows[i - 1];
    printf("%zu windows, %zu twice\n", window_count, twice);
    return twice != 0;
}

int main(int argc, char **argv)
{
    self = argv[0];
    if (argc == 7 && strcmp(argv[1], "node") == 0)
        return run_node(argv);
    if (argc == 5 && strcmp(argv[1], "grow") == 0)
        return grow(argv);
    if (argc >= 3 && strcmp(argv[1], "check") == 0)
        return check(argv + 2);
    return 2;
}
