/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stat.h"

int __lxstat64(int version, const char *path, struct stat64 *st);

static int by_symbol(const char *path)
{
    struct stat64 st;
    return __lxstat64(1, path, &st);
}

static int times(int fd, struct stat *out)
{
    (void)fd;
    return __lxstat64(1, "file", (struct stat64 *)out);
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    state_of_files(times);
    return guest_end();
}
