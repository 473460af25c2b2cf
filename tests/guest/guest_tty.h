/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A child that leads a session on a terminal of its own.
 */
#ifndef DETRUN_GUEST_TTY_H
#define DETRUN_GUEST_TTY_H

#include <pty.h>
#include <termios.h>
#include <utmp.h>

#include "guest_pid.h"

/** body runs in the session leader, its descriptor 0 the terminal; its output is ours. */
static inline void on_terminal(void (*body)(void))
{
    int master;
    int slave;
    CHECK(openpty(&master, &slave, NULL, NULL, NULL) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        int out = dup(1);
        int errors = dup(2);
        CHECK(login_tty(slave) == 0 && dup2(out, 1) == 1 && dup2(errors, 2) == 2);
        body();
        _exit(0);
    }
    check_exit(pid, 0);
}

#endif
