/* SPDX-License-Identifier: MIT */
/* The lowest free descriptor is the lowest, whatever was asked before; /proc/self/fd lists the
 * program's own; none is needed later, when all are closed and no more may be opened. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>

#include "trap.h"

static void list(const char *when)
{
    DIR *dir = opendir("/proc/self/fd");
    struct dirent *entry;
    int sum = 0, n = 0;
    CHECK(dir != NULL);
    while ((entry = readdir(dir)))
        if (entry->d_name[0] != '.') {
            n++;
            sum += atoi(entry->d_name);
        }
    closedir(dir);
    printf("%s: %d descriptors, sum %d\n", when, n, sum);
}

static void *ask(void *unused)
{
    random_block();
    CHECK(time(NULL) > 0 && getpid() > 0);
    return unused;
}

static void lowest(const char *when)
{
    int fd = open("/dev/null", O_RDONLY);
    show(when, fd);
    close(fd);
}

int main(void)
{
    pthread_t thread;
    struct rlimit few = {3, 3};
    lowest("at first");
    list("at first");
    ask(NULL);
    lowest("asked");
    CHECK(pthread_create(&thread, NULL, ask, NULL) == 0 && pthread_join(thread, NULL) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        ask(NULL);
        lowest("child");
        list("child");
        _exit(0);
    }
    child_exits(pid, 0);
    list("later");
    CHECK(close_range(3, ~0U, 0) == 0);
    CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
    FAILS(EMFILE, open("/dev/null", O_RDONLY));
    ask(NULL);
    CHECK(pthread_create(&thread, NULL, ask, NULL) == 0 && pthread_join(thread, NULL) == 0);
    close(0);
    CHECK(open("/dev/null", O_RDONLY) == 0);
    return guest_end();
}
