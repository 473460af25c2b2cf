/* SPDX-License-Identifier: MIT */
#include <asm/prctl.h>
#include <sys/auxv.h>

#include "guest.h"

/* Setting the thread pointer to what it is changes nothing, however often. */
int main(void)
{
    unsigned char at_random[16];
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        unsigned long base = 0;
        CHECK(by(door, SYS_arch_prctl, ARCH_GET_FS, (long)&base) == 0 && base != 0);
        CHECK(by(door, SYS_arch_prctl, ARCH_SET_FS, (long)base) == 0);
        CHECK(by(door, SYS_arch_prctl, ARCH_GET_FS, (long)bad_pointer()) == -EFAULT);
        CHECK(by(door, SYS_arch_prctl, 0x9999, 0) == -EINVAL);
        CHECK(by(door, SYS_arch_prctl, ARCH_SET_FS, -1L) == -EPERM);
    }
    memcpy(at_random, (const void *)getauxval(AT_RANDOM), sizeof(at_random));
    if (supervised())
        show_bytes("at random", at_random, sizeof(at_random));
    else
        show("pid", getpid());
    return guest_end();
}
