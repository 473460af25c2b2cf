/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stat.h"

int __fxstatat(int version, int dir, const char *path, struct stat *st, int flags);

static int at(int dir, const char *path)
{
    struct stat st;
    return __fxstatat(1, dir, path, &st, 0);
}

static int here(const char *path)
{
    return at(AT_FDCWD, path);
}

static int times(int fd, struct stat *out)
{
    (void)fd;
    return __fxstatat(1, AT_FDCWD, "file", out, 0);
}

/* seed: same */
int main(void)
{
    check_proc_paths(here);
    check_proc_at(at);
    FAILS(EFAULT, here(bad_pointer()));
    state_of_files(times);
    return guest_end();
}
