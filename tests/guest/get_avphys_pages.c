/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/sysinfo.h>

#include "guest.h"

int main(void)
{
    CHECK(get_avphys_pages() > 0);
    if (under_detrun())
        show("pages", get_avphys_pages());
    return guest_end();
}
