/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_removed.h"

static int by_symbol(const char *from, const char *to)
{
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static int by_number(const char *from, const char *to)
{
    return (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}

int main(void)
{
    takes_the_place(by_symbol);
    takes_the_place(by_number);
    return guest_end();
}
