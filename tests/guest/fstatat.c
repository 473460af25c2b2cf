/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stat.h"

static int at(int dir, const char *path)
{
    struct stat st;
    return fstatat(dir, path, &st, 0);
}

static int here(const char *path)
{
    return at(AT_FDCWD, path);
}

static int times_by_path(int fd, struct stat *out)
{
    (void)fd;
    return fstatat(AT_FDCWD, "file", out, 0);
}

static int times_by_descriptor(int fd, struct stat *out)
{
    return fstatat(fd, "", out, AT_EMPTY_PATH);
}

/* seed: same */
int main(void)
{
    check_proc_paths(here);
    check_proc_at(at);
    FAILS(EFAULT, here(bad_pointer()));
    state_of_files(times_by_path);
    state_of_files(times_by_descriptor);
    return guest_end();
}
