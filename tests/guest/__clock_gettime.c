/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <dlfcn.h>

#include "guest.h"

/* Old glibc exported this name; where it is missing there is nothing to reach by it. */
int main(void)
{
    int (*clock_gettime_old)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))(uintptr_t)dlsym(RTLD_DEFAULT, "__clock_gettime");
    struct timespec *ts = guarded(sizeof(*ts));
    CHECK(clock_gettime_old || !under_detrun());
    if (clock_gettime_old) {
        CHECK(clock_gettime_old(CLOCK_REALTIME, ts) == 0 && guard_holds(ts));
        show("clock", ts->tv_sec);
        FAILS(EINVAL, clock_gettime_old(99, ts));
    }
    return guest_end();
}
