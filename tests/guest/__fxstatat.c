/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

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

/* seed: same */
int main(void)
{
    check_proc_paths(here);
    check_proc_at(at);
    FAILS(EFAULT, here(bad_pointer()));
    return guest_end();
}
