/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

static int at(int dir, const char *path)
{
    return (int)syscall(SYS_faccessat2, dir, path, X_OK, AT_EACCESS);
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
