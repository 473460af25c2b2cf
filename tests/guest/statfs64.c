/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

#include <sys/statfs.h>

static int by_symbol(const char *path)
{
    struct statfs64 st;
    return statfs64(path, &st);
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    return guest_end();
}
