/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

static int at(int dir, const char *path)
{
    return faccessat(dir, path, X_OK, AT_EACCESS);
}

static int by_number(int dir, const char *path)
{
    return (int)syscall(SYS_faccessat, dir, path, X_OK);
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
    check_proc_at(by_number);
    FAILS(EFAULT, here(bad_pointer()));
    FAILS(EFAULT, by_number(AT_FDCWD, bad_pointer()));
    return guest_end();
}
