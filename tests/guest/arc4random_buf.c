/* SPDX-License-Identifier: MIT */
#include "guest.h"

int main(void)
{
    unsigned char *edge = guarded(300);
    arc4random_buf(edge, 300);
    CHECK(guard_holds(edge));
    show_bytes("bytes", edge, 300);
    arc4random_buf(edge, 0);
    return guest_end();
}
