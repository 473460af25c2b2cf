/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_removed.h"

static int by_symbol(const char *path)
{
    return rmdir(path);
}

static int by_number(const char *path)
{
    return (int)syscall(SYS_rmdir, path);
}

static void make_folder(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
}

int main(void)
{
    takes_away("folder", by_symbol, make_folder);
    takes_away("folder", by_number, make_folder);
    return guest_end();
}
