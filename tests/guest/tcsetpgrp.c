/* SPDX-License-Identifier: MIT */
#include <fcntl.h>

#include "guest_tty.h"

static void body(void)
{
    pid_t child = child_that_waits();
    signal(SIGTTOU, SIG_IGN);
    CHECK(setpgid(child, child) == 0);
    CHECK(tcsetpgrp(0, child) == 0 && tcgetpgrp(0) == child);
    show("foreground", child);
    CHECK(tcsetpgrp(0, getpgrp()) == 0 && tcgetpgrp(0) == getpgrp());
    CHECK(kill(child, SIGKILL) == 0);
    check_killed(child, SIGKILL);
    FAILS(ESRCH, tcsetpgrp(0, 999999999));
}

int main(void)
{
    on_terminal(body);
    FAILS(EBADF, tcsetpgrp(-1, getpgrp()));
    FAILS(ENOTTY, tcsetpgrp(open("/dev/null", O_RDONLY), getpgrp()));
    return guest_end();
}
