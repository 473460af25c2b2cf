/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stat.h"

static int by_symbol(const char *path)
{
    struct stat st;
    return lstat(path, &st);
}

static int by_number(const char *path)
{
    struct stat st;
    return (int)syscall(SYS_lstat, path, &st);
}

static int times_by_symbol(int fd, struct stat *out)
{
    (void)fd;
    return lstat("file", out);
}

static int times_by_number(int fd, struct stat *out)
{
    (void)fd;
    return (int)syscall(SYS_lstat, "file", out);
}

/* seed: same */
int main(void)
{
    struct stat st;
    check_proc_paths(by_symbol);
    check_proc_paths(by_number);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    FAILS(EFAULT, by_number(bad_pointer()));
    CHECK(lstat(text("/proc/%d/exe", getpid()), &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(by_number(text("/proc/%d/exe", getpid())) == 0);
    state_of_files(times_by_symbol);
    state_of_files(times_by_number);
    return guest_end();
}
