/* SPDX-License-Identifier: MIT */
/* seed: same */
#include "guest_removed.h"

static int by_number(const char *from, const char *to)
{
    return (int)syscall(SYS_rename, from, to);
}

int main(void)
{
    takes_the_place(rename);
    takes_the_place(by_number);
    return guest_end();
}
