/* SPDX-License-Identifier: MIT */
#include <sys/resource.h>

#include "guest_child.h"

int main(void)
{
    int *status = guarded(sizeof(*status));
    pid_t child = child_that_exits(7);
    CHECK(wait(status) == child && guard_holds(status));
    CHECK(WIFEXITED(*status) && WEXITSTATUS(*status) == 7);
    show("child", child);
    CHECK(wait(child_that_exits(0) > 0 ? NULL : status) > 0);
    FAILS(ECHILD, wait(status));
    return guest_end();
}
