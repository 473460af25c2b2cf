/* SPDX-License-Identifier: MIT */
#include <pty.h>

#include "guest_fork.h"

int main(void)
{
    int master;
    char name[64];
    struct winsize size = {.ws_row = 11, .ws_col = 22};
    pid_t pid = forkpty(&master, name, NULL, &size);
    CHECK(pid >= 0);
    if (pid == 0) {
        CHECK(isatty(0) && getsid(0) == getpid());
        dprintf(1, "%d\n", getpid());
        _exit(0);
    }
    char text[32] = "";
    CHECK(read(master, text, sizeof(text) - 1) > 0 && atoi(text) == pid);
    check_exit(pid, 0);
    show("child", pid);
    return guest_end();
}
