/* SPDX-License-Identifier: MIT */
/* seed: same */
#include <sys/sysinfo.h>

#include "guest.h"

int main(void)
{
    CHECK(get_nprocs_conf() == sysconf(_SC_NPROCESSORS_CONF));
    show("processors", get_nprocs_conf());
    return guest_end();
}
