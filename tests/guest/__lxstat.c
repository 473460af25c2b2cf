/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

int __lxstat(int version, const char *path, struct stat *st);

static int by_symbol(const char *path)
{
    struct stat st;
    return __lxstat(1, path, &st);
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    return guest_end();
}
