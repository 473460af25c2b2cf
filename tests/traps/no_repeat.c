/* SPDX-License-Identifier: MIT */
/* Parents, children, siblings, threads, images after one another and every way to ask: no block of
 * bytes comes twice. */
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>

#include "trap.h"

#define MOST 4096

static int file;
static char *self;

/* The blocks of all processes, in one file that they append to. */
static void keep(const struct block *b)
{
    CHECK(write(file, b, sizeof(*b)) == sizeof(*b));
}

static void take_all_ways(void)
{
    struct block b = random_block();
    keep(&b);
    CHECK(getentropy(&b, sizeof(b)) == 0);
    keep(&b);
    CHECK(syscall(SYS_getrandom, &b, sizeof(b), 0) == sizeof(b));
    keep(&b);
    CHECK(by(BY_INSTRUCTION, SYS_getrandom, (long)&b, sizeof(b), 0) == sizeof(b));
    keep(&b);
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    CHECK(fd >= 0 && read(fd, &b, sizeof(b)) == sizeof(b));
    keep(&b);
    close(fd);
}

static void *in_thread(void *unused)
{
    take_all_ways();
    return unused;
}

static void threads(void)
{
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&thread[i], NULL, in_thread, NULL) == 0);
    take_all_ways();
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
}

static void forks(int depth)
{
    pid_t child[3];
    for (int i = 0; i < 3; i++) {
        child[i] = i == 1 ? vfork() : fork();
        if (child[i] == 0) {
            take_all_ways();
            if (i == 0 && depth > 0)
                forks(depth - 1);
            if (i == 2)
                threads();
            _exit(0);
        }
    }
    take_all_ways();
    for (int i = 0; i < 3; i++)
        child_exits(child[i], 0);
}

static void spawns(void)
{
    pid_t pid[3];
    char number[16];
    char *argv[] = {self, number, "1", NULL};
    snprintf(number, sizeof(number), "%d", file);
    for (int i = 0; i < 3; i++)
        CHECK(posix_spawn(&pid[i], self, NULL, NULL, argv, environ) == 0);
    for (int i = 0; i < 3; i++)
        child_exits(pid[i], 0);
}

static int check_file(void)
{
    static struct block blocks[MOST];
    ssize_t size = pread(file, blocks, sizeof(blocks), 0);
    CHECK(size > 0 && size % (ssize_t)sizeof(*blocks) == 0 && size < (ssize_t)sizeof(blocks));
    show("blocks", size / (ssize_t)sizeof(*blocks));
    check_distinct(blocks, (size_t)size / sizeof(*blocks));
    return guest_end();
}

/* argv: name, descriptor, images still to come */
int main(int argc, char **argv)
{
    char text[2][16];
    int images = argc > 1 ? atoi(argv[2]) : 3;
    self = argv[0];
    file = argc > 1 ? atoi(argv[1]) : open(".", O_TMPFILE | O_RDWR | O_APPEND, 0600);
    if (file < 0)
        file = open("/tmp", O_TMPFILE | O_RDWR | O_APPEND, 0600);
    CHECK(file >= 0);
    take_all_ways();
    if (argc > 1 && images == 1)
        return 0;
    threads();
    forks(1);
    spawns();
    if (images == 0)
        return check_file();
    snprintf(text[0], sizeof(text[0]), "%d", file);
    snprintf(text[1], sizeof(text[1]), "%d", images == 3 ? 2 : 0);
    execl(self, self, text[0], text[1], (char *)NULL);
    return 1;
}
