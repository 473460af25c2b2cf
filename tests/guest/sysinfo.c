/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/sysinfo.h>

#include "guest.h"

int main(void)
{
    struct sysinfo *info = guarded(sizeof(*info));
    CHECK(sysinfo(info) == 0 && guard_holds(info));
    CHECK(info->totalram > 0 && info->mem_unit > 0 && info->procs > 0);
    show("uptime", info->uptime);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        CHECK(by(door, SYS_sysinfo, (long)info) == 0 && guard_holds(info));
        if (answered(door))
            show("by number", info->uptime);
        CHECK(by(door, SYS_sysinfo, (long)bad_pointer()) == -EFAULT);
    }
    return guest_end();
}
