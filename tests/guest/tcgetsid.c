/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "guest_tty.h"

static void body(void)
{
    CHECK(tcgetsid(0) == getsid(0) && getsid(0) == getpid());
    show("session", tcgetsid(0));
}

int main(void)
{
    on_terminal(body);
    FAILS(EBADF, tcgetsid(-1));
    FAILS(ENOTTY, tcgetsid(open("/dev/null", O_RDONLY)));
    return guest_end();
}
