/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stat.h"

int __xstat(int version, const char *path, struct stat *st);

static int by_symbol(const char *path)
{
    struct stat st;
    return __xstat(1, path, &st);
}

static int times(int fd, struct stat *out)
{
    (void)fd;
    return __xstat(1, "file", out);
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    state_of_files(times);
    return guest_end();
}
