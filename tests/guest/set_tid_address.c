/* SPDX-License-Identifier: MIT */
#include "guest.h"

/* The word that the kernel clears at the thread's end is libc's: it is set to one that may be. */
static int word;

int main(void)
{
    CHECK(by(BY_SYSCALL, SYS_set_tid_address, (long)&word) == getpid());
    show("thread", by(BY_SYSCALL, SYS_set_tid_address, (long)&word));
    return guest_end();
}
