/* SPDX-License-Identifier: MIT */
#include <sys/resource.h>

#include "guest_child.h"

int main(void)
{
    int status;
    struct rusage *usage = guarded(sizeof(*usage));
    pid_t child = child_that_exits(7);
    CHECK(wait3(&status, 0, usage) == child && guard_holds(usage));
    CHECK(WEXITSTATUS(status) == 7 && usage->ru_maxrss > 0);
    show("child", child);
    child = child_that_waits();
    CHECK(wait3(&status, WNOHANG, NULL) == 0);
    CHECK(kill(child, SIGKILL) == 0 && wait3(&status, 0, NULL) == child);
    FAILS(ECHILD, wait3(&status, 0, NULL));
    return guest_end();
}
