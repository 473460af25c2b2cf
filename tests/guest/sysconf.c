/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/sysinfo.h>

#include "guest.h"

int main(void)
{
    struct sysinfo info;
    CHECK(sysinfo(&info) == 0);
    CHECK(sysconf(_SC_NPROCESSORS_ONLN) > 0);
    CHECK(sysconf(_SC_NPROCESSORS_CONF) >= sysconf(_SC_NPROCESSORS_ONLN));
    CHECK((unsigned long)sysconf(_SC_PHYS_PAGES) == info.totalram / 4096 * info.mem_unit);
    CHECK(sysconf(_SC_AVPHYS_PAGES) > 0);
    CHECK(sysconf(_SC_PAGESIZE) == 4096);
    if (under_detrun()) {
        show("memory", sysconf(_SC_PHYS_PAGES));
        show("free", sysconf(_SC_AVPHYS_PAGES));
    }
    /* No limit is no error, and leaves errno alone; what there is no such thing as is one. */
    errno = 0;
    CHECK(sysconf(_SC_SYMLOOP_MAX) == -1 && errno == 0);
    FAILS(EINVAL, sysconf(999999));
    return guest_end();
}
