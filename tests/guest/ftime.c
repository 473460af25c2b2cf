/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <dlfcn.h>
#include <sys/timeb.h>

#include "guest.h"

/* glibc keeps ftime for old programs only: it is found by name and version, not by the linker. */
int main(void)
{
    int (*old)(struct timeb *) = (int (*)(struct timeb *))(uintptr_t)dlsym(RTLD_DEFAULT, "ftime");
    struct timeb *out = guarded(sizeof(*out));
    CHECK(old || !under_detrun());
    if (old) {
        CHECK(old(out) == 0 && guard_holds(out) && out->millitm < 1000);
        show("time", out->time * 1000 + out->millitm);
    }
    return guest_end();
}
