/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sched.h>

#include "guest.h"

static void check(unsigned cpu, unsigned node)
{
    cpu_set_t allowed;
    CHECK(sched_getaffinity(0, sizeof(allowed), &allowed) == 0 && CPU_ISSET(cpu, &allowed));
    if (under_detrun())
        CHECK(node == 0);
}

int main(void)
{
    unsigned *cpu = guarded(sizeof(*cpu));
    unsigned *node = guarded(sizeof(*node));
    CHECK(getcpu(cpu, node) == 0 && guard_holds(cpu) && guard_holds(node));
    check(*cpu, *node);
    show("cpu", under_detrun() ? *cpu : 0);
    CHECK(getcpu(NULL, NULL) == 0);
    for (enum door door = BY_SYSCALL; door < DOORS; door++) {
        unsigned by_number = 4096;
        CHECK(by(door, SYS_getcpu, (long)&by_number, (long)node) == 0);
        check(by_number, *node);
        if (under_detrun() && answered(door))
            CHECK(by_number == *cpu);
        CHECK(by(door, SYS_getcpu, (long)bad_pointer(), 0) == -EFAULT);
        CHECK(by(door, SYS_getcpu, 0, (long)bad_pointer()) == -EFAULT);
    }
    return guest_end();
}
