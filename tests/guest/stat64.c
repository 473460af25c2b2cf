/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"
#include "guest_stat.h"

static int by_symbol(const char *path)
{
    struct stat64 st;
    return stat64(path, &st);
}

static int times(int fd, struct stat *out)
{
    (void)fd;
    return stat64("file", (struct stat64 *)out);
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    state_of_files(times);
    return guest_end();
}
