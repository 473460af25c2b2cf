/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_removed.h"

static int by_symbol(const char *path)
{
    return unlink(path);
}

static int by_number(const char *path)
{
    return (int)syscall(SYS_unlink, path);
}

int main(void)
{
    takes_away("file", by_symbol, make_one);
    takes_away("file", by_number, make_one);
    return guest_end();
}
