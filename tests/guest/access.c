/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

static int by_symbol(const char *path)
{
    return access(path, X_OK);
}

static int by_number(const char *path)
{
    return (int)syscall(SYS_access, path, X_OK);
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    check_proc_paths(by_number);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    FAILS(EFAULT, by_number(bad_pointer()));
    return guest_end();
}
