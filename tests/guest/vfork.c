/* SPDX-License-Identifier: MIT */
#include "guest_fork.h"

static volatile int written;
static volatile pid_t child_pid;

/* The child shares our memory, and we go on only after it has ended or replaced itself. */
static void check_shared(void)
{
    pid_t pid = vfork();
    if (pid == 0) {
        written = 42;
        child_pid = getpid();
        _exit(7);
    }
    CHECK(pid > 0 && written == 42 && child_pid == pid && getpid() != pid);
    check_exit(pid, 7);
    show("child", pid);
}

static void check_replaced(void)
{
    pid_t pid = vfork();
    if (pid == 0) {
        execl(own_path(), "vfork", "child", (char *)NULL);
        _exit(99);
    }
    check_exit(pid, 0);
    show("child", pid);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        return child_image();
    own_path();
    check_shared();
    check_replaced();
    check_shared();
    unsigned char bytes[8];
    CHECK(getrandom(bytes, sizeof(bytes), 0) == 8);
    show_bytes("own random", bytes, 8);
    return guest_end();
}
