/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "guest_tty.h"

static void body(void)
{
    CHECK(tcgetpgrp(0) == getpgrp() && getpgrp() == getpid());
    show("group", tcgetpgrp(0));
}

int main(void)
{
    on_terminal(body);
    FAILS(EBADF, tcgetpgrp(-1));
    FAILS(ENOTTY, tcgetpgrp(open("/dev/null", O_RDONLY)));
    return guest_end();
}
