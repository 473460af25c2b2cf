/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Files of /proc with ids in their text: they agree with what the calls say.
 */
#ifndef DETRUN_GUEST_PROC_TEXT_H
#define DETRUN_GUEST_PROC_TEXT_H

#include <sys/prctl.h>
#include <sys/resource.h>

#include "guest_procfs.h"

/** The whole text of a file, terminated. */
typedef void text_read(const char *path, char buf[8192]);

static inline const char *line_of(const char *status, const char *label)
{
    const char *line = strstr(status, text("\n%s:\t", label));
    CHECK(line != NULL);
    return strchr(line, '\t');
}

static inline void check_status(text_read *look, pid_t pid, pid_t tid, pid_t parent)
{
    char buf[8192];
    look(text("/proc/%d/task/%d/status", pid, tid), buf);
    CHECK(atoi(line_of(buf, "Tgid")) == pid && atoi(line_of(buf, "Pid")) == tid);
    CHECK(atoi(line_of(buf, "PPid")) == parent && atoi(line_of(buf, "TracerPid")) == 0);
    CHECK(atoi(line_of(buf, "NStgid")) == pid && atoi(line_of(buf, "NSpid")) == tid);
    CHECK(atoi(line_of(buf, "NSpgid")) == getpgrp() && atoi(line_of(buf, "NSsid")) == getsid(0));
    CHECK(strstr(buf, "\nvoluntary_ctxt_switches:\t") && strstr(buf, "\nUid:\t"));
}

static inline void check_stat(text_read *look, const char *path, pid_t id, pid_t parent)
{
    char buf[8192];
    int fields[5];
    look(path, buf);
    const char *rest = strrchr(buf, ')');
    CHECK(rest && atoi(buf) == id);
    CHECK(sscanf(rest, ") %*c %d %d %d %d %d", &fields[0], &fields[1], &fields[2], &fields[3],
                 &fields[4]) == 5);
    CHECK(fields[0] == parent && fields[1] == getpgrp() && fields[2] == getsid(0));
    CHECK(buf[strlen(buf) - 1] == '\n' && strchr(buf, '\n') == buf + strlen(buf) - 1);
}

struct text_thread {
    text_read *look;
    pid_t pid;
};

static inline void *texts_in_thread(void *argument)
{
    const struct text_thread *t = argument;
    check_status(t->look, t->pid, gettid(), getppid());
    check_stat(t->look, "/proc/thread-self/stat", gettid(), getppid());
    check_stat(t->look, text("/proc/self/task/%d/stat", gettid()), gettid(), getppid());
    check_stat(t->look, "/proc/self/stat", t->pid, getppid());
    return NULL;
}

static inline void check_children(text_read *look)
{
    char buf[8192];
    pid_t first = child_that_waits();
    pid_t second = child_that_waits();
    look(text("/proc/self/task/%d/children", getpid()), buf);
    CHECK(strcmp(buf, text("%d %d ", first, second)) == 0);
    check_stat(look, text("/proc/%d/stat", second), second, getpid());
    check_status(look, first, first, getpid());
    CHECK(kill(first, SIGKILL) == 0 && kill(second, SIGKILL) == 0);
    check_killed(first, SIGKILL);
    check_killed(second, SIGKILL);
    look(text("/proc/self/task/%d/children", getpid()), buf);
    CHECK(buf[0] == '\0');
}

/** A name may hold what looks like the end of it and the fields behind it. */
static inline void check_names(text_read *look)
{
    char name[16];
    CHECK(prctl(PR_GET_NAME, name) == 0 && prctl(PR_SET_NAME, "a) S 1 (2 ") == 0);
    check_stat(look, "/proc/self/stat", getpid(), getppid());
    CHECK(prctl(PR_SET_NAME, name) == 0);
}

static inline void check_other_texts(text_read *look)
{
    char buf[8192];
    look("/proc/stat", buf);
    CHECK(strncmp(buf, "cpu ", 4) == 0);
    FILE *file = fopen("status", "w");
    CHECK(file && fputs("Pid:\t1\n", file) >= 0 && fclose(file) == 0);
    look("status", buf);
    CHECK(strcmp(buf, "Pid:\t1\n") == 0 && unlink("status") == 0);
}

/** Where no file may be written the text is there all the same, and no signal is sent. */
static inline void check_without_room(text_read *look)
{
    pid_t pid = fork();
    if (pid == 0) {
        char buf[8192];
        struct rlimit none = {0, RLIM_INFINITY};
        CHECK(setrlimit(RLIMIT_FSIZE, &none) == 0);
        look("/proc/self/stat", buf);
        _exit(strchr(buf, '\n') ? 0 : 1);
    }
    check_exit(pid, 0);
}

static inline void check_proc_texts(text_read *look)
{
    struct text_thread t = {look, getpid()};
    pthread_t thread;
    check_status(look, t.pid, t.pid, getppid());
    check_stat(look, "/proc/self/stat", t.pid, getppid());
    check_stat(look, text("/proc/%d/stat", t.pid), t.pid, getppid());
    CHECK(pthread_create(&thread, NULL, texts_in_thread, &t) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    check_children(look);
    check_names(look);
    check_other_texts(look);
    check_without_room(look);
}

/** A descriptor of such a file is one as any other. */
static inline void check_text_descriptor(int (*open_it)(const char *path, int flags))
{
    char all[1024];
    char part[8] = "";
    struct stat st;
    int free_one = dup(0);
    int free_two = dup(0);
    CHECK(free_two > free_one && close(free_one) == 0 && close(free_two) == 0);
    int fd = open_it("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    CHECK(fd == free_one && fcntl(fd, F_GETFD) == FD_CLOEXEC);
    CHECK((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY && write(fd, part, 1) == -1);
    CHECK(fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 07777) == 0444);
    CHECK(read(fd, all, 100) == 100 && pread(fd, part, 8, 3) == 8 && memcmp(part, all + 3, 8) == 0);
    CHECK(lseek(fd, 0, SEEK_SET) == 0 && read(fd, part, 8) == 8 && memcmp(part, all, 8) == 0);
    int other = open_it("/proc/self/status", O_RDONLY);
    CHECK(other == free_two && fcntl(other, F_GETFD) == 0 && close(other) == 0 && close(fd) == 0);
    FAILS(ENOENT, open_it(text("/proc/%d/stat", NOBODY), O_RDONLY));
}

#endif
