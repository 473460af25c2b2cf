/* SPDX-License-Identifier: MIT */
/* For tracers: threads, a forked child and a spawned one, each of which says its ids. */
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void *work(void *name)
{
    printf("%s %d\n", (const char *)name, (int)gettid());
    return name;
}

static void with_threads(void)
{
    pthread_t threads[2];
    char *names[] = {"thread-1", "thread-2"};
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, names[i]);
        pthread_join(threads[i], NULL);
    }
}

int main(void)
{
    char *arguments[] = {"sh", "-c", "echo spawned $$", NULL};
    pid_t child;
    int status;
    setvbuf(stdout, NULL, _IOLBF, 0);
    printf("first %d\n", getpid());
    with_threads();
    child = fork();
    if (child == 0) {
        printf("forked %d of %d\n", getpid(), getppid());
        _exit(3);
    }
    waitpid(child, &status, 0);
    printf("reaped %d with %d\n", (int)child, WEXITSTATUS(status));
    if (posix_spawnp(&child, "sh", NULL, NULL, arguments, environ) != 0)
        return 1;
    waitpid(child, &status, 0);
    printf("reaped %d with %d\n", (int)child, WEXITSTATUS(status));
    return 0;
}
