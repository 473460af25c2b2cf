/* SPDX-License-Identifier: MIT */
/*
 * Something of each kind that a trace has. Arguments: a number (of the siblings), or "addresses",
 * "bad", "kill", "wait", "many" and how many.
 */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void read_clocks(long n)
{
    struct timespec ts;
    struct timeval tv;
    for (long i = 0; i < n; i++) {
        clock_gettime(CLOCK_REALTIME, &ts);
        clock_gettime(CLOCK_MONOTONIC, &ts);
        gettimeofday(&tv, NULL);
    }
}

static void read_random(void)
{
    char bytes[16];
    if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
        abort();
    int fd = open("/dev/urandom", O_RDONLY);
    if (fd < 0 || read(fd, bytes, 8) != 8)
        abort();
    close(fd);
}

static void list(void)
{
    DIR *dir = opendir("/");
    while (readdir(dir))
        ;
    closedir(dir);
}

static void *work(void *unused)
{
    read_clocks(100);
    read_random();
    return unused;
}

static void start_threads(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
}

static void start_children(void)
{
    pid_t first = fork();
    if (first == 0) {
        read_clocks(3);
        _exit(3);
    }
    waitpid(first, NULL, 0);
    pid_t second = fork();
    if (second == 0) {
        read_random();
        raise(SIGKILL);
    }
    waitpid(second, NULL, 0);
    if (vfork() == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    wait(NULL);
}

static void print_addresses(void)
{
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%p %p %p %p\n", page, malloc(10), (void *)&page, (void *)print_addresses);
}

/* Addresses that the kernel refuses, or never looks at. */
static int use_bad_addresses(void)
{
    char *volatile nowhere = (char *)8;
    struct iovec parts[2] = {{nowhere, 100}, {"abc", 3}};
    int null = open("/dev/null", O_WRONLY);
    printf("%zd %zd %d %d %d\n", write(null, nowhere, 100), writev(null, parts, 2),
           write(1, nowhere, 10) < 0, open(nowhere, O_RDONLY) < 0, fopen("none", "r") != NULL);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "addresses") == 0)
        print_addresses();
    read_clocks(1);
    if (strcmp(what, "addresses") == 0)
        print_addresses();
    if (strcmp(what, "bad") == 0)
        return use_bad_addresses();
    if (strcmp(what, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(what, "many") == 0) {
        long reads = argc > 2 ? atol(argv[2]) : 0;
        read_clocks(reads / 3);
        printf("many %ld\n", reads);
        return 0;
    }
    if (strcmp(what, "wait") == 0) {
        if (write(1, "ready\n", 6) == 6)
            pause();
        return 1;
    }
    read_random();
    printf("%d\n", getpid() > 0);
    list();
    if (open("none", O_RDONLY) >= 0)
        return 1;
    start_threads();
    start_children();
    fflush(stdout);
    return write(1, "hello\n", 6) != 6;
}
