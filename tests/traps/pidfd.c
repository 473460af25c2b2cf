/* SPDX-License-Identifier: MIT */
/* pidfd_open of a child's id, pidfd_send_signal through it, waitid(P_PIDFD), and a poll that ends
 * with the child. */
#include <poll.h>
#include <sys/pidfd.h>

#include "trap.h"

int main(void)
{
    siginfo_t info;
    for (int i = 0; i < 5; i++) {
        pid_t pid = fork();
        if (pid == 0)
            for (;;)
                pause();
        int fd = pidfd_open(pid, 0);
        struct pollfd ended = {.fd = fd, .events = POLLIN};
        CHECK(fd >= 0 && poll(&ended, 1, 0) == 0);
        CHECK(pidfd_send_signal(fd, SIGTERM, NULL, 0) == 0);
        CHECK(poll(&ended, 1, 10000) == 1);
        CHECK(waitid(P_PIDFD, (id_t)fd, &info, WEXITED) == 0);
        CHECK(info.si_pid == pid && info.si_code == CLD_KILLED && info.si_status == SIGTERM);
        close(fd);
        FAILS(ESRCH, pidfd_open(pid, 0));
    }
    FAILS(EINVAL, pidfd_open(-1, 0));
    return guest_end();
}
