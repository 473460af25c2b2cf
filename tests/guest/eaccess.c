/* SPDX-License-Identifier: MIT */
#include "guest_procfs.h"

static int by_symbol(const char *path)
{
    return eaccess(path, X_OK);
}

/* seed: same */
int main(void)
{
    check_proc_paths(by_symbol);
    FAILS(EFAULT, by_symbol(bad_pointer()));
    return guest_end();
}
