/* SPDX-License-Identifier: MIT */
/* Names of temporary files: those of a process, its children and its threads never collide, however
 * short they are, and a name that is taken is not given. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

#include "trap.h"

static void make_some(void)
{
    char name[32];
    for (int i = 0; i < 5; i++) {
        int fd = mkstemp(strcpy(name, "file-XXXXXX"));
        CHECK(fd >= 0 && close(fd) == 0);
        CHECK(mkdtemp(strcpy(name, "folder-XXXXXX")) != NULL);
        fd = mkostemps(strcpy(name, "other-XXXXXX.c"), 2, O_CLOEXEC);
        CHECK(fd >= 0 && close(fd) == 0);
    }
    FILE *file = tmpfile();
    CHECK(file != NULL && fclose(file) == 0);
    FAILS(EINVAL, mkstemp(strcpy(name, "file-XXXXX")));
}

static void *in_thread(void *unused)
{
    make_some();
    return unused;
}

int main(void)
{
    pthread_t thread;
    make_some();
    CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            make_some();
            _exit(0);
        }
        child_exits(pid, 0);
    }
    CHECK(system("test $(ls | wc -l) = 75 && rm -r ./file-* ./folder-* ./other-*") == 0);
    return guest_end();
}
