/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/resource.h>

#include "guest.h"

static void show_usage(const struct rusage *usage)
{
    CHECK(guard_holds(usage));
    show("user", usage->ru_utime.tv_sec * 1000000 + usage->ru_utime.tv_usec);
    show("system", usage->ru_stime.tv_sec * 1000000 + usage->ru_stime.tv_usec);
    CHECK(!under_detrun() || (usage->ru_maxrss > 0 && usage->ru_minflt == 0 &&
                              usage->ru_nvcsw == 0 && usage->ru_nivcsw == 0));
}

int main(void)
{
    struct rusage *usage = guarded(sizeof(*usage));
    static const __rusage_who_t who[] = {RUSAGE_SELF, RUSAGE_THREAD, RUSAGE_CHILDREN};
    for (int i = 0; i < 3; i++) {
        CHECK(getrusage(who[i], usage) == 0);
        show_usage(usage);
        for (enum door door = BY_SYSCALL; door < DOORS; door++) {
            CHECK(by(door, SYS_getrusage, who[i], (long)usage) == 0);
            if (answered(door))
                show_usage(usage);
            CHECK(by(door, SYS_getrusage, who[i], (long)bad_pointer()) == -EFAULT);
            CHECK(by(door, SYS_getrusage, 99, (long)usage) == -EINVAL);
        }
    }
    FAILS(EINVAL, getrusage((__rusage_who_t)99, usage));
    return guest_end();
}
