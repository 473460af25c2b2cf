/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

#include <sys/statfs.h>

static int by_symbol(const char *path)
{
    struct statfs st;
    return statfs(path, &st);
}

static int by_number(const char *path)
{
    struct statfs st;
    return (int)syscall(SYS_statfs, path, &st);
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
