/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_removed.h"

static int by_symbol(const char *path)
{
    return unlinkat(AT_FDCWD, path, 0);
}

static int by_number(const char *path)
{
    return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

static int folder(const char *path)
{
    return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

static void make_folder(const char *path)
{
    CHECK(mkdir(path, 0700) == 0);
}

int main(void)
{
    takes_away("file", by_symbol, make_one);
    takes_away("file", by_number, make_one);
    takes_away("folder", folder, make_folder);
    return guest_end();
}
