/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stat.h"

static int by_symbol(const char *path)
{
    struct stat st;
    return stat(path, &st);
}

static int by_number(const char *path)
{
    struct stat st;
    return (int)syscall(SYS_stat, path, &st);
}

static int times_by_symbol(int fd, struct stat *out)
{
    (void)fd;
    return stat("file", out);
}

static int times_by_number(int fd, struct stat *out)
{
    (void)fd;
    return (int)syscall(SYS_stat, "file", out);
}

/* seed: same */
int main(void)
{
    struct stat own;
    struct stat named;
    check_proc_paths(by_symbol);
    check_proc_paths(by_number);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    FAILS(EFAULT, by_number(bad_pointer()));
    CHECK(stat("/proc/self/stat", &own) == 0);
    CHECK(stat(text("/proc/%d/stat", getpid()), &named) == 0);
    CHECK(S_ISREG(named.st_mode) && named.st_dev == own.st_dev); /* inodes there come and go */
    state_of_files(times_by_symbol);
    state_of_files(times_by_number);
    return guest_end();
}
