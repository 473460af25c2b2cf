/* SPDX-License-Identifier: MIT */
#include <sys/resource.h>

#include "guest_child.h"

static void check_door(enum door door)
{
    int status;
    struct rusage usage;
    pid_t child = child_that_exits(9);
    if (translated(door))
        CHECK(by(door, SYS_wait4, child, (long)&status, 0, (long)&usage) == child);
    else
        CHECK(by(door, SYS_wait4, -1, (long)&status, 0, (long)&usage) > 0);
    CHECK(WEXITSTATUS(status) == 9);
    CHECK(by(door, SYS_wait4, -1, (long)&status, 0, 0) == -ECHILD);
    CHECK(by(door, SYS_wait4, -1, (long)&status, 0x40000, 0) == -EINVAL);
    child_that_exits(0);
    CHECK(by(door, SYS_wait4, -1, (long)bad_pointer(), 0, 0) == -EFAULT);
}

int main(void)
{
    int status;
    struct rusage *usage = guarded(sizeof(*usage));
    pid_t child = child_that_exits(7);
    CHECK(wait4(child, &status, 0, usage) == child && WEXITSTATUS(status) == 7);
    CHECK(guard_holds(usage) && usage->ru_maxrss > 0);
    CHECK(!under_detrun() || (usage->ru_minflt == 0 && usage->ru_nvcsw == 0));
    show("child", child);
    show("user", usage->ru_utime.tv_sec * 1000000 + usage->ru_utime.tv_usec);
    FAILS(ECHILD, wait4(child, &status, 0, NULL));
    for (enum door door = BY_SYSCALL; door < DOORS; door++)
        check_door(door);
    return guest_end();
}
