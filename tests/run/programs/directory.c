/* SPDX-License-Identifier: MIT */
/* directory FOLDER: lists it in every way, and shows what it sees. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHECK(condition)                                                                           \
    do                                                                                             \
        if (!(condition)) {                                                                        \
            printf("line %d: %s\n", __LINE__, #condition);                                         \
            exit(1);                                                                               \
        }                                                                                          \
    while (0)

static unsigned hash_of(unsigned hash, const char *name)
{
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 16777619;
    return hash;
}

/* By number, in steps of `room`; with the positions. */
static void show_listing(int fd, size_t room)
{
    char buf[32768] __attribute__((aligned(8)));
    unsigned hash = 0;
    long all = 0;
    long n;
    while ((n = syscall(SYS_getdents64, fd, buf, room)) > 0)
        for (long at = 0; at < n; all++) {
            const struct dirent *entry = (const void *)(buf + at);
            at += entry->d_reclen;
            hash = hash_of(hash * 31 + (unsigned)entry->d_off, entry->d_name);
        }
    CHECK(n == 0);
    printf("%zu: %ld entries %x\n", room, all, hash);
}

static void show_positions(const char *folder)
{
    DIR *dir = opendir(folder);
    char names[8][256];
    long told[8];
    for (int i = 0; i < 8; i++) {
        told[i] = telldir(dir);
        strcpy(names[i], readdir(dir)->d_name);
        printf("%ld %s\n", told[i], names[i]);
    }
    for (int i = 7; i >= 0; i--) {
        seekdir(dir, told[i]);
        CHECK(strcmp(readdir(dir)->d_name, names[i]) == 0);
    }
    while (readdir(dir))
        ;
    seekdir(dir, told[5]);
    CHECK(strcmp(readdir(dir)->d_name, names[5]) == 0);
    rewinddir(dir);
    CHECK(strcmp(readdir(dir)->d_name, names[0]) == 0);
    CHECK(closedir(dir) == 0);
}

static int any(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static unsigned walked;

static int visit(const char *path, const struct stat *st, int type, struct FTW *where)
{
    (void)st;
    (void)type;
    walked = hash_of(walked, path + where->base);
    return 0;
}

static void show_walks(const char *folder)
{
    struct dirent **list;
    unsigned hash = 0;
    int n = scandir(folder, &list, any, NULL);
    for (int i = 0; i < n; free(list[i++]))
        hash = hash_of(hash, list[i]->d_name);
    free(list);
    printf("scandir %d %x\n", n, hash);
    CHECK(chdir(folder) == 0 && nftw(".", visit, 8, FTW_PHYS) == 0);
    printf("nftw %x\n", walked);
    glob_t found;
    CHECK(glob("*", GLOB_NOSORT, NULL, &found) == 0);
    hash = 0;
    for (size_t i = 0; i < found.gl_pathc; i++)
        hash = hash_of(hash, found.gl_pathv[i]);
    printf("glob %zu %x\n", found.gl_pathc, hash);
    globfree(&found);
    CHECK(chdir("..") == 0);
}

/* A duplicate, and a child, stand where the descriptor does. */
static void show_shared(const char *folder)
{
    char buf[512] __attribute__((aligned(8)));
    char all[3][64];
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    int second = dup(fd);
    int status;
    CHECK(syscall(SYS_getdents64, fd, buf, sizeof(buf)) > 0);
    printf("first %s\n", ((const struct dirent *)(const void *)buf)->d_name);
    fflush(stdout);
    if (fork() == 0) {
        CHECK(syscall(SYS_getdents64, fd, buf, sizeof(buf)) > 0);
        printf("child %s\n", ((const struct dirent *)(const void *)buf)->d_name);
        exit(0);
    }
    CHECK(wait(&status) > 0 && status == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(syscall(SYS_getdents64, i % 2 ? fd : second, buf, sizeof(buf)) > 0);
        snprintf(all[i], sizeof(all[i]), "%s", ((const struct dirent *)(const void *)buf)->d_name);
        printf("then %s\n", all[i]);
    }
    show_listing(second, sizeof(buf));
    close(fd);
    close(second);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    static const size_t rooms[] = {32768, 4096, 300};
    for (int i = 0; i < 3; i++) {
        int fd = open(argv[1], O_RDONLY | O_DIRECTORY);
        show_listing(fd, rooms[i]);
        close(fd);
    }
    show_positions(argv[1]);
    show_walks(argv[1]);
    show_shared(argv[1]);
    return 0;
}
