/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

static int at(int dir, const char *path)
{
    struct stat st;
    return fstatat(dir, path, &st, 0);
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
