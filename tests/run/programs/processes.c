/* SPDX-License-Identifier: MIT */
/* /proc agrees with getpid and fork: what is plain C, for more than one libc. */
#include <dirent.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("FAIL: line %d: %s\n", __LINE__, #condition);                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static char path[64];

static const char *of(pid_t pid, const char *name)
{
    snprintf(path, sizeof(path), "/proc/%d%s", pid, name);
    return path;
}

static int listed(const char *folder, pid_t pid)
{
    DIR *dir = opendir(folder);
    int n = 0;
    CHECK(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
        n += atoi(entry->d_name) == pid;
    closedir(dir);
    return n;
}

static void check_stat(pid_t pid, pid_t parent)
{
    int fields[2];
    FILE *file = fopen(of(pid, "/stat"), "r");
    CHECK(file && fscanf(file, "%d (%*[^)]) %*c %d", &fields[0], &fields[1]) == 2);
    CHECK(fields[0] == pid && fields[1] == parent && fclose(file) == 0);
}

static void check_paths(pid_t pid)
{
    char text[PATH_MAX];
    ssize_t n = readlink("/proc/self", text, sizeof(text) - 1);
    CHECK(n > 0);
    text[n] = '\0';
    CHECK(atoi(text) == pid);
    CHECK(realpath("/proc/self/task", text) && strcmp(text, of(pid, "/task")) == 0);
    CHECK(chdir(of(pid, "")) == 0 && getcwd(text, sizeof(text)) && strcmp(text, path) == 0);
}

int main(void)
{
    struct stat st;
    pid_t pid = getpid();
    printf("pid %d\n", pid);
    CHECK(listed("/proc", pid) == 1 && listed(of(pid, "/task"), pid) == 1);
    check_stat(pid, getppid());
    pid_t child = fork();
    if (child == 0)
        for (;;)
            pause();
    printf("child %d\n", child);
    CHECK(listed("/proc", child) == 1 && stat(of(child, ""), &st) == 0 && S_ISDIR(st.st_mode));
    check_stat(child, pid);
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    CHECK(listed("/proc", child) == 0 && stat(of(child, ""), &st) == -1);
    check_paths(pid);
    return 0;
}
