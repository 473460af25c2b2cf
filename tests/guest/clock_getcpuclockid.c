/* SPDX-License-Identifier: MIT */
#include "guest_cpu_clock.h"

int main(void)
{
    clockid_t *id = guarded(sizeof(*id));
    struct timespec past = {0};
    CHECK(clock_getcpuclockid(getpid(), id) == 0 && guard_holds(id));
    CHECK(*id == cpu_clock_of(getpid(), 2));
    show("own", *id);
    check_cpu_clock(*id);
    CHECK(clock_nanosleep(*id, TIMER_ABSTIME, &past, NULL) == 0);
    CHECK(clock_getcpuclockid(0, id) == 0 && *id == cpu_clock_of(0, 2));
    check_cpu_clock(*id);
    pid_t child = child_that_waits();
    CHECK(clock_getcpuclockid(child, id) == 0 && *id == cpu_clock_of(child, 2));
    show("child", *id);
    check_cpu_clock(*id);
    CHECK(clock_nanosleep(*id, TIMER_ABSTIME, &past, NULL) == 0);
    check_no_cpu_clock(cpu_clock_of(child, 6)); /* a thread of another process */
    CHECK(kill(child, SIGKILL) == 0);
    check_exit(child_that_exits(3), 3);
    CHECK(waitpid(child, NULL, 0) == child);
    check_no_cpu_clock(*id);
    CHECK(clock_getcpuclockid(child, id) == ESRCH);
    CHECK(clock_getcpuclockid(99999999, id) == ESRCH);
    return guest_end();
}
