/* SPDX-License-Identifier: MIT */
/* readers FOLDER COUNT: four threads read one descriptor at once; each of f0 ... is given once. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define READERS 4

static int fd;
static int seen[1000000];
static pthread_barrier_t start;

static void *reader(void *argument)
{
    char buf[1024] __attribute__((aligned(8)));
    long n;
    pthread_barrier_wait(&start);
    while ((n = syscall(SYS_getdents64, fd, buf, sizeof(buf))) > 0)
        for (long at = 0; at < n;) {
            const struct dirent *entry = (const void *)(buf + at);
            at += entry->d_reclen;
            if (entry->d_name[0] == 'f')
                __atomic_fetch_add(&seen[atoi(entry->d_name + 1)], 1, __ATOMIC_RELAXED);
        }
    return argument;
}

int main(int argc, char **argv)
{
    pthread_t threads[READERS];
    int wrong = 0;
    fd = argc == 3 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
    pthread_barrier_init(&start, NULL, READERS);
    for (int i = 0; i < READERS; i++)
        pthread_create(&threads[i], NULL, reader, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < atoi(argv[2]); i++)
        wrong += seen[i] != 1;
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
