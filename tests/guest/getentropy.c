/* SPDX-License-Identifier: MIT */
#include "guest.h"

int main(void)
{
    unsigned char *edge = guarded(256);
    CHECK(getentropy(edge, 16) == 0);
    show_bytes("first", edge, 16);
    CHECK(getentropy(edge, 256) == 0 && guard_holds(edge));
    show_bytes("most", edge, 256);
    CHECK(getentropy(edge, 0) == 0);
    FAILS(EIO, getentropy(edge, 257));
    FAILS(EFAULT, getentropy(bad_pointer(), 1));
    return guest_end();
}
